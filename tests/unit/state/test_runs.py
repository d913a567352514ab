from datetime import timedelta

import pytest

from vademecum.errors import NotFound
from vademecum.state import INTERRUPTED, ModelRequest, RunKind, State, this_worker


def test_a_run_is_open_until_it_is_finished(state: State, morning):
    run_id = state.runs.start(RunKind.EXTRACTION, "extractive/1", now=morning)
    run = state.runs.get(run_id)
    assert (run.outcome, run.finished_at, run.seconds) == (None, None, None)
    state.requests.note(ModelRequest(run=run_id, model="m", tokens_in=10, tokens_out=2, cost_usd=0.5, at=morning))
    detail = {"skipped_mode_off": 3}
    state.runs.finish(run_id, "landed", detail=detail, now=morning + timedelta(seconds=2))
    run = state.runs.get(run_id)
    assert (run.outcome, run.seconds, run.tokens_in, run.cost_usd, run.detail) == ("landed", 2.0, 10, 0.5, detail)


def test_the_first_ending_of_a_run_holds(state: State):
    run_id = state.runs.start(RunKind.SYNC, "")
    state.runs.finish(run_id, "failed", error="no network")
    state.runs.finish(run_id, "landed")
    assert (state.runs.get(run_id).outcome, state.runs.get(run_id).error) == ("failed", "no network")


def test_the_ledger_is_read_newest_first(state: State, morning):
    ids = [state.runs.start(RunKind.IMPORT, "", now=morning + timedelta(seconds=second)) for second in range(3)]
    assert [run.id for run in state.runs.list()] == ids[::-1]
    assert [run.id for run in state.runs.list(limit=1)] == ids[-1:]


def test_runs_of_one_moment_get_ids_of_their_own_and_those_of_one_second_keep_their_order(state: State, morning):
    ids = [state.runs.start(RunKind.IMPORT, "", now=morning + timedelta(microseconds=n)) for n in range(40)]
    assert ids == sorted(set(ids))
    assert [run.id for run in state.runs.list(limit=40)] == ids[::-1]


def test_an_id_that_is_taken_is_drawn_again(state: State, morning, monkeypatch):
    drawn = iter(["a", "a", "a", "b"])
    monkeypatch.setattr("vademecum.state.runs.new_run_id", lambda _: next(drawn))
    assert [state.runs.start(RunKind.IMPORT, "", now=morning) for _ in range(2)] == ["a", "b"]


def test_a_run_whose_process_died_is_shown_as_interrupted(state: State):
    pid, _, place = this_worker().partition("@")
    host, _, start = place.rpartition(":")
    dead = state.runs.start(RunKind.EXTRACTION, "", worker=f"{pid}@{host}:{int(start) - 1}")
    living = state.runs.start(RunKind.EXTRACTION, "")
    assert state.runs.get(dead).outcome == INTERRUPTED
    assert state.runs.get(living).outcome is None


def test_an_unknown_run_is_not_found(state: State):
    with pytest.raises(NotFound):
        state.runs.get("nobody")
