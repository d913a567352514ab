from support.consolidating import record
from vademecum.artifacts import session_hash
from vademecum.engine.session_rows import session_rows
from vademecum.state import RetiredReason, SessionMode


def test_every_session_has_a_row_that_says_how_it_stands(state):
    state.records.upsert(record("s1"))
    state.records.upsert(record("s2"))
    state.records.retire("s2", RetiredReason.UNUSED)
    state.modes.set("s1", SessionMode.DISABLED)
    rows = {row.id: (row.state, row.reason, row.mode) for row in session_rows(state)}
    assert rows == {"s1": ("active", "", "disabled"), "s2": ("retired", "unused", "enabled")}


def test_what_was_learned_although_text_from_outside_came_in_counts_as_switched_on(state):
    state.records.upsert(record())
    state.modes.set("s1", SessionMode.POLLUTED)
    assert [row.mode for row in session_rows(state)] == [SessionMode.ENABLED]


def test_what_the_archive_lists_as_forgotten_is_so_before_the_state_knows(state):
    state.records.upsert(record("s1"))
    state.records.upsert(record("s2"))
    rows = {row.id: (row.state, row.reason) for row in session_rows(state, {session_hash("s1")})}
    assert rows == {"s1": ("retired", "forgotten"), "s2": ("active", "")}
