"""What was learned waits for a person: nothing is lost meanwhile, nothing spins, nothing piles up."""

import msgspec
import pytest

from support.consolidating import AT, HANDBOOK, KEY, SUMMARY, FakeLearner, record
from support.memfs import TOOL, git
from support.memfs import learn as by_learning
from vademecum.artifacts import (
    ARCHIVE_PATH,
    HANDBOOK_PATH,
    SUMMARY_PATH,
    Bullet,
    Removal,
    bullet_key,
    parse_archive,
    rejected_sessions,
    render_archive,
    render_bullet,
    render_note,
    session_hash,
)
from vademecum.errors import DirtyPath, MergeConflict
from vademecum.learners import Verdict
from vademecum.learning import ConsolidationStatus, Review, accept, consolidate, reject
from vademecum.learning.rollouts import rollout_path, rollout_text
from vademecum.memfs import Provenance, Repository, Writer, find_proposal, waiting_proposals
from vademecum.state import RecordState, RetiredReason, State, Tombstone, TombstoneReason

ROLLOUT = "rollout_summaries/2026-11-02T09-00-00-abcd-s1.md"
PERSON = Provenance(writer=Writer.USER, origin="human")


@pytest.fixture
def stage(stage):
    return msgspec.structs.replace(stage, review=Review.PROPOSE)


@pytest.fixture
def learner():
    return FakeLearner()


@pytest.fixture
def learn(stage, learner):
    return lambda: consolidate(stage, learner).status


@pytest.fixture
def proposed(state, learn, memory):
    """One session was learned and waits."""
    state.records.upsert(record())
    assert learn() is ConsolidationStatus.PROPOSED
    return only(memory)


def only(memory):
    (proposal,) = waiting_proposals(memory)
    return proposal


def accept_all(memory, state):
    proposal = only(memory)
    return accept(memory, state, proposal, proposal.commit.paths)


def waits(state):
    return [waiting.session_id for waiting in state.records.unconsolidated()]


class TestPresent:
    """A decision is made on what a person did until then."""

    def test_what_they_let_come_back_is_not_listed_again_by_rejecting_something_else(self, proposed, memory, state):
        text, reason = "use tabs", TombstoneReason.DELETED
        gone = Removal(key="0123456789", scope="", text=text, reason=reason.value, day="2026-11-02", sources=("s9#t1",))
        memory.commit({ARCHIVE_PATH: render_archive([gone])}, subject="learn", provenance=by_learning())
        state.tombstones.add([Tombstone(key=gone.key, scope="", text=text, reason=reason, at=AT)])
        memory.commit({ARCHIVE_PATH: render_archive([])}, subject="by hand", provenance=PERSON)
        reject(memory, state, proposed)
        assert gone.key not in {entry.key for entry in parse_archive(memory.tree().read(ARCHIVE_PATH))}
        assert gone.key not in {stone.key for stone in state.tombstones.all()}


