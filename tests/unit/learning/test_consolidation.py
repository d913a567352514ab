from datetime import UTC, datetime

import msgspec
import pytest

from support.consolidating import AT, KEY, SUMMARY, FakeLearner, record
from support.memfs import git
from vademecum.artifacts import (
    ARCHIVE_PATH,
    HANDBOOK_PATH,
    SUMMARY_PATH,
    RolloutSummary,
    render_note,
    render_rollout_summary,
)
from vademecum.errors import BusyError, DatabaseBroken, LearnerFailed, StorageError
from vademecum.learning import ConsolidationStatus, adopt_rollout_summaries, consolidate
from vademecum.learning.selection import select
from vademecum.locks import Domain, Locks
from vademecum.memfs import Provenance, Writer
from vademecum.state import RetiredReason, TombstoneReason

WAITS = "What was learned from sessions is kept and waits for the next run."


def status(stage, learner=None):
    return consolidate(stage, learner or FakeLearner()).status


class TestOutcomes:
    def test_new_records_land_in_one_commit_with_their_rollout_summaries(self, stage, memory, state):
        state.records.upsert(record())
        state.records.upsert(record("s2"))
        before = len(memory.log())
        outcome = consolidate(stage, FakeLearner())
        assert outcome.status is ConsolidationStatus.LANDED
        (commit, *_) = memory.log()
        assert (len(memory.log()), commit.id, commit.provenance.run) == (before + 1, outcome.revision, outcome.run)
        assert set(commit.paths) == {
            HANDBOOK_PATH,
            SUMMARY_PATH,
            "rollout_summaries/2026-11-02T09-00-00-abcd-s1.md",
            "rollout_summaries/2026-11-02T09-00-00-abcd-s2.md",
        }

    def test_no_new_input_calls_no_learner_and_leaves_no_row(self, stage, state):
        state.records.upsert(record())
        consolidate(stage, FakeLearner())
        rows, learner = state.runs.list(), FakeLearner()
        assert status(stage, learner) is ConsolidationStatus.NO_NEW_INPUT
        assert (learner.tasks, state.runs.list()) == ([], rows)

    def test_input_that_changes_no_file_is_taken_in(self, stage, memory, state):
        state.records.upsert(record())
        consolidate(stage, FakeLearner())
        head = memory.head()
        memory.commit(
            {"reference/x.md": "---\ndescription: x\n---\n"}, subject="x", provenance=Provenance(writer=Writer.USER)
        )
        assert status(stage) is ConsolidationStatus.NO_CHANGES
        assert status(stage) is ConsolidationStatus.NO_NEW_INPUT
        assert memory.log()[1].id == head

    def test_a_learner_that_fails_loses_nothing(self, stage, memory, state):
        """codex-A09, codex-A10"""
        state.records.upsert(record())
        head = memory.head()
        outcome = consolidate(stage, FakeLearner(error=LearnerFailed("no answer")))
        assert (outcome.status, outcome.reason) == (ConsolidationStatus.FAILED, "no answer")
        assert memory.head() == head
        assert status(stage) is ConsolidationStatus.LANDED

    @pytest.mark.parametrize(
        "files",
        [
            {HANDBOOK_PATH: "# Thoughts\n", SUMMARY_PATH: SUMMARY},
            {HANDBOOK_PATH: "", SUMMARY_PATH: "no first line\n"},
            {HANDBOOK_PATH: "", SUMMARY_PATH: SUMMARY + "x" * 10_000},
            {HANDBOOK_PATH: "", SUMMARY_PATH: SUMMARY, "system/boundaries.md": "---\ndescription: mine\n---\n"},
            {HANDBOOK_PATH: "", SUMMARY_PATH: SUMMARY, ARCHIVE_PATH: "# Archive\n"},
        ],
        ids=["handbook", "summary", "size", "protected", "archive"],
    )
    def test_work_that_breaks_a_rule_is_not_stored_and_the_input_waits(self, stage, memory, state, files):
        state.records.upsert(record())
        head = memory.head()
        outcome = consolidate(stage, FakeLearner(files))
        assert outcome.status is ConsolidationStatus.INVALID
        assert outcome.reason
        assert memory.head() == head
        assert status(stage) is ConsolidationStatus.LANDED

    @pytest.mark.parametrize("path", [HANDBOOK_PATH, SUMMARY_PATH])
    def test_an_artefact_that_is_no_text_is_not_stored(self, stage, memory, state, path):
        state.records.upsert(record())
        learner, head = FakeLearner(), memory.head()
        writing = learner.consolidate

        def garble(task, draft):
            answer = writing(task, draft)
            (draft.folder / path).write_bytes(b"\xff\xfe")
            return answer

        learner.consolidate = garble
        assert status(stage, learner) is ConsolidationStatus.INVALID
        assert memory.head() == head

    def test_while_another_process_consolidates_it_is_busy(self, stage, state, tmp_path):
        state.records.upsert(record())
        with Locks(tmp_path / "locks").hold(Domain.CONSOLIDATION, purpose="test", wait_seconds=0):
            assert status(stage) is ConsolidationStatus.BUSY
        assert status(stage) is ConsolidationStatus.LANDED

    def test_others_who_keep_writing_are_an_error_and_the_ledger_says_the_same(self, stage, state):
        """Only another consolidation is the outcome `busy`; what was learned waits in any case."""
        state.records.upsert(record())
        with pytest.raises(BusyError) as caught:
            consolidate(stage, FakeLearner(error=BusyError("process 7 holds the memory-write lock")))
        assert caught.value.retriable
        assert "kept" in caught.value.intact
        (run,) = state.runs.list()
        assert (run.outcome, run.error) == ("failed", f"busy: {caught.value}")
        assert status(stage) is ConsolidationStatus.LANDED

    @pytest.mark.parametrize(
        ("error", "intact"),
        [
            (StorageError("the disk is full"), WAITS),
            (StorageError("it fails", intact="The change is committed."), f"The change is committed. {WAITS}"),
            (DatabaseBroken("garbage", intact="The repository is."), "The repository is."),
        ],
        ids=["nothing of its own", "its own", "what was learned may be lost"],
    )
    def test_an_error_says_that_what_was_learned_waits(self, stage, state, error, intact):
        state.records.upsert(record())
        with pytest.raises(StorageError) as caught:
            consolidate(stage, FakeLearner(error=error))
        assert caught.value.intact == intact

    def test_the_ledger_names_the_learner_with_its_version(self, stage, state):
        state.records.upsert(record())
        consolidate(stage, FakeLearner())
        assert state.runs.list()[0].learner == "fake/1"

    def test_every_end_stands_in_the_ledger(self, stage, state):
        state.records.upsert(record())
        with pytest.raises(RuntimeError):
            consolidate(stage, FakeLearner(error=RuntimeError("boom")))
        consolidate(stage, FakeLearner())
        assert [run.outcome for run in state.runs.list()] == ["landed", "failed"]

    def test_no_draft_is_left_behind(self, stage, state, tmp_path):
        state.records.upsert(record())
        with pytest.raises(RuntimeError):
            consolidate(stage, FakeLearner(error=RuntimeError("boom")))
        consolidate(stage, FakeLearner())
        assert list((tmp_path / "drafts").iterdir()) == []


