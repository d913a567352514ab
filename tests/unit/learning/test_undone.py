"""To a consolidation an undo is neither new input nor a hand edit: it is what a person decided."""

from datetime import UTC, datetime, timedelta

import pytest

from support.memfs import TOOL, create, learn
from vademecum.artifacts import (
    ARCHIVE_PATH,
    HANDBOOK_PATH,
    SUMMARY_PATH,
    Bullet,
    Removal,
    bullet_key,
    render_archive,
    render_bullet,
    render_rollout_summary,
)
from vademecum.learning.rollouts import rollout_path, summary_of
from vademecum.learning.sources import Sources
from vademecum.learning.undone import bury_undone, follow_undos, recent_undos, with_undos
from vademecum.memfs import Provenance, Writer, undo
from vademecum.state import Record, RecordState, RetiredReason, Tombstone, TombstoneReason

NOW = datetime.now(UTC).replace(microsecond=0)
BY_HAND = Provenance(writer=Writer.USER)


@pytest.fixture
def repository(tmp_path):
    return create(tmp_path)


def bullet(words):
    source = f"{words.replace(' ', '-')}#t1"
    return Bullet(text=words, key=bullet_key("/srv/shop", source), sources=(source,))


def handbook(*bullets, more=""):
    lines = "\n".join(map(render_bullet, bullets))
    return f"# Task Group: /srv/shop\nscope: x\n\n## User preferences\n{lines}\n{more}"


ONE, TWO, THREE = bullet("use pnpm"), bullet("use tabs"), bullet("no force push")


def write(repository, text, path=HANDBOOK_PATH, provenance=None):
    return repository.commit({path: text}, subject="write", provenance=provenance or learn())


def buried(state):
    return {tombstone.key: tombstone.reason for tombstone in state.tombstones.all()}


def bury(repository, state):
    tree = repository.tree()
    bury_undone(state, recent_undos(repository), tree, Sources(state, tree))


class TestWhichUndos:
    def test_those_since_the_last_consolidation_oldest_first(self, repository):
        write(repository, handbook(ONE))
        undo(repository, None)
        write(repository, handbook(TWO), provenance=learn("r2"))
        first, _ = write(repository, "mine\n", "notes.md", TOOL), write(repository, "too\n", "more.md", TOOL)
        undo(repository, first.id)
        undo(repository, None)
        assert [tuple(found.paths) for found in recent_undos(repository)] == [("notes.md",), ("more.md",)]

    def test_one_of_a_commit_that_a_rewritten_history_does_not_have_is_still_one(self, repository):
        made = write(repository, "mine\n", "notes.md", TOOL)
        gone = Provenance(writer=Writer.UNDO, origin="human", undoes=("a1" * 20,))
        write(repository, None, "notes.md", gone)
        (found,) = recent_undos(repository)
        assert (found.before.revision, found.of_a_person) == (made.id, frozenset())


class TestGeneratedFiles:
    def test_what_an_undo_did_is_no_hand_edit(self, repository):
        write(repository, handbook(ONE))
        write(repository, handbook(ONE, TWO), provenance=learn("r2"))
        undo(repository, None)
        ancestor = with_undos(repository, recent_undos(repository), {HANDBOOK_PATH: handbook(ONE, TWO)})
        assert ancestor == {HANDBOOK_PATH: handbook(ONE)}

    def test_what_a_person_did_beside_it_still_is_one(self, repository):
        write(repository, handbook(ONE))
        write(repository, handbook(ONE, TWO), provenance=learn("r2"))
        write(repository, handbook(ONE, TWO).replace("scope: x", "scope: mine"), provenance=BY_HAND)
        undo(repository, "r2")
        ancestor = with_undos(repository, recent_undos(repository), {HANDBOOK_PATH: handbook(ONE, TWO)})
        assert ancestor == {HANDBOOK_PATH: handbook(ONE)}
        assert repository.tree().read(HANDBOOK_PATH) == handbook(ONE).replace("scope: x", "scope: mine")

    def test_a_persons_lines_that_lost_their_marks_by_it_are_theirs_again(self, repository):
        marked = handbook(ONE, TWO, more="<!-- vade:yours -->\n- mine\n<!-- /vade:yours -->\n")
        write(repository, handbook(ONE, more="- mine\n"), provenance=BY_HAND)
        write(repository, marked)
        undo(repository, None)
        ancestor = with_undos(repository, recent_undos(repository), {HANDBOOK_PATH: marked})
        assert "- mine" in repository.tree().read(HANDBOOK_PATH)
        assert "- mine" not in ancestor[HANDBOOK_PATH]