class TestUndecided:
    """core-W26"""

    def test_everything_of_a_run_waits_as_one_proposal(self, proposed, memory, state):
        assert proposed.commit.paths == (HANDBOOK_PATH, SUMMARY_PATH, ROLLOUT)
        assert proposed.commit.provenance.writer is Writer.LEARN
        assert not memory.tree().has(HANDBOOK_PATH)
        assert state.runs.list()[0].outcome == "proposed"

    def test_the_same_input_calls_no_learner_again(self, proposed, learn, learner, memory):
        assert [learn() for _ in range(3)] == [ConsolidationStatus.NO_NEW_INPUT] * 3
        assert len(learner.tasks) == 1
        assert only(memory).id == proposed.id

    def test_its_sessions_are_not_taken_for_consolidated(self, proposed, state):
        assert waits(state) == ["s1"]

    def test_more_input_gives_one_proposal_with_all_of_it_in_the_place_of_the_older_one(
        self, proposed, learn, memory, state
    ):
        state.records.upsert(record("s2"))
        assert learn() is ConsolidationStatus.PROPOSED
        newer = only(memory)
        assert newer.id != proposed.id
        assert "rule of s1" in newer.tree.read(HANDBOOK_PATH)
        assert "rule of s2" in newer.tree.read(HANDBOOK_PATH)
        assert ROLLOUT in newer.commit.paths

    def test_a_persons_edit_meanwhile_is_new_input(self, proposed, learn, memory):
        memory.commit({"MEMORY.md": "- ask first\n"}, subject="mine", provenance=PERSON)
        assert learn() is ConsolidationStatus.PROPOSED
        assert "- ask first" in only(memory).tree.read(HANDBOOK_PATH)

    def test_an_edit_that_an_agent_proposed_is_not_replaced(self, memory, state, learn):
        written = Provenance(writer=Writer.MEMORY_TOOL, run="edit-1", origin="model")
        memory.keep_proposal(memory.tree(), {"system/human.md": b"x"}, subject="x", provenance=written)
        state.records.upsert(record())
        learn()
        assert {proposal.commit.provenance.writer for proposal in waiting_proposals(memory)} == {
            Writer.MEMORY_TOOL,
            Writer.LEARN,
        }

    def test_a_learner_that_has_nothing_to_say_leaves_the_older_proposal(self, proposed, stage, memory, state):
        learned = state.records.get("s1")
        landed = {rollout_path(learned.stem): rollout_text(learned), "log/x.md": "x\n"}
        memory.commit(landed, subject="x", provenance=PERSON)
        state.records.mark_consolidated({"s1": AT})
        outcome = consolidate(stage, FakeLearner(verdict=Verdict.NOTHING_TO_SAY))
        assert outcome.status is ConsolidationStatus.NO_CHANGES
        assert only(memory).id == proposed.id

    def test_a_lost_state_runs_once_more_and_loses_nothing(self, proposed, learn, memory, state, learner):
        state.inputs.keep(msgspec.structs.replace(state.inputs.last(), tree="gone"))
        assert [learn(), learn()] == [ConsolidationStatus.PROPOSED, ConsolidationStatus.NO_NEW_INPUT]
        assert only(memory).commit.paths == proposed.commit.paths


