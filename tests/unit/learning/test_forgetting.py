"""Forgetting, where learning is concerned."""

from datetime import timedelta

import msgspec
import pytest

from support.memfs import create
from vademecum.artifacts import (
    ARCHIVE_PATH,
    FORGOTTEN_WORDS,
    Forgotten,
    Removal,
    forgotten_hashes,
    forgotten_sessions,
    render_archive,
    session_hash,
    session_of,
    session_source,
)
from vademecum.artifacts import forgotten_session as entry
from vademecum.learning import Sources, follow_archive, forget_bullets, forget_sessions
from vademecum.learning.sources import session_spelled
from vademecum.memfs import Provenance, Writer
from vademecum.state import Record, RecordState, RetiredReason, SessionMode, Tombstone, TombstoneReason


@pytest.fixture
def record(state, now):
    """A record of session b, which said one thing."""
    made = Record(
        session_id="b",
        host="a-host",
        cwd="/srv/shop",
        branch=None,
        started_at=now,
        updated_at=now,
        outcome="success",
        slug="x",
        stem="stem-b",
        raw_memory="### Task 1: x\noutcome: success\n- [t1] rule/project 2026-11-02T10:00:00Z: use pnpm here\n",
        rollout_summary="recap\n",
        learner="fake/1",
        extracted_at=now,
    )
    state.records.upsert(made)
    return made


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


def stone(key, *sources, text="words", now=None):
    return Tombstone(key=key, scope="/srv/shop", text=text, reason=TombstoneReason.DELETED, at=now, sources=sources)


def test_a_forgotten_session_is_retired_switched_off_and_marked(state, record, now):
    forget_sessions(state, ["b"], now)
    kept = state.records.get("b")
    assert (kept.state, kept.retired_reason, kept.raw_memory) == (RecordState.RETIRED, RetiredReason.FORGOTTEN, "")
    assert state.modes.get("b") is SessionMode.DISABLED
    (mark,) = state.tombstones.all()
    assert session_hash("b") in mark.text
    assert mark.key != "b"


def test_the_day_on_which_a_session_was_forgotten_first_stays(state, record, now):
    """To forget it again changes no archive, so it makes no commit."""
    forget_sessions(state, ["b"], now)
    forget_sessions(state, ["b"], now + timedelta(days=3))
    assert [mark.at for mark in state.tombstones.all()] == [now]


def test_a_session_without_a_record_is_marked_as_well(state, now):
    forget_sessions(state, ["never learned"], now)
    assert state.modes.get("never learned") is SessionMode.DISABLED
    assert session_hash("never learned") in state.tombstones.all()[0].text


def test_a_bullet_that_goes_leaves_no_words(state, memory, now):
    said = Sources(state, memory.tree())
    forget_bullets(state, {"k1": "/srv/shop"}, Forgotten.of(sessions=["a"]), said, now)
    (mark,) = state.tombstones.all()
    assert (mark.key, mark.scope, mark.text, mark.sources) == ("k1", "/srv/shop", FORGOTTEN_WORDS, ())
    assert mark.reason is TombstoneReason.FORGOTTEN


def test_former_removals_lose_the_words_of_what_is_forgotten_and_no_others(state, memory, record, now):
    state.tombstones.add(
        [
            stone("alone", "a#t1", now=now),
            stone("theirs", "a#t1", "b#t1", text="use pnpm here", now=now),
            stone("mine", "a#t1", "b#t1", text="words of a", now=now),
            stone("other", "c#t1", now=now),
        ]
    )
    forget_bullets(state, {}, Forgotten.of(sessions=["a"]), Sources(state, memory.tree()), now)
    found = {one.key: (one.text, one.sources, one.reason) for one in state.tombstones.all()}
    deleted = TombstoneReason.DELETED
    assert found == {
        "alone": (FORGOTTEN_WORDS, (), deleted),
        "theirs": ("use pnpm here", ("b#t1",), deleted),
        "mine": (FORGOTTEN_WORDS, ("b#t1",), deleted),
        "other": ("words", ("c#t1",), deleted),
    }


