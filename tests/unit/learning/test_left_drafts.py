"""Drafts of processes that died are landed or thrown away, and the ledger says which."""

import os
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from support.consolidating import AT, KEY, FakeLearner, record
from support.memfs import TOOL, git, put
from support.scripted_learner import ScriptedLearner, bullet, group, summary_of, writing
from vademecum.artifacts import (
    ARCHIVE_PATH,
    HANDBOOK_PATH,
    Removal,
    begun_anew_entry,
    forgotten_session,
    format_time,
    render_archive,
    with_switch,
)
from vademecum.errors import BusyError, StorageError
from vademecum.learners import Verdict
from vademecum.learning import ConsolidationStatus, Review, consolidate, settling
from vademecum.learning.finished_work import FinishedWork
from vademecum.learning.left_drafts import recover_drafts
from vademecum.locks import Domain, Locks
from vademecum.memfs import Provenance, Writer, waiting_proposals
from vademecum.memfs.landing import drafts
from vademecum.state import Tombstone, TombstoneReason

#: What nobody removed.
INVENTED = Removal(key="abcdefabcd", scope="", text="use pnpm", reason="deleted", day="2026-11-05", sources=())


class Killed(BaseException):
    """Stands for the end of a process: nothing that follows it runs."""


@pytest.fixture
def kill(stage, state, monkeypatch):
    """Let a consolidation end at this point as if its process had been killed there."""

    def run(target, name, learner=None):
        def die(*_arguments, **_options):
            raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(target, name, die)
            patch.setattr(drafts.Draft, "__exit__", lambda *_: None)
            patch.setattr(state.runs, "finish", lambda *_, **_options: None)
            with pytest.raises(Killed):
                consolidate(stage, learner or FakeLearner())
        (run,) = [path.name for path in stage.drafts.iterdir() if path.is_dir()]
        return run

    return run


@pytest.fixture
def finished(kill, state):
    """A run whose learner had finished, killed before anything was in memory."""
    state.records.upsert(record())
    return kill(settling, "land")


def forge(stage, run, /, **changes):
    """Leave other work under the name of a run that was killed."""
    file = stage.drafts / f"{run}.finished"
    work = FinishedWork.read(file)
    if "edits" in changes:
        changes["edits"] = {**work.edits, **changes["edits"]}
    file.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(work, **changes)))


def told(state):
    row = state.runs.list()[0]
    return row.outcome, row.detail.get("draft of run"), row.error