class TestInput:
    def test_a_learner_is_given_sessions_oldest_first_and_the_persons_notes_only(self, stage, memory, state):
        state.records.upsert(record("late", updated_at=datetime(2026, 11, 3, tzinfo=UTC)))
        state.records.upsert(record("early"))
        notes = {
            "extensions/ad_hoc/notes/a.md": render_note("mine", origin="human", created_at=AT),
            "extensions/ad_hoc/notes/b.md": render_note("its own", origin="model", created_at=AT),
        }
        memory.commit(notes, subject="notes", provenance=Provenance(writer=Writer.USER))
        learner = FakeLearner()
        consolidate(stage, learner)
        (task,) = learner.tasks
        assert [session.summary.session_id for session in task.sessions] == ["early", "late"]
        assert [note.text for note in task.notes] == ["mine"]

    def test_a_note_alone_is_new_input(self, stage, memory):
        note = render_note("mine", origin="human", created_at=AT)
        memory.commit({"extensions/ad_hoc/notes/a.md": note}, subject="n", provenance=Provenance(writer=Writer.USER))
        assert status(stage) is ConsolidationStatus.LANDED
        assert status(stage) is ConsolidationStatus.NO_NEW_INPUT

    def test_a_retired_record_takes_its_rollout_summary_along(self, stage, memory, state):
        """codex-A12"""
        state.records.upsert(record())
        state.records.upsert(record("s2"))
        consolidate(stage, FakeLearner())
        state.records.retire("s1", RetiredReason.FORGOTTEN)
        assert status(stage) is ConsolidationStatus.LANDED
        assert not memory.tree().has("rollout_summaries/2026-11-02T09-00-00-abcd-s1.md")
        assert "rule of s1" not in memory.tree().read(HANDBOOK_PATH)

    def test_a_session_that_another_process_learns_meanwhile_is_left_for_the_next_run(
        self, stage, state, memory, monkeypatch
    ):
        state.records.upsert(record())

        def select_later(*arguments, **options):
            state.records.upsert(record("s2"))
            return select(*arguments, **options)

        monkeypatch.setattr("vademecum.learning.consolidation.select", select_later)
        assert status(stage) is ConsolidationStatus.LANDED
        assert "rule of s2" not in memory.tree().read(HANDBOOK_PATH)
        assert status(stage) is ConsolidationStatus.LANDED
        assert "rule of s2" in memory.tree().read(HANDBOOK_PATH)

    def test_a_record_that_changed_while_a_run_worked_is_new_next_time(self, stage, state):
        state.records.upsert(record())
        learner = FakeLearner()
        writing = learner.consolidate

        def meanwhile(task, draft):
            state.records.upsert(record(updated_at=datetime(2026, 11, 4, tzinfo=UTC), raw_memory="more\n"))
            return writing(task, draft)

        learner.consolidate = meanwhile
        consolidate(stage, learner)
        assert [waiting.raw_memory for waiting in state.records.unconsolidated()] == ["more\n"]


