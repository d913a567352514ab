import pytest

from vademecum.state import SessionMode, State


def test_the_first_stamp_holds(state: State):
    assert state.modes.stamp("s1", SessionMode.DISABLED) is SessionMode.DISABLED
    assert state.modes.stamp("s1", SessionMode.ENABLED) is SessionMode.DISABLED


@pytest.mark.parametrize("mode", SessionMode)
def test_a_decision_overrides_whatever_it_was(state: State, mode: SessionMode):
    state.modes.stamp("s1", SessionMode.POLLUTED)
    state.modes.set("s1", mode)
    assert state.modes.get("s1") is mode


def test_a_session_that_was_never_seen_has_no_mode(state: State):
    assert state.modes.get("s1") is None


def test_sessions_are_found_by_mode(state: State):
    state.modes.set("a", SessionMode.DISABLED)
    state.modes.set("b", SessionMode.ENABLED)
    assert state.modes.sessions(SessionMode.DISABLED) == {"a"}