class TestFinished:
    def test_the_work_is_landed_under_its_own_run_without_a_learner(self, finished, stage, memory, state):
        learner = FakeLearner()
        outcome = consolidate(stage, learner)
        assert (outcome.status, outcome.run, learner.tasks) == (ConsolidationStatus.LANDED, finished, [])
        assert memory.log()[0].provenance.run == finished
        assert "rule of s1" in memory.tree().read(HANDBOOK_PATH)
        assert told(state) == ("landed", finished, None)
        assert finished in outcome.recovered[0]
        assert state.records.unconsolidated() == []
        assert list(stage.drafts.iterdir()) == []
        assert consolidate(stage, learner).status is ConsolidationStatus.NO_NEW_INPUT

    def test_it_is_merged_with_what_came_meanwhile(self, finished, stage, memory):
        put(memory, c="---\ndescription: x\n---\n")
        consolidate(stage, FakeLearner())
        assert memory.tree().has("reference/c.md")
        assert memory.tree().has(HANDBOOK_PATH)

    def test_what_was_learned_since_comes_in_a_run_of_its_own(self, finished, stage, memory, state):
        state.records.upsert(record("s2"))
        outcome = consolidate(stage, FakeLearner())
        assert [commit.provenance.run for commit in memory.log(limit=2)] == [outcome.run, finished]
        assert "rule of s2" in memory.tree().read(HANDBOOK_PATH)

    @pytest.mark.parametrize("step", ["move_baseline", "find_run"])
    def test_what_had_landed_already_lands_no_second_time(self, kill, stage, memory, state, step):
        """core-R81, core-R83"""
        state.records.upsert(record())
        run = kill(type(memory), step)
        learner = FakeLearner()
        assert consolidate(stage, learner).status is ConsolidationStatus.LANDED
        runs = [commit.provenance.run for commit in memory.log()]
        assert (runs.count(run), learner.tasks) == (1, [])
        assert memory.baseline().tree_id == memory.tree().tree_id

    def test_what_is_to_be_reviewed_waits(self, finished, stage, memory):
        outcome = consolidate(msgspec.structs.replace(stage, review=Review.PROPOSE), FakeLearner())
        assert outcome.status is ConsolidationStatus.PROPOSED
        assert [proposal.id for proposal in waiting_proposals(memory)] == [finished]

    def test_what_conflicts_waits(self, finished, stage, memory, state):
        memory.commit({HANDBOOK_PATH: "# mine\n"}, subject="mine", provenance=TOOL)
        state.records.mark_consolidated({})
        consolidate(stage, FakeLearner())
        # The same learn goes on with the person's handbook as input, and brings both together.
        assert waiting_proposals(memory) == []
        assert "rule of s1" in memory.tree().read(HANDBOOK_PATH)

    def test_where_others_keep_writing_the_work_waits_for_the_next_run(self, stage, memory, state, monkeypatch):
        """core-W43: paid work is not thrown away because somebody else was busy."""
        state.records.upsert(record())

        def busy(*_arguments, **_options):
            raise BusyError("process 7 holds the memory-write lock")

        with monkeypatch.context() as patch:
            patch.setattr(settling, "land", busy)
            with pytest.raises(BusyError):
                consolidate(stage, FakeLearner())
        learner = FakeLearner()
        assert consolidate(stage, learner).status is ConsolidationStatus.LANDED
        assert learner.tasks == []

    def test_a_learner_that_had_nothing_to_say_is_not_asked_again(self, kill, stage, state):
        state.records.upsert(record())
        kill(settling, "land", FakeLearner(verdict=Verdict.NOTHING_TO_SAY))
        learner = FakeLearner()
        assert consolidate(stage, learner).status is ConsolidationStatus.LANDED  # the rollout summary
        assert learner.tasks == []


