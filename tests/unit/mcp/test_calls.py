"""Calls run beside each other, are cancelled, and come to their end."""

import threading

import pytest

from vademecum.mcp.calls import MAX_THREADS, Call, Calls

SECONDS = 3


class Held:
    """Work that waits until it is let go, and tells when it began."""

    def __init__(self):
        self.began, self.go, self.ended = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, _call):
        self.began.set()
        assert self.go.wait(SECONDS)
        self.ended.set()


@pytest.fixture
def calls():
    return Calls()


def test_a_call_is_known_until_it_is_at_its_end(calls):
    work = Held()
    calls.start(Call("a", work))
    assert work.began.wait(SECONDS)
    assert "a" in calls
    work.go.set()
    calls.finish(SECONDS)
    assert "a" not in calls


def test_an_id_is_free_as_soon_as_its_answer_is_on_its_way(calls):
    """Whoever has the answer may use the id again, however long the thread takes to its end."""
    first, second = Held(), Held()

    def answered(call):
        call.is_answered = True
        first(call)

    calls.start(Call("a", answered))
    assert first.began.wait(SECONDS)
    assert "a" not in calls
    calls.start(Call("a", second))
    first.go.set()
    assert second.began.wait(SECONDS)
    assert "a" in calls
    second.go.set()
    calls.finish(SECONDS)
    assert "a" not in calls


def test_calls_run_beside_each_other_and_more_wait_for_their_turn(calls):
    works = [Held() for _ in range(MAX_THREADS + 1)]
    for number, work in enumerate(works):
        calls.start(Call(number, work))
    *first, last = works
    assert all(work.began.wait(SECONDS) for work in first)
    assert not last.began.is_set()
    first[0].go.set()
    assert last.began.wait(SECONDS)
    for work in works:
        work.go.set()
    calls.finish(SECONDS)
    assert all(work.ended.is_set() for work in works)


def test_a_call_that_is_cancelled_before_its_turn_knows_it(calls):
    works = [Held() for _ in range(MAX_THREADS)]
    for number, work in enumerate(works):
        calls.start(Call(number, work))
    assert all(work.began.wait(SECONDS) for work in works)
    known = []
    calls.start(Call("late", lambda call: known.append(call.is_cancelled)))
    calls.cancel("late")
    for work in works:
        work.go.set()
    calls.finish(SECONDS)
    assert known == [True]


def test_a_call_that_is_cancelled_while_it_runs_goes_on_to_its_end(calls):
    """What it has begun to write is written whole."""
    work = Held()
    calls.start(Call("a", work))
    assert work.began.wait(SECONDS)
    assert calls.cancel("a").is_cancelled
    work.go.set()
    calls.finish(SECONDS)
    assert work.ended.is_set()


@pytest.mark.parametrize("identifier", ["b", 1, None, [], {}])
def test_cancelling_what_is_not_there_is_no_failure(calls, identifier):
    assert calls.cancel(identifier) is None


def test_waiting_for_the_end_has_an_end_itself(calls):
    work = Held()
    calls.start(Call("a", work))
    calls.finish(0.01)
    assert "a" in calls
    work.go.set()
    calls.finish(SECONDS)


def test_a_call_that_fails_leaves_its_thread_to_the_others(calls):
    def broken(_call):
        raise AssertionError

    for number in range(MAX_THREADS):
        calls.start(Call(number, broken))
    calls.finish(SECONDS)
    work = Held()
    work.go.set()
    calls.start(Call("after", work))
    assert work.ended.wait(SECONDS)