class TestAccepting:
    def test_it_lands_and_is_done_with(self, proposed, learn, learner, memory, state):
        accepted = accept_all(memory, state)
        assert accepted.commit.provenance == msgspec.structs.replace(proposed.commit.provenance, accepted="human")
        assert waits(state) == []
        assert learn() is ConsolidationStatus.NO_NEW_INPUT
        assert len(learner.tasks) == 1
        assert waiting_proposals(memory) == []

    def test_a_note_that_it_rests_on_is_no_new_input_either(self, memory, state, learn, learner):
        note = render_note("mine", origin="human", created_at=AT)
        memory.commit({"extensions/ad_hoc/notes/a.md": note}, subject="n", provenance=PERSON)
        state.records.upsert(record())
        learn()
        accept_all(memory, state)
        assert learn() is ConsolidationStatus.NO_NEW_INPUT
        assert len(learner.tasks) == 1

    def test_part_of_it_may_be_taken_and_the_rest_later(self, proposed, learn, memory, state):
        (rollout,) = (path for path in proposed.commit.paths if path.startswith("rollout_summaries/"))
        accept(memory, state, proposed, [rollout])
        assert sorted(only(memory).commit.paths) == [HANDBOOK_PATH, SUMMARY_PATH]
        assert learn() is ConsolidationStatus.NO_NEW_INPUT
        accept_all(memory, state)
        assert (waits(state), learn()) == ([], ConsolidationStatus.NO_NEW_INPUT)

    @pytest.mark.parametrize("path", [HANDBOOK_PATH, SUMMARY_PATH])
    def test_handbook_and_summary_are_taken_together_with_what_they_rest_on(self, proposed, memory, state, path):
        """One is for search, one for the context, and both say the same."""
        accepted = accept(memory, state, proposed, [path])
        assert sorted(accepted.taken) == sorted(proposed.commit.paths)
        assert waiting_proposals(memory) == []
        assert waits(state) == []

    def test_its_lines_are_not_taken_for_a_persons(self, proposed, learn, memory, state):
        """What was accepted is generated: the next run may render it anew, and keeps a person's changes of it."""
        accept_all(memory, state)
        edited = memory.tree().read(HANDBOOK_PATH).replace("rule of s1", "my words")
        memory.commit({HANDBOOK_PATH: edited}, subject="mine", provenance=PERSON)
        state.records.upsert(record("s2"))
        learn()
        accept_all(memory, state)
        handbook = memory.tree().read(HANDBOOK_PATH)
        assert "- my words <!-- vade:" in handbook
        assert "vade:yours" not in handbook

    def test_a_session_that_grew_meanwhile_still_waits(self, proposed, memory, state, learn):
        later = AT.replace(day=3)
        state.records.upsert(record(updated_at=later, raw_memory="more\n"))
        accept_all(memory, state)
        assert waits(state) == ["s1"]
        assert learn() is ConsolidationStatus.PROPOSED

    def test_a_retired_session_goes_with_its_rollout_summary(self, proposed, memory, state, learn):
        accept_all(memory, state)
        state.records.retire("s1", RetiredReason.FORGOTTEN)
        assert learn() is ConsolidationStatus.PROPOSED
        accept_all(memory, state)
        assert not memory.tree().has(ROLLOUT)
        assert waits(state) == []

    def test_what_does_not_fit_stays_and_a_later_run_brings_it_with_the_persons_words(
        self, proposed, learn, memory, state
    ):
        memory.commit({HANDBOOK_PATH: "# mine\n- ask first\n"}, subject="mine", provenance=PERSON)
        accepted = accept_all(memory, state)
        assert accepted.conflicts == (HANDBOOK_PATH,)
        with pytest.raises(MergeConflict):
            accept_all(memory, state)
        assert learn() is ConsolidationStatus.PROPOSED
        accept_all(memory, state)
        handbook = memory.tree().read(HANDBOOK_PATH)
        assert "rule of s1" in handbook
        assert "- ask first" in handbook

    @pytest.mark.parametrize("step", ["overlay", "move_baseline", "drop_proposal"])
    def test_a_process_that_is_killed_on_the_way_is_completed_by_the_same_call(
        self, proposed, learn, memory, state, monkeypatch, step
    ):
        self.kill(memory, state, monkeypatch, step)
        assert only(memory).id == proposed.id
        assert accept_all(memory, state).commit is None
        assert (waits(state), waiting_proposals(memory)) == ([], [])
        state.records.upsert(record("s2"))
        learn()
        assert "vade:yours" not in only(memory).tree.read(HANDBOOK_PATH)

    @pytest.mark.parametrize("step", ["overlay", "move_baseline", "drop_proposal"])
    def test_or_by_the_next_consolidation(self, proposed, learn, memory, state, monkeypatch, step):
        self.kill(memory, state, monkeypatch, step)
        state.records.upsert(record("s2"))
        assert learn() is ConsolidationStatus.PROPOSED
        newer = only(memory)
        assert newer.id != proposed.id
        assert ROLLOUT not in newer.commit.paths
        assert "vade:yours" not in newer.tree.read(HANDBOOK_PATH)

    def kill(self, memory, state, monkeypatch, step):
        def die(*_arguments, **_options):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Repository, step, die)
            with pytest.raises(KeyboardInterrupt):
                accept_all(memory, state)
        assert memory.tree().has(HANDBOOK_PATH)