class TestTheLastWord:
    def test_a_deleted_bullet_becomes_a_tombstone_in_state_and_archive(self, stage, memory, state):
        state.records.upsert(record())
        consolidate(stage, FakeLearner())
        text = "\n".join(line for line in memory.tree().read(HANDBOOK_PATH).split("\n") if KEY not in line)
        memory.commit({HANDBOOK_PATH: text}, subject="mine", provenance=Provenance(writer=Writer.USER))
        learner = FakeLearner()
        consolidate(stage, learner)
        (tombstone,) = state.tombstones.all()
        assert (tombstone.key, tombstone.scope, tombstone.text) == (KEY, "/srv/shop", "rule of s1")
        assert tombstone.reason is TombstoneReason.DELETED
        assert [removed.key for removed in learner.tasks[0].removed] == [KEY]
        assert KEY not in memory.tree().read(HANDBOOK_PATH)
        assert KEY in memory.tree().read(ARCHIVE_PATH)

    def test_a_learner_that_writes_it_all_the_same_is_overruled(self, stage, memory, state):
        self.test_a_deleted_bullet_becomes_a_tombstone_in_state_and_archive(stage, memory, state)
        state.records.upsert(record("s2"))
        consolidate(stage, FakeLearner())
        assert KEY not in memory.tree().read(HANDBOOK_PATH)

    def test_a_forgetting_run_is_no_deletion_by_a_person(self, stage, memory, state):
        state.records.upsert(record())
        state.records.upsert(record("s2"))
        consolidate(stage, FakeLearner())
        state.records.retire("s1", RetiredReason.UNUSED)
        consolidate(stage, FakeLearner())
        state.records.upsert(record("s3"))
        consolidate(stage, FakeLearner())
        assert state.tombstones.all() == []


