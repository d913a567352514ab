import pytest

from support.consolidating import record
from vademecum.artifacts import session_hash
from vademecum.engine.hiding import visibility, which_are_listed
from vademecum.state import RetiredReason, SessionMode


@pytest.mark.parametrize(
    "reason", [RetiredReason.FORGOTTEN, RetiredReason.DELETED, RetiredReason.DISABLED, RetiredReason.POLLUTED]
)
def test_what_a_person_took_out_is_hidden_from_search(state, reason):
    state.records.upsert(record())
    state.records.retire("s1", reason)
    assert visibility(state).hidden_sessions == {"s1"}


def test_what_is_switched_off_is_hidden_from_search(state):
    state.modes.set("s1", SessionMode.DISABLED)
    assert visibility(state).hidden_sessions == {"s1"}


def test_what_was_learned_although_text_from_outside_came_in_can_be_found(state):
    state.records.upsert(record())
    state.modes.set("s1", SessionMode.POLLUTED)
    assert visibility(state).hidden_sessions == frozenset()


@pytest.mark.parametrize("reason", [RetiredReason.UNUSED, RetiredReason.NO_OUTPUT])
def test_what_memory_let_go_by_itself_can_still_be_found(state, reason):
    state.records.upsert(record())
    state.records.retire("s1", reason)
    assert visibility(state).hidden_sessions == frozenset()


def test_what_the_archive_lists_is_hidden_before_the_state_knows(state):
    state.records.upsert(record("s1"))
    state.records.upsert(record("s2"))
    listed = which_are_listed(["s1", "s2"], {session_hash("s1")})
    assert visibility(state, listed).hidden_sessions == {"s1"}