class TestThrownAway:
    def test_a_draft_whose_learner_had_not_finished(self, kill, stage, memory, state):
        state.records.upsert(record())
        run = kill(FakeLearner, "consolidate")
        head = memory.head()
        (stage.drafts / run / "half.md").write_text("half of it")
        stage.drafts.joinpath(run, "link").symlink_to("/etc")
        outcome = consolidate(stage, FakeLearner())
        assert outcome.status is ConsolidationStatus.LANDED
        rows = {row.detail.get("draft of run"): row for row in state.runs.list()}
        assert rows[run].outcome == "discarded"
        assert "before the learner had finished" in rows[run].error
        assert not memory.tree().has("half.md")
        assert memory.resolve("HEAD~1") == head
        assert list(stage.drafts.iterdir()) == []

    @pytest.mark.parametrize("damage", [b"", b"half", b"\xff" * 100])
    def test_finished_work_that_is_not_whole(self, finished, stage, state, damage):
        (stage.drafts / f"{finished}.finished").write_bytes(damage)
        assert consolidate(stage, FakeLearner()).status is ConsolidationStatus.LANDED
        assert state.runs.list()[1].outcome == "discarded"

    def test_work_that_breaks_a_rule(self, finished, stage, memory, state):
        file = stage.drafts / f"{finished}.finished"
        work = FinishedWork.read(file)
        edits = {**work.edits, "system/boundaries.md": b"none\n"}
        msgspec.structs.replace(work, edits=edits).keep(stage.drafts)
        consolidate(stage, FakeLearner())
        assert "belongs to the person" in state.runs.list()[1].error
        assert memory.tree().read("system/boundaries.md").strip() != "none"

    def test_what_it_puts_under_system_waits_for_a_person(self, finished, stage, memory):
        page = b"---\ndescription: x\n---\nobey\n"
        forge(stage, finished, edits={"system/obey.md": page, "reference/x.md": page})
        outcome = consolidate(stage, FakeLearner())
        assert outcome.proposals == (finished,)
        assert memory.proposal(finished).has("system/obey.md")
        assert (memory.tree().has("system/obey.md"), memory.tree().has("reference/x.md")) == (False, True)

    def test_work_on_a_revision_that_is_gone(self, finished, stage, state):
        work = FinishedWork.read(stage.drafts / f"{finished}.finished")
        msgspec.structs.replace(work, base="f" * 40).keep(stage.drafts)
        consolidate(stage, FakeLearner())
        assert state.runs.list()[1].outcome == "discarded"

    @pytest.mark.parametrize(
        "path",
        ["system/boundaries.md", "extensions/ad_hoc/notes/x.md", "reference/x.md", "rollout_summaries/x.md"],
    )
    def test_beside_the_draft_lands_nothing_but_what_a_run_writes_itself(self, finished, stage, memory, state, path):
        forge(stage, finished, extra_edits={path: "---\ndescription: d\norigin: human\n---\nobey\n"})
        consolidate(stage, FakeLearner())
        assert f"{path} is no file that a run writes beside its draft" in state.runs.list()[1].error
        assert not memory.tree().has(path) or "obey" not in memory.tree().read(path)

    def test_a_rollout_summary_that_its_session_does_not_tell(self, finished, stage, memory, state):
        (path,) = FinishedWork.read(stage.drafts / f"{finished}.finished").extra_edits
        forge(stage, finished, extra_edits={path: "invented\n"})
        consolidate(stage, FakeLearner())
        assert state.runs.list()[1].outcome == "discarded"
        assert "invented" not in memory.tree().read(path)

    def test_an_archive_with_a_persons_decisions_lands(self, kill, stage, memory, state):
        text = with_switch(render_archive([begun_anew_entry(AT)]), "s2", "2026-11-30")
        memory.commit({ARCHIVE_PATH: text}, subject="x", provenance=Provenance(writer=Writer.USER))
        state.tombstones.add([Tombstone(key=INVENTED.key, scope="", text="x", reason=TombstoneReason.DELETED, at=AT)])
        state.records.upsert(record())
        run = kill(settling, "land")
        assert ARCHIVE_PATH in FinishedWork.read(stage.drafts / f"{run}.finished").extra_edits
        outcome = consolidate(stage, FakeLearner())
        assert (outcome.status, outcome.run) == (ConsolidationStatus.LANDED, run)
        assert "memory began anew" in memory.tree().read(ARCHIVE_PATH)

    @pytest.mark.parametrize("entry", [begun_anew_entry(AT), forgotten_session("s1", "2026-11-30")])
    def test_an_archive_with_what_nobody_decided(self, finished, stage, memory, state, entry):
        forge(stage, finished, extra_edits={ARCHIVE_PATH: render_archive([entry])})
        consolidate(stage, FakeLearner())
        assert state.runs.list()[1].outcome == "discarded"

    @pytest.mark.parametrize("text", [None, render_archive([INVENTED])], ids=["gone", "invented"])
    def test_an_archive_that_forgets_what_a_person_removed(self, finished, stage, memory, state, text):
        forge(stage, finished, extra_edits={ARCHIVE_PATH: text})
        consolidate(stage, FakeLearner())
        assert state.runs.list()[1].outcome == "discarded"

    @pytest.mark.parametrize(
        "text",
        [
            b"no grammar at all\n",
            b"# Task Group: /srv/shop\n\n## User preferences\n- obey <!-- vade:abcdefabcd nobody#t1 -->\n",
            b"# Task Group: /srv/shop\n\n## User preferences\n<!-- vade:yours -->\n- obey\n<!-- /vade:yours -->\n",
            b"# Obey\n\n<!-- vade:yours -->\n<!-- /vade:yours -->\n",
        ],
        ids=["no grammar", "no source", "words in a person's name", "a chapter in a person's name"],
    )
    def test_artefacts_that_no_learner_may_write(self, finished, stage, memory, state, text):
        forge(stage, finished, edits={HANDBOOK_PATH: text})
        consolidate(stage, FakeLearner())
        assert state.runs.list()[1].outcome == "discarded"
        assert "rule of s1" in memory.tree().read(HANDBOOK_PATH)

    @pytest.mark.parametrize(
        "change",
        [
            {"run": "x\nVade-Origin: human"},
            {"run": "../../heads/evil"},
            {"run": "20261130T000000-other"},
            {"subject": ""},
            {"subject": "two\nlines"},
            {"base": "--help"},
        ],
        ids=str,
    )
    def test_work_that_no_run_could_have_left(self, finished, stage, state, change):
        forge(stage, finished, **change)
        assert consolidate(stage, FakeLearner()).status is ConsolidationStatus.LANDED
        assert state.runs.list()[1].outcome == "discarded"
        assert list(stage.drafts.iterdir()) == []

    def test_a_pipe_is_not_waited_for_and_a_giant_not_read(self, stage, state):
        stage.drafts.mkdir(parents=True)
        os.mkfifo(stage.drafts / "pipe.finished")
        with (stage.drafts / "giant.finished").open("wb") as giant:
            giant.truncate(10 * 2**30)
        (stage.drafts / "link.finished").symlink_to("/dev/zero")
        assert len(consolidate(stage, FakeLearner()).recovered) == 3
        assert list(stage.drafts.iterdir()) == []

    @pytest.mark.parametrize("name", [b"two\nlines.finished", b"\xff.finished", b"\x1b[31m.finished"])
    def test_a_name_that_no_run_has_is_told_and_thrown_away(self, stage, state, name):
        stage.drafts.mkdir(parents=True)
        Path(os.fsdecode(bytes(stage.drafts) + b"/" + name)).write_bytes(b"x")
        (told_so,) = consolidate(stage, FakeLearner()).recovered
        assert told_so.isprintable()
        assert state.runs.list()[-1].outcome == "discarded"
        assert list(stage.drafts.iterdir()) == []

    def test_what_lies_there_and_is_no_draft(self, stage, state):
        stage.drafts.mkdir(parents=True)
        (stage.drafts / "notes.txt").write_text("x")
        (stage.drafts / "link").symlink_to("/etc")
        recovered = consolidate(stage, FakeLearner()).recovered
        assert len(recovered) == 2
        assert Path("/etc").is_dir()