def test_the_archive_of_a_revision_says_which_sessions_are_forgotten(memory):
    assert forgotten_sessions(memory.tree()) == frozenset()
    text = render_archive([entry("b", "2026-11-05")])
    memory.commit({"ARCHIVE.md": text}, subject="x", provenance=Provenance(writer=Writer.USER))
    assert forgotten_sessions(memory.tree()) == {session_hash("b")}
    assert forgotten_hashes([entry("b", "2026-11-05")]) == {session_hash("b")}


class TestSources:
    def test_a_statement_is_told_with_its_time(self, state, memory, record):
        said = Sources(state, memory.tree())
        assert said.words("b#t1") == "use pnpm here"
        assert said.said_at("b#t1").isoformat() == "2026-11-02T10:00:00+00:00"

    @pytest.mark.parametrize("name", ["a b", "a#b", "a<b>", "a_b"])
    def test_a_session_with_odd_characters_is_found_by_how_sources_spell_it(self, state, memory, record, name):
        for one in ("axb", name, "A_B"):
            state.records.upsert(msgspec.structs.replace(record, session_id=one, stem=f"stem-{one}"))
        source = session_source(name, 1)
        assert session_spelled(state, session_of(source)) == name
        assert Sources(state, memory.tree()).words(source) == "use pnpm here"

    @pytest.mark.parametrize("source", ["b#t9", "nobody#t1", "extensions/ad_hoc/notes/none.md", "odd"])
    def test_what_nobody_knows_is_none(self, state, memory, record, source):
        said = Sources(state, memory.tree())
        assert said.words(source) is None
        assert said.said_at(source) is None

    def test_a_note_is_told_by_what_stands_in_it(self, state, memory):
        path = "extensions/ad_hoc/notes/2026-11-02T09-00-00-a.md"
        text = "---\ndescription: x\ncreated_at: 2026-11-02T09:00:00Z\n---\nthe staging\ndatabase\n"
        memory.commit({path: text}, subject="x", provenance=Provenance(writer=Writer.USER))
        said = Sources(state, memory.tree())
        assert said.words(path) == "the staging database"
        assert said.said_at(path).isoformat() == "2026-11-02T09:00:00+00:00"


def archived(memory, *removals):
    memory.commit(
        {ARCHIVE_PATH: render_archive(removals)},
        subject="Forget a session",
        provenance=Provenance(writer=Writer.USER, origin="human"),
    )
    return memory.tree()


def test_what_the_archive_lists_is_forgotten_wherever_it_was_asked_for(state, memory, record, now):
    assert follow_archive(state, memory.tree(), now) == []
    tree = archived(memory, entry("b", "2026-11-02"), entry("unknown here", "2026-11-02"))
    assert follow_archive(state, tree, now) == ["b"]
    kept = state.records.get("b")
    assert (kept.retired_reason, kept.raw_memory) == (RetiredReason.FORGOTTEN, "")
    assert state.modes.get("b") is SessionMode.DISABLED
    before = state.tombstones.all()
    assert follow_archive(state, tree, now) == []
    assert state.tombstones.all() == before


def test_a_session_that_was_taken_for_deleted_is_forgotten_where_the_archive_says_so(state, memory, record, now):
    state.records.retire("b", RetiredReason.DELETED)
    follow_archive(state, archived(memory, entry("b", "2026-11-02")), now)
    assert state.records.get("b").retired_reason is RetiredReason.FORGOTTEN


def test_a_removal_that_lost_its_words_in_the_archive_loses_them_here(state, memory, now):
    state.tombstones.add([stone("0123456789", "b#t1", "c#t2", now=now), stone("9876543210", "b#t1", now=now)])
    listed = Removal(
        key="0123456789",
        scope="/srv/shop",
        text=FORGOTTEN_WORDS,
        reason="deleted",
        day=f"{now:%Y-%m-%d}",
        sources=("c#t2",),
    )
    follow_archive(state, archived(memory, listed), now)
    kept = {one.key: (one.text, one.sources) for one in state.tombstones.all()}
    assert kept["0123456789"] == (FORGOTTEN_WORDS, ("c#t2",))
    assert kept["9876543210"] == ("words", ("b#t1",))
