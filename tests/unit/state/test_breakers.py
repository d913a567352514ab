from datetime import timedelta

import pytest

from vademecum.state import State, this_worker

MODEL = "openai:small"
ELSEWHERE = "17@elsewhere:1"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def refuse(state: State, morning):
    def call(*, minute: float = 0, retry_after: float | None = None):
        moment = morning + minute * MINUTE
        return state.breakers.refuse(MODEL, "quota", retry_after_seconds=retry_after, now=moment)

    return call


@pytest.fixture
def enter(state: State, morning):
    """Whether a worker may ask at this minute."""

    def call(minute: float, worker: str | None = None) -> bool:
        return state.breakers.enter(MODEL, worker=worker, now=morning + minute * MINUTE) is None

    return call


def test_a_model_that_never_refused_is_asked_freely(state, enter):
    assert enter(0)
    assert state.breakers.all() == []


def test_a_refusal_keeps_every_worker_away_until_the_wait_is_over(refuse, enter):
    """codex-B01"""
    refuse(retry_after=300)
    assert [enter(4.9), enter(4.9, ELSEWHERE), enter(5)] == [False, False, True]


def test_it_outlives_the_process(tmp_path, morning):
    """codex-X02"""
    with State.open(tmp_path / "kept.db") as state:
        state.breakers.refuse(MODEL, "quota", retry_after_seconds=60, now=morning)
    with State.open(tmp_path / "kept.db") as state:
        assert state.breakers.enter(MODEL, now=morning).open_until == morning + MINUTE


def test_one_model_stands_in_the_way_of_no_other(state, refuse, morning):
    refuse()
    assert state.breakers.enter("openai:large", now=morning) is None


class TestWait:
    """codex-X03: a limit of a minute costs a minute, and one that lasts costs more each time."""

    def test_the_server_s_word_counts(self, refuse, morning):
        assert refuse(retry_after=20).open_until == morning + timedelta(seconds=20)

    def test_a_wrong_header_stops_learning_for_a_day_at_most(self, refuse, morning):
        assert refuse(retry_after=10**9).open_until == morning + timedelta(hours=24)

    @pytest.mark.parametrize("nonsense", [-5, 0])
    def test_a_header_that_asks_for_nothing_is_no_leave_to_hammer(self, refuse, enter, nonsense):
        refuse(retry_after=nonsense)
        again = refuse(retry_after=nonsense)
        assert again.open_until > again.refused_at

    def test_without_one_it_doubles_with_every_refusal_up_to_some_hours(self, refuse):
        minute, waits = 0.0, []
        for _ in range(12):
            breaker = refuse(minute=minute)
            waits.append((breaker.open_until - breaker.refused_at) / MINUTE)
            minute += waits[-1]
        assert waits[:4] == [2, 4, 8, 16]
        assert waits[-1] == 360

    def test_requests_that_were_under_way_together_are_one_refusal(self, refuse):
        refuse()
        assert [refuse(minute=0.1).refusals, refuse(minute=0.2).refusals] == [1, 1]

    def test_a_second_refusal_never_shortens_the_wait(self, refuse, morning):
        refuse(retry_after=600)
        assert refuse(minute=1, retry_after=5).open_until == morning + 10 * MINUTE


class TestProbe:
    """codex-X03: after the wait one worker tries, the others wait for what comes of it."""

    def test_only_one_worker_tries(self, refuse, enter):
        refuse()
        assert [enter(3), enter(3, ELSEWHERE), enter(3)] == [True, False, True]

    def test_an_answer_lets_everybody_in(self, state, refuse, enter):
        refuse()
        enter(3)
        state.breakers.close(MODEL)
        assert enter(3, ELSEWHERE)
        assert state.breakers.all() == []

    def test_another_refusal_opens_it_for_longer(self, refuse, enter):
        refuse()
        enter(3)
        assert refuse(minute=3).refusals == 2
        assert [enter(6), enter(7)] == [False, True]

    def test_a_worker_that_died_over_it_holds_up_nobody(self, refuse, enter):
        refuse()
        pid, _, place = this_worker().partition("@")
        host, _, start = place.rpartition(":")
        assert enter(3, f"{pid}@{host}:{int(start) - 1}")
        assert enter(3)

    def test_one_that_hangs_holds_up_the_others_for_some_minutes(self, refuse, enter):
        refuse()
        assert [enter(3, ELSEWHERE), enter(12), enter(13)] == [True, False, True]


def test_a_clock_that_was_put_back_keeps_nobody_away(refuse, enter):
    """codex-X21"""
    refuse(minute=10_000)
    assert enter(0)