class TestBullets:
    def test_what_went_stays_away_and_says_why(self, repository, state):
        write(repository, handbook(ONE))
        write(repository, handbook(ONE, TWO), provenance=learn("r2"))
        undo(repository, None)
        bury(repository, state)
        assert buried(state) == {TWO.key: TombstoneReason.UNDONE}
        (tombstone,) = state.tombstones.all()
        assert (tombstone.scope, tombstone.text, tombstone.sources) == ("/srv/shop", TWO.text, TWO.sources)
        assert tombstone.at == repository.log(limit=1)[0].at

    def test_a_file_that_is_gone_as_a_whole_was_taken_back_not_lost(self, repository, state):
        write(repository, handbook(ONE, TWO))
        undo(repository, None)
        bury(repository, state)
        assert buried(state).keys() == {ONE.key, TWO.key}

    def test_a_bullet_that_left_the_summary_only_is_still_known(self, repository, state):
        """The summary is a selection: what the handbook keeps was not taken back."""
        write(repository, handbook(ONE, TWO), provenance=TOOL)
        repository.commit(
            {HANDBOOK_PATH: handbook(ONE, TWO, THREE), SUMMARY_PATH: handbook(ONE, THREE)},
            subject="learn",
            provenance=learn(),
        )
        undo(repository, None)
        bury(repository, state)
        assert buried(state).keys() == {THREE.key}

    def test_an_undo_that_was_undone_buries_nothing(self, repository, state):
        write(repository, handbook(ONE))
        _, done = undo(repository, None)
        undo(repository, done.id)
        bury(repository, state)
        assert buried(state) == {}

    def removed(self, state, *bullets, reason=TombstoneReason.DELETED):
        state.tombstones.add(
            Tombstone(key=one.key, scope="", text=one.text, reason=reason, at=NOW, sources=one.sources)
            for one in bullets
        )

    def test_what_a_person_brings_back_is_buried_no_more(self, repository, state):
        write(repository, handbook(ONE, TWO))
        deleted = write(repository, handbook(ONE), provenance=BY_HAND)
        self.removed(state, TWO)
        undo(repository, deleted.id)
        bury(repository, state)
        assert buried(state) == {}

    def test_what_a_run_left_out_for_a_person_stays_buried_when_the_run_is_undone(self, repository, state):
        write(repository, handbook(ONE, TWO), provenance=TOOL)
        write(repository, handbook(ONE), provenance=learn())
        self.removed(state, TWO)
        undo(repository, None)
        bury(repository, state)
        assert buried(state).keys() == {TWO.key}

    def test_a_removal_that_is_undone_in_the_archive_is_lifted(self, repository, state):
        listed = Removal(key=TWO.key, scope="", text=TWO.text, reason="rejected", day="2026-11-05", sources=TWO.sources)
        write(repository, render_archive([listed]), ARCHIVE_PATH, TOOL)
        self.removed(state, TWO, reason=TombstoneReason.REJECTED)
        undo(repository, None)
        bury(repository, state)
        assert buried(state) == {}


class TestRecords:
    """Each record is what its rollout summary says, also when an undo changed that."""

    def record(self, **changes):
        values = {
            "session_id": "s1",
            "host": "a-host",
            "cwd": "/srv/shop",
            "project": "/srv/shop",
            "branch": None,
            "started_at": NOW - timedelta(hours=2),
            "updated_at": NOW - timedelta(hours=1),
            "outcome": "success",
            "slug": "work",
            "stem": "2026-11-02T09-00-00-abcd-work",
            "raw_memory": "raw\n",
            "rollout_summary": "recap\n",
            "learner": "fake/1",
            "extracted_at": NOW,
        }
        return Record(**values | changes)

    def land(self, repository, state, record):
        """A run that learned this version of the session."""
        state.records.upsert(record)
        text = render_rollout_summary(summary_of(record))
        write(repository, text, rollout_path(record.stem), learn(f"r{record.updated_at}".replace(" ", "")))
        state.records.mark_consolidated({record.session_id: record.updated_at})

    def follow(self, repository, state):
        follow_undos(state, recent_undos(repository), repository.tree())
        return state.records.get("s1")

    def test_one_whose_summary_went_is_retired_and_its_text_goes(self, repository, state):
        self.land(repository, state, self.record())
        undo(repository, None)
        found = self.follow(repository, state)
        assert (found.retired_reason, found.raw_memory) == (RetiredReason.DELETED, "")

    def test_one_whose_session_went_on_after_the_undo_stays_for_what_is_new(self, repository, state):
        self.land(repository, state, self.record())
        undo(repository, None)
        state.records.upsert(self.record(updated_at=NOW + timedelta(hours=1), raw_memory="more\n"))
        found = self.follow(repository, state)
        assert (found.state, found.raw_memory, found.consolidated_updated_at) == (RecordState.ACTIVE, "more\n", None)

    def test_one_whose_summary_came_back_is_there_again_and_waits(self, repository, state):
        self.land(repository, state, self.record())
        _, done = undo(repository, None)
        self.follow(repository, state)
        undo(repository, done.id)
        found = self.follow(repository, state)
        assert (found.state, found.raw_memory, found.consolidated_updated_at) == (RecordState.ACTIVE, "raw\n", None)

    def test_one_whose_newer_version_was_undone_is_the_older_one(self, repository, state):
        self.land(repository, state, self.record())
        self.land(repository, state, self.record(updated_at=NOW, raw_memory="newer\n"))
        undo(repository, None)
        assert self.follow(repository, state).raw_memory == "raw\n"

    def test_one_that_waits_with_something_newer_is_left_alone(self, repository, state):
        self.land(repository, state, self.record())
        self.land(repository, state, self.record(updated_at=NOW, raw_memory="newer\n"))
        undo(repository, None)
        state.records.upsert(self.record(updated_at=NOW + timedelta(hours=1), raw_memory="newest\n"))
        assert self.follow(repository, state).raw_memory == "newest\n"

    def test_a_forgotten_session_does_not_come_back(self, repository, state):
        self.land(repository, state, self.record())
        _, done = undo(repository, None)
        state.records.retire("s1", RetiredReason.FORGOTTEN)
        undo(repository, done.id)
        assert self.follow(repository, state).retired_reason is RetiredReason.FORGOTTEN
