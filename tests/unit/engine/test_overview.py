from datetime import UTC, datetime

import pytest

from vademecum.artifacts import session_hash
from vademecum.engine.overview import session_rows, usage_counts, visibility, waiting, which_are_listed
from vademecum.state import Record, RetiredReason, SessionMode, State

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)


@pytest.fixture
def state(tmp_path):
    with State.open(tmp_path / "state.db") as opened:
        yield opened


def add(state, session_id):
    state.records.upsert(
        Record(
            session_id=session_id,
            host="a-host",
            cwd="/srv/shop",
            branch=None,
            started_at=AT,
            updated_at=AT,
            outcome="success",
            slug="work",
            stem=session_id,
            raw_memory="raw",
            rollout_summary="recap",
            learner="fake",
            extracted_at=AT,
        )
    )


class TestVisibility:
    @pytest.mark.parametrize(
        "reason", [RetiredReason.FORGOTTEN, RetiredReason.DELETED, RetiredReason.DISABLED, RetiredReason.POLLUTED]
    )
    def test_what_a_person_took_out_is_hidden_from_search(self, state, reason):
        add(state, "s1")
        state.records.retire("s1", reason)
        assert visibility(state).hidden_sessions == {"s1"}

    def test_what_is_switched_off_is_hidden_from_search(self, state):
        state.modes.set("s1", SessionMode.DISABLED)
        assert visibility(state).hidden_sessions == {"s1"}

    def test_what_was_learned_although_text_from_outside_came_in_can_be_found(self, state):
        add(state, "s1")
        state.modes.set("s1", SessionMode.POLLUTED)
        assert visibility(state).hidden_sessions == frozenset()
        assert [row.mode for row in session_rows(state)] == [SessionMode.ENABLED]

    @pytest.mark.parametrize("reason", [RetiredReason.UNUSED, RetiredReason.NO_OUTPUT])
    def test_what_memory_let_go_by_itself_can_still_be_found(self, state, reason):
        add(state, "s1")
        state.records.retire("s1", reason)
        assert visibility(state).hidden_sessions == frozenset()


def test_every_session_has_a_row_that_says_how_it_stands(state):
    add(state, "s1")
    add(state, "s2")
    state.records.retire("s2", RetiredReason.UNUSED)
    state.modes.set("s1", SessionMode.DISABLED)
    rows = {row.id: (row.state, row.reason, row.mode) for row in session_rows(state)}
    assert rows == {"s1": ("active", "", "disabled"), "s2": ("retired", "unused", "enabled")}


def test_what_waits_is_counted_by_reason(state):
    assert waiting(state) == {}
    add(state, "s1")
    assert waiting(state) == {"to_consolidate": 1}


def test_nothing_is_used_before_it_was_cited(state):
    assert usage_counts(state) == {}


def test_what_the_archive_lists_as_forgotten_is_so_before_the_state_knows(state):
    add(state, "s1")
    add(state, "s2")
    rows = {row.id: (row.state, row.reason) for row in session_rows(state, {session_hash("s1")})}
    assert rows == {"s1": ("retired", "forgotten"), "s2": ("active", "")}
    listed = which_are_listed(["s1", "s2"], {session_hash("s1")})
    assert visibility(state, listed).hidden_sessions == {"s1"}