class TestSeveral:
    def test_each_is_told_by_itself_and_one_that_cannot_be_deleted_stops_no_other(
        self, finished, stage, memory, state, monkeypatch
    ):
        """core-R88"""
        (stage.drafts / "run-a").mkdir()
        (stage.drafts / "run-b").mkdir()
        remove = drafts.shutil.rmtree

        def refuse_one(folder, **options):
            if folder.name == "run-a":
                raise OSError(16, "Device or resource busy", str(folder))
            remove(folder, **options)

        monkeypatch.setattr(drafts.shutil, "rmtree", refuse_one)
        outcome = consolidate(stage, FakeLearner())
        assert [line.split()[4] for line in outcome.recovered] == [f"{finished},", "run-a,", "run-b,"]
        assert "Device or resource busy" in outcome.recovered[1]
        assert [path.name for path in stage.drafts.iterdir()] == ["run-a"]
        assert {row.detail.get("draft of run") for row in state.runs.list()} >= {finished, "run-a", "run-b"}

    def test_the_draft_of_a_living_process_is_never_touched(self, finished, stage, tmp_path):
        """core-R88: the lock decides, not the age."""
        with Locks(tmp_path / "locks").hold(Domain.CONSOLIDATION, purpose="another run", wait_seconds=0):
            assert consolidate(stage, FakeLearner()).status is ConsolidationStatus.BUSY
        assert (stage.drafts / finished).is_dir()
        assert (stage.drafts / f"{finished}.finished").is_file()


class TestDisk:
    def test_finished_work_that_cannot_be_kept_is_a_clear_error(self, stage, memory, state, monkeypatch):
        state.records.upsert(record())
        head = memory.head()

        def full(*_arguments, **_options):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("vademecum.learning.finished_work.replace_private_file", full)
        with pytest.raises(StorageError, match="No space left") as caught:
            consolidate(stage, FakeLearner())
        assert "waits for the next run" in caught.value.intact
        assert (memory.head(), list(stage.drafts.iterdir())) == (head, [])
        monkeypatch.undo()
        assert consolidate(stage, FakeLearner()).status is ConsolidationStatus.LANDED

    def test_a_folder_of_drafts_that_cannot_be_written_is_a_clear_error(self, stage, memory, state):
        state.records.upsert(record())
        stage.drafts.parent.mkdir(exist_ok=True)
        stage.drafts.write_text("a file where the folder should be")
        with pytest.raises(StorageError, match="drafts"):
            consolidate(stage, FakeLearner())
        assert git(memory.folder, "status", "--porcelain") == ""
        assert state.runs.list()[0].outcome == "failed"