class TestRejecting:
    def test_its_bullets_stay_away_and_the_archive_says_so(self, proposed, learn, memory, state):
        commit = reject(memory, state, proposed)
        assert (commit.subject, commit.paths) == ("Reject: Learn from 1 session", (ARCHIVE_PATH,))
        assert (commit.provenance.run, commit.provenance.origin) == (proposed.id, "human")
        (tombstone,) = state.tombstones.all()
        assert (tombstone.key, tombstone.scope, tombstone.reason) == (KEY, "/srv/shop", TombstoneReason.REJECTED)
        assert [item.reason for item in parse_archive(memory.tree().read(ARCHIVE_PATH))] == ["rejected", "rejected"]
        assert waiting_proposals(memory) == []

    def test_the_same_input_calls_no_learner_again(self, proposed, learn, learner, memory, state):
        reject(memory, state, proposed)
        assert [learn() for _ in range(3)] == [ConsolidationStatus.NO_NEW_INPUT] * 3
        assert len(learner.tasks) == 1

    def test_its_sessions_are_left_out_and_no_later_run_brings_them(self, proposed, learn, memory, state):
        reject(memory, state, proposed)
        assert state.records.get("s1").retired_reason is RetiredReason.REJECTED
        assert waits(state) == []
        state.records.upsert(record("s2"))
        assert learn() is ConsolidationStatus.PROPOSED
        assert ROLLOUT not in only(memory).commit.paths

    def test_a_session_that_goes_on_comes_again_and_the_same_of_it_does_not(self, proposed, memory, state):
        reject(memory, state, proposed)
        assert not state.records.upsert(record(raw_memory="read anew\n"))
        assert state.records.upsert(record(updated_at=AT.replace(day=3), raw_memory="more\n"))
        assert waits(state) == ["s1"]

    def test_a_session_that_went_on_before_it_still_waits(self, proposed, memory, state):
        state.records.upsert(record(updated_at=AT.replace(day=3), raw_memory="more\n"))
        reject(memory, state, proposed)
        assert waits(state) == ["s1"]

    def test_a_session_that_is_in_memory_stays_as_it_was_there(self, proposed, learn, memory, state):
        accept_all(memory, state)
        state.records.upsert(record(updated_at=AT.replace(day=3), raw_memory="more\n"))
        learn()
        reject(memory, state, only(memory))
        known = state.records.get("s1")
        assert (known.state, known.raw_memory.strip(), known.updated_at) == (RecordState.ACTIVE, "raw", AT)
        assert waits(state) == []

    def test_a_note_that_stands_is_not_rejected_by_it(self, stage, memory, state):
        path = "extensions/ad_hoc/notes/a.md"
        note = render_note("mine", origin="human", created_at=AT)
        memory.commit({path: note}, subject="n", provenance=PERSON)
        said = Bullet(text="mine [note]", key=bullet_key("/srv/shop", path), sources=(path,))
        files = {HANDBOOK_PATH: HANDBOOK.format(render_bullet(said)), SUMMARY_PATH: SUMMARY}
        consolidate(stage, FakeLearner(files=files))
        reject(memory, state, only(memory))
        assert state.tombstones.all() == []

    def test_the_next_run_goes_without_what_was_rejected(self, proposed, learn, learner, memory, state):
        reject(memory, state, proposed)
        state.records.upsert(record("s2"))
        assert learn() is ConsolidationStatus.PROPOSED
        assert [removed.key for removed in learner.tasks[-1].removed] == [KEY]
        handbook = only(memory).tree.read(HANDBOOK_PATH)
        assert KEY not in handbook
        assert bullet_key("/srv/shop", "s2#t1") in handbook
        accept_all(memory, state)
        assert waits(state) == []

    def test_it_survives_a_lost_database(self, proposed, learn, memory, state):
        reject(memory, state, proposed)
        state.tombstones.remove(KEY)
        state.records.upsert(record("s2"))
        learn()
        assert KEY not in only(memory).tree.read(HANDBOOK_PATH)

    def test_a_bullet_that_is_in_memory_already_is_not_removed_by_it(self, proposed, learn, memory, state):
        accept_all(memory, state)
        state.records.upsert(record("s2"))
        learn()
        reject(memory, state, only(memory))
        assert [tombstone.key for tombstone in state.tombstones.all()] == [bullet_key("/srv/shop", "s2#t1")]
        assert KEY in memory.tree().read(HANDBOOK_PATH)

    def test_taking_its_entry_out_of_the_archive_lets_a_bullet_come_back(self, proposed, learn, memory, state):
        reject(memory, state, proposed)
        archive = memory.tree().read(ARCHIVE_PATH)
        without = "".join(line for line in archive.splitlines(keepends=True) if KEY not in line)
        memory.commit({ARCHIVE_PATH: without}, subject="let it come", provenance=PERSON)
        assert learn() is ConsolidationStatus.PROPOSED
        assert KEY in only(memory).tree.read(HANDBOOK_PATH)

    def test_its_sessions_are_listed_up_to_the_moment_that_it_told_of(self, proposed, memory, state):
        reject(memory, state, proposed)
        assert rejected_sessions(memory.tree()) == {session_hash("s1"): AT}

    def test_a_session_that_went_on_or_is_in_memory_is_not_listed(self, proposed, learn, memory, state):
        (rollout,) = (path for path in proposed.commit.paths if path.startswith("rollout_summaries/"))
        accept(memory, state, proposed, [rollout])
        state.records.upsert(record("s2"))
        learn()
        state.records.upsert(record("s2", updated_at=AT.replace(day=3), raw_memory="more\n"))
        reject(memory, state, only(memory))
        assert rejected_sessions(memory.tree()) == {}

    def test_what_was_rejected_of_a_session_that_is_in_memory_is_listed(self, proposed, learn, memory, state):
        accept_all(memory, state)
        later = AT.replace(day=3)
        state.records.upsert(record(updated_at=later, raw_memory="more\n"))
        learn()
        reject(memory, state, only(memory))
        assert rejected_sessions(memory.tree()) == {session_hash("s1"): later}

    def test_without_a_record_its_sessions_are_listed_all_the_same(self, proposed, memory, state, tmp_path):
        with State.open(tmp_path / "another.db") as lost:
            reject(memory, lost, proposed)
        assert rejected_sessions(memory.tree()) == {session_hash("s1"): AT}

    @pytest.mark.parametrize("line", [KEY, "rejected: session "])
    def test_a_line_that_a_person_takes_out_lets_the_session_come_back(self, proposed, learn, memory, state, line):
        reject(memory, state, proposed)
        archive = memory.tree().read(ARCHIVE_PATH)
        without = "".join(one for one in archive.splitlines(keepends=True) if line not in one)
        memory.commit({ARCHIVE_PATH: without}, subject="let it come", provenance=PERSON)
        assert learn() is ConsolidationStatus.PROPOSED
        assert ROLLOUT in only(memory).commit.paths
        accept_all(memory, state)
        assert rejected_sessions(memory.tree()) == {}

    def test_a_later_consolidation_keeps_the_list_as_it_is(self, proposed, learn, memory, state):
        reject(memory, state, proposed)
        archive = memory.tree().read(ARCHIVE_PATH)
        state.records.upsert(record("s2"))
        learn()
        assert ARCHIVE_PATH not in only(memory).commit.paths
        accept_all(memory, state)
        assert memory.tree().read(ARCHIVE_PATH) == archive

    def test_a_session_that_went_on_is_no_longer_listed_once_it_is_in_memory(self, proposed, learn, memory, state):
        reject(memory, state, proposed)
        state.records.upsert(record(updated_at=AT.replace(day=3), raw_memory="more\n"))
        learn()
        accept_all(memory, state)
        assert rejected_sessions(memory.tree()) == {}
        assert "rule of s1" in memory.tree().read(ARCHIVE_PATH)

    def test_where_the_archive_cannot_be_written_nothing_is_rejected(self, proposed, memory, state):
        (memory.folder / ARCHIVE_PATH).write_text("a hand edit")
        with pytest.raises(DirtyPath):
            reject(memory, state, proposed)
        assert (state.tombstones.all(), only(memory).id) == ([], proposed.id)
        (memory.folder / ARCHIVE_PATH).unlink()
        assert reject(memory, state, proposed).paths == (ARCHIVE_PATH,)

    def test_a_person_who_commits_meanwhile_loses_nothing(self, proposed, memory, state, monkeypatch):
        mine = "# Archive\n- my own line\n"
        commit = Repository.commit

        def after_the_person(self, *arguments, **options):
            monkeypatch.setattr(Repository, "commit", commit)
            (memory.folder / ARCHIVE_PATH).write_text(mine)
            git(memory.folder, "add", ARCHIVE_PATH)
            git(memory.folder, "commit", "-qm", "mine")
            return commit(self, *arguments, **options)

        monkeypatch.setattr(Repository, "commit", after_the_person)
        reject(memory, state, proposed)
        assert "- my own line" in memory.tree().read(ARCHIVE_PATH)
        assert KEY in memory.tree().read(ARCHIVE_PATH)

    def test_rejecting_again_after_a_kill_gives_the_same(self, proposed, memory, state, monkeypatch):
        def die(*_arguments):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Repository, "drop_proposal", die)
            with pytest.raises(KeyboardInterrupt):
                reject(memory, state, proposed)
        archive = memory.tree().read(ARCHIVE_PATH)
        assert reject(memory, state, only(memory)) is None
        assert memory.tree().read(ARCHIVE_PATH) == archive
        assert waiting_proposals(memory) == []


