import threading
from datetime import UTC, datetime

import pytest

from vademecum.errors import BusyError
from vademecum.learning.heartbeat import Lease, heartbeat
from vademecum.state import State

pytestmark = pytest.mark.timeout(20)
AT = datetime(2026, 11, 2, tzinfo=UTC)


@pytest.fixture
def lease(state):
    state.jobs.claim("k", "one", watermark=AT, worker="17@elsewhere:1", token="t", lease_seconds=60)
    return Lease(state.path, "t", lease_seconds=600, beat_seconds=0.01)


@pytest.fixture
def beats(monkeypatch):
    """Wait until so many beats were tried."""
    beaten = threading.Semaphore(0)
    renew = Lease._renew

    def counted(self):
        try:
            return renew(self)
        finally:
            beaten.release()

    monkeypatch.setattr(Lease, "_renew", counted)

    def wait_for(count):
        for _ in range(count):
            assert beaten.acquire(timeout=10)

    return wait_for


def test_the_lease_is_renewed_while_the_work_goes_on(state, lease, beats):
    """codex-W09"""
    before = state.jobs.get("k", "one").lease_until
    with heartbeat(lease):
        beats(2)
        assert (state.jobs.get("k", "one").lease_until - before).total_seconds() > 500
    assert not lease.is_lost


def test_work_whose_job_was_taken_over_is_told(state, lease, beats):
    """codex-A08"""
    with heartbeat(lease):
        beats(1)
        state.jobs.release("t")
        assert lease._lost.wait(10)
        assert lease.is_lost


def test_a_database_that_is_busy_once_costs_nothing(state, lease, beats, monkeypatch):
    """codex-R36"""
    opened = State.open
    answers = iter([BusyError("busy"), BusyError("busy")])

    def open_state(path):
        if error := next(answers, None):
            raise error
        return opened(path)

    monkeypatch.setattr(State, "open", open_state)
    with heartbeat(lease):
        beats(4)
        assert not lease.is_lost


def test_one_that_never_answers_ends_the_work_when_the_lease_has_run_out(state, monkeypatch):
    """codex-R37: nobody knows whose the job is then."""
    lease = Lease(state.path, "t", lease_seconds=0.05, beat_seconds=0.02)

    def refuse(_path):
        raise BusyError("busy")

    monkeypatch.setattr(State, "open", refuse)
    with heartbeat(lease):
        assert lease._lost.wait(10)


def test_no_beat_comes_after_the_work(state, lease):
    threads = threading.active_count()
    with heartbeat(lease):
        assert threading.active_count() == threads + 1
    assert threading.active_count() == threads