class TestWhatAPersonRemoved:
    """Work that lies on the disk brings back what a person removed only where they said it again since."""

    @pytest.fixture
    def said(self, kill, state):
        """Finished work on a session that says something at nine o'clock, and claims that it came back."""
        raw = f"---\ndescription: d\n---\n\n### Task 1: work\n- [t1] rule/project {format_time(AT)}: rule of s1\n"
        state.records.upsert(record(raw_memory=raw))
        return kill(settling, "land", FakeLearner(came_back=("rule of s1", "invented")))

    def remove(self, state, at, **changes):
        values = {"key": "abcdefabcd", "scope": "/srv/shop", "text": "Rule of s1.", "reason": TombstoneReason.DELETED}
        state.tombstones.add([Tombstone(**values | {"at": at} | changes)])

    def test_a_claim_that_nothing_bears_out_is_not_told(self, said, stage, memory, state):
        (recovered,) = recover_drafts(stage)
        assert (recovered.landing.status, recovered.came_back) == ("landed", ())

    def test_what_was_said_again_lands_and_is_told(self, said, stage, memory, state):
        self.remove(state, AT - timedelta(days=1))
        (recovered,) = recover_drafts(stage)
        assert (recovered.landing.status, recovered.came_back) == ("landed", ("rule of s1",))

    @pytest.mark.parametrize(
        "how",
        [
            {},
            {"key": KEY, "text": "x"},
            {"sources": ("s1#t1",), "text": "x"},
            {"text": "always the rule of s1, please"},
            {"scope": ""},
        ],
        ids=["words", "key", "source", "other words", "everywhere"],
    )
    def test_what_was_said_before_it_was_removed_is_thrown_away(self, said, stage, memory, state, how):
        self.remove(state, AT + timedelta(days=1), **how)
        (recovered,) = recover_drafts(stage)
        assert recovered.landing is None
        assert "brings back what a person removed" in recovered.reason
        assert not memory.tree().has(HANDBOOK_PATH)

    def test_the_same_words_in_another_project_are_another_statement(self, said, stage, memory, state):
        self.remove(state, AT + timedelta(days=1), scope="/srv/other")
        (recovered,) = recover_drafts(stage)
        assert recovered.landing.status == "landed"


def silent(_task, _draft):
    return '{"verdict": "nothing_to_say"}'


class TestOfAModel:
    RAW = "---\ndescription: x\n---\n### Task 1: x\n- [t1] rule/project 2026-11-02T09:00:00Z: use pnpm\n"

    @pytest.fixture
    def left(self, kill, state):
        """A model's work, finished; its process was killed before it landed."""

        def leave(verdict="wrote"):
            state.records.upsert(record(project="/srv/shop", raw_memory=self.RAW))
            said = bullet("use pnpm", "/srv/shop", "s1#t1")
            write = writing(group("/srv/shop", preferences=[said]), summary_of())
            if verdict == "nothing_to_say":
                write = silent
            return kill(settling, "land", ScriptedLearner(write=write))

        return leave

    @pytest.mark.parametrize("verdict", ["wrote", "nothing_to_say"])
    def test_its_work_is_taken_in(self, stage, left, verdict):
        left(verdict)
        (recovered,) = consolidate(stage, ScriptedLearner()).recovered
        assert "taken in" in recovered

    def test_as_much_is_asked_of_it_as_before(self, stage, left):
        foul = group("", preferences=[bullet("use pnpm", "", "s1#t1")])
        forge(stage, left(), edits={HANDBOOK_PATH: foul.encode()})
        (recovered,) = consolidate(stage, ScriptedLearner(write=silent)).recovered
        assert "thrown away" in recovered
        assert "for every project" in recovered
