from datetime import timedelta

import pytest

from vademecum.state import ModelRequest, RunKind, Spend, State


@pytest.fixture
def note(state: State, morning):
    def call(run: str = "r1", *, hours: float = 0, tokens: int = 10, cost: float | None = None) -> None:
        moment = morning + timedelta(hours=hours)
        request = ModelRequest(run=run, model="m", tokens_in=tokens, tokens_out=1, cost_usd=cost, at=moment)
        state.requests.note(request)

    return call


def test_a_run_took_what_its_requests_took(state: State, note):
    note(cost=0.5)
    note(cost=None)
    note("other")
    assert state.requests.spent_in("r1") == Spend(tokens_in=20, tokens_out=2, cost_usd=0.5)
    assert [request.run for request in state.requests.of_run("r1")] == ["r1", "r1"]
    assert state.requests.spent_in("none") == Spend()


def test_a_day_begins_at_midnight_utc(state: State, note, morning):
    note(hours=-8.1)
    note(hours=-8)
    note(hours=1)
    assert state.requests.spent_on(morning).tokens_in == 20


def test_what_a_clock_that_ran_ahead_noted_is_spent_and_years_ahead_is_forgiven(state: State, note, morning):
    """codex-X21"""
    note(hours=30)
    note(hours=24 * 400)
    assert state.requests.spent_on(morning).tokens_in == 10


def test_the_row_of_a_run_says_what_its_requests_took_also_where_its_process_was_killed(state: State, note):
    """codex-X37"""
    dead = state.runs.start(RunKind.EXTRACTION, "model/1", worker="1@" + "nowhere:0")
    note(dead, tokens=100, cost=0.25)
    state.runs.finish(dead, "interrupted")
    run = state.runs.get(dead)
    assert (run.tokens_in, run.tokens_out, run.cost_usd) == (100, 1, 0.25)


def test_days_are_told_with_their_runs_newest_first(state: State, note, morning):
    state.runs.start(RunKind.IMPORT, "", now=morning)
    note(hours=-24, cost=0.5)
    note(hours=0)
    told = [(day.day, day.runs, day.tokens, day.cost_usd) for day in state.requests.days(limit=5)]
    assert told == [("2026-11-02", 1, 11, None), ("2026-11-01", 0, 11, 0.5)]
    assert len(state.requests.days(limit=1)) == 1


def test_spends_add_up_and_an_unknown_price_adds_nothing():
    known, unknown = Spend(tokens_in=1, cost_usd=0.5), Spend(tokens_out=2)
    assert known + unknown == Spend(tokens_in=1, tokens_out=2, cost_usd=0.5)
    assert (unknown + unknown).cost_usd is None
    assert (known + known).cost_usd == 1
