from datetime import timedelta

import msgspec
import pytest

from vademecum.artifacts import session_hash
from vademecum.learning import Skip, Window
from vademecum.learning.eligibility import why_not
from vademecum.sessions import Exclusion, Message, Role, ToolCall
from vademecum.state import SessionMode


def test_a_finished_session_with_a_persons_words_may_be_learned(compose, window):
    assert why_not(compose(), None, window) is None
    assert why_not(compose(), SessionMode.ENABLED, window) is None


@pytest.mark.parametrize("reason", Exclusion)
def test_what_a_reader_excludes_stays_out_and_the_reason_is_counted(compose, window, reason):
    assert why_not(compose(exclusion=reason), None, window) == reason


def test_a_session_that_is_switched_off_stays_out(compose, window):
    assert why_not(compose(), SessionMode.DISABLED, window) is Skip.MODE_OFF
    listed = msgspec.structs.replace(window, switched_off=frozenset({session_hash("s1")}))
    for mode in (None, SessionMode.ENABLED):
        assert why_not(compose(), mode, listed) is Skip.MODE_OFF


def test_a_session_that_was_rejected_stays_out_until_it_goes_on(compose, window):
    session = compose()
    told = session.updated_at.replace(microsecond=0)
    listed = msgspec.structs.replace(window, rejected={session_hash("s1"): told})
    for later, reason in ((0, Skip.REJECTED), (0.999, Skip.REJECTED), (1, None)):
        moved = msgspec.structs.replace(session, updated_at=told + timedelta(seconds=later))
        assert why_not(moved, SessionMode.ENABLED, listed) is reason


class TestAfterAReset:
    @pytest.fixture
    def since(self, window, now):
        return msgspec.structs.replace(window, began_anew_at=now - timedelta(hours=24))

    def test_what_ended_by_then_stays_out_and_what_went_on_does_not(self, compose, since):
        assert why_not(compose(hours_ago=24), None, since) is Skip.BEFORE_RESET
        assert why_not(compose(hours_ago=23.9), None, since) is None

    def test_a_mode_that_was_set_before_it_lets_nothing_in(self, compose, since):
        assert why_not(compose(hours_ago=24), SessionMode.ENABLED, since) is Skip.BEFORE_RESET

    def test_what_a_person_took_in_since_comes_in(self, compose, since):
        taken = msgspec.structs.replace(since, taken_in=frozenset({session_hash("s1")}))
        assert why_not(compose(hours_ago=24), None, taken) is None


def test_text_from_outside_keeps_a_session_out_only_where_the_setting_says_so(compose, window):
    shuns = msgspec.structs.replace(window, shuns_external=True)
    assert why_not(compose(), SessionMode.POLLUTED, window) is None
    assert why_not(compose(), SessionMode.POLLUTED, shuns) is Skip.POLLUTED
    assert why_not(compose(), None, shuns) is None


def test_what_a_person_decided_stands_above_what_was_found_in_a_session(compose, window):
    fetched = ToolCall(id="c1", name="WebFetch", input="{}", is_external=True)
    session = compose()
    session = msgspec.structs.replace(
        session,
        messages=(*session.messages, Message(id="m9", index=9, role=Role.FINAL, text="", tool_calls=(fetched,))),
    )
    shuns = msgspec.structs.replace(window, shuns_external=True)
    assert why_not(session, None, shuns) is Skip.POLLUTED
    assert why_not(session, SessionMode.ENABLED, shuns) is None


def test_a_session_in_which_nobody_spoke_teaches_nothing(compose, window):
    silent = compose((Role.FINAL, "always use pnpm"), (Role.TOOL, "ok"), (Role.HOST, "be good"))
    assert why_not(silent, None, window) is Skip.NO_HUMAN_WORDS


class TestTime:
    def test_it_must_have_been_quiet_long_enough(self, compose, window):
        assert why_not(compose(hours_ago=5.9), None, window) is Skip.TOO_RECENT
        assert why_not(compose(hours_ago=6), None, window) is None

    def test_a_person_who_says_now_does_not_wait(self, compose, now):
        at_once = Window(now=now, idle=timedelta(0), age=None)
        assert why_not(compose(hours_ago=0), None, at_once) is None

    def test_it_must_be_recent_enough_unless_all_are_asked_for(self, compose, window, now):
        assert why_not(compose(hours_ago=91 * 24), None, window) is Skip.TOO_OLD
        assert why_not(compose(hours_ago=91 * 24), None, Window(now=now, idle=timedelta(0), age=None)) is None

    def test_a_clock_that_ran_ahead_counts_as_now(self, compose, now):
        assert why_not(compose(hours_ago=-40), None, Window(now=now, idle=timedelta(0), age=timedelta(days=1))) is None