class TestConflicts:
    """Without review, only what conflicts with a person's commit made during the run waits."""

    @pytest.fixture
    def stage(self, stage):
        return msgspec.structs.replace(stage, review=Review.AUTO)

    @pytest.fixture
    def learner(self, memory):
        """While it works, a person commits a handbook of their own."""
        learner = FakeLearner()
        writing = learner.consolidate

        def meanwhile(task, draft):
            learner.consolidate = writing
            memory.commit({HANDBOOK_PATH: "# mine\n- ask first\n"}, subject="mine", provenance=PERSON)
            return writing(task, draft)

        learner.consolidate = meanwhile
        return learner

    def test_the_rest_lands_and_the_next_run_brings_both_together(self, state, memory, learn):
        """core-W42: nothing that was learned is lost, and nothing that the person wrote."""
        state.records.upsert(record())
        assert learn() is ConsolidationStatus.LANDED
        assert only(memory).commit.paths == (HANDBOOK_PATH,)
        assert waits(state) == ["s1"]
        assert learn() is ConsolidationStatus.LANDED
        handbook = memory.tree().read(HANDBOOK_PATH)
        assert "rule of s1" in handbook
        assert "- ask first" in handbook
        assert waiting_proposals(memory) == []
        assert (waits(state), learn()) == ([], ConsolidationStatus.NO_NEW_INPUT)

    def test_a_hand_edit_before_the_run_is_still_a_persons_after_a_conflict(self, state, memory, stage):
        state.records.upsert(record())
        consolidate(stage, FakeLearner())
        mine = memory.tree().read(HANDBOOK_PATH) + "- my line\n"
        memory.commit({HANDBOOK_PATH: mine}, subject="mine", provenance=PERSON)
        state.records.upsert(record("s2"))
        learner = FakeLearner()
        writing = learner.consolidate

        def meanwhile(task, draft):
            changed = memory.tree().read(HANDBOOK_PATH).replace("rule of s1", "my words")
            memory.commit({HANDBOOK_PATH: changed}, subject="mine again", provenance=PERSON)
            return writing(task, draft)

        learner.consolidate = meanwhile
        consolidate(stage, learner)
        consolidate(stage, FakeLearner())
        handbook = memory.tree().read(HANDBOOK_PATH)
        for words in ("- my line", "- my words", "rule of s2"):
            assert words in handbook

    def test_a_hand_edit_that_cannot_be_adopted_does_not_make_it_spin(self, state, memory, stage):
        state.records.upsert(record())
        learner = FakeLearner()
        writing = learner.consolidate

        def meanwhile(task, draft):
            (memory.folder / HANDBOOK_PATH).write_text("<<<<<<< not resolved\n")
            return writing(task, draft)

        learner.consolidate = meanwhile
        assert consolidate(stage, learner).status is ConsolidationStatus.LANDED
        learner.consolidate = writing
        assert [consolidate(stage, learner).status for _ in range(3)] == [ConsolidationStatus.NO_NEW_INPUT] * 3
        assert only(memory).commit.paths == (HANDBOOK_PATH,)
        assert git(memory.folder, "status", "--porcelain") == "?? MEMORY.md\n"
        (memory.folder / HANDBOOK_PATH).unlink()
        assert accept_all(memory, state).conflicts == ()
        assert "rule of s1" in memory.tree().read(HANDBOOK_PATH)

    def test_rejecting_what_is_left_of_a_run(self, state, memory, learn):
        state.records.upsert(record())
        learn()
        reject(memory, state, find_proposal(memory, only(memory).id))
        assert memory.tree().read(SUMMARY_PATH)
        assert waits(state) == []
        memory.commit({"log/x.md": "x\n"}, subject="x", provenance=TOOL)
        learn()
        assert KEY not in memory.tree().read(HANDBOOK_PATH)