class TestWhenItWasRemoved:
    """Only what is said after a removal may bring a bullet back, so the moment of the removal is kept."""

    EVIDENCE = "### Task 1: t\noutcome: success\n- [t1] rule/project 2026-11-02T09:00:00Z: rule of s1\n"

    @pytest.fixture
    def removed(self, stage, memory, state):
        """A person deletes the bullet; what the next run is told of it."""
        state.records.upsert(record(raw_memory=self.EVIDENCE))
        consolidate(stage, FakeLearner())
        text = "\n".join(line for line in memory.tree().read(HANDBOOK_PATH).split("\n") if KEY not in line)
        memory.commit({HANDBOOK_PATH: text}, subject="mine", provenance=Provenance(writer=Writer.USER))

        def run():
            consolidate(stage, FakeLearner())
            (tombstone,) = state.tombstones.all()
            return tombstone

        return run

    def test_it_is_the_moment_of_the_persons_commit_and_not_of_the_run(self, removed, memory):
        (commit, *_) = memory.log(HANDBOOK_PATH)
        assert removed().at == commit.at

    def test_the_newest_evidence_and_the_sources_of_the_bullet_stay_with_it(self, removed):
        tombstone = removed()
        assert (tombstone.evidence_at, tombstone.sources) == (AT, ("s1#t1",))
        assert tombstone.until == tombstone.at

    def test_where_a_clock_ran_ahead_what_was_said_then_brings_nothing_back(self, removed, state):
        late = datetime(2099, 1, 1, tzinfo=UTC)
        state.records.upsert(
            record(updated_at=late, raw_memory=self.EVIDENCE.replace("2026-11-02T09", "2099-01-01T00"))
        )
        assert removed().until == late

    def test_read_back_from_the_archive_it_is_the_end_of_that_day(self, removed, stage, memory, state):
        at = removed().at
        state.tombstones.remove(KEY)
        state.records.upsert(record("s2"))
        tombstone = removed()
        assert tombstone.at == at.replace(hour=23, minute=59, second=59, microsecond=999000)
        assert tombstone.sources == ("s1#t1",)
        archive = memory.tree().read(ARCHIVE_PATH)
        state.records.upsert(record("s3"))
        consolidate(stage, FakeLearner())
        assert memory.tree().read(ARCHIVE_PATH) == archive

    def test_what_came_back_is_said_when_it_landed(self, stage, state):
        state.records.upsert(record())
        learner = FakeLearner(came_back=("use pnpm",))
        assert consolidate(stage, learner).came_back == ("use pnpm",)
        assert consolidate(stage, learner).came_back == ()


class TestAdoption:
    """Rollout summaries rebuild records."""

    SUMMARY = RolloutSummary(
        session_id="s9",
        host="a-host",
        cwd="/srv/shop",
        branch="",
        started_at=AT,
        updated_at=AT,
        outcome="success",
        learner="fake",
        recap="recap",
        raw_memory="raw\n",
    )
    PATH = "rollout_summaries/2026-11-02T09-00-00-abcd-fix_build.md"

    def commit(self, memory, text):
        (memory.folder / self.PATH).parent.mkdir(exist_ok=True)
        (memory.folder / self.PATH).write_bytes(text)
        git(memory.folder, "add", "--all")
        git(memory.folder, "commit", "--quiet", "--no-verify", "-m", "x")

    def test_a_session_unknown_here_becomes_a_record_of_the_repository(self, memory, state):
        self.commit(memory, render_rollout_summary(self.SUMMARY).encode())
        assert adopt_rollout_summaries(memory, state, AT) == []
        (found,) = state.records.all()
        assert (found.session_id, found.slug, found.origin) == ("s9", "fix_build", "repository")
        assert found.stem == self.PATH.removeprefix("rollout_summaries/").removesuffix(".md")
        assert (found.rollout_summary, found.raw_memory) == ("recap\n", "raw\n")

    def test_one_of_an_older_version_takes_its_project_from_the_raw_memory(self, memory, state):
        older = render_rollout_summary(
            msgspec.structs.replace(self.SUMMARY, cwd="/srv/shop/src", raw_memory="---\ncwd: /srv/shop\n---\n")
        )
        self.commit(memory, older.replace('project: ""\n', "").encode())
        assert "project" not in older.replace('project: ""\n', "")
        adopt_rollout_summaries(memory, state, AT)
        assert state.records.get("s9").project == "/srv/shop"

    def test_a_session_known_here_stays_as_it_is(self, memory, state):
        state.records.upsert(record("s9", raw_memory="newer\n"))
        self.commit(memory, render_rollout_summary(self.SUMMARY).encode())
        adopt_rollout_summaries(memory, state, AT)
        assert state.records.get("s9").raw_memory == "newer\n"

    @pytest.mark.parametrize("text", [b"words\n", b"\xff\xfe\x00", b""])
    def test_a_file_that_no_record_can_rest_on_is_named(self, memory, state, text):
        self.commit(memory, text)
        (problem,) = adopt_rollout_summaries(memory, state, AT)
        assert self.PATH in problem
        assert state.records.all() == []
