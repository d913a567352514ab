from datetime import UTC, datetime, timedelta

import pytest

from vademecum.errors import BudgetReached, BusyError, QuotaReached
from vademecum.learners import Request
from vademecum.learning.heartbeat import Lease
from vademecum.learning.metering import Budget, RunMeter
from vademecum.state import Spend

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def meter(state):
    def build(budget=None, *, run="r1", at=NOON, lease=None):
        return RunMeter(state.path, run, budget or Budget(), lease=lease, clock=lambda: at)

    return build


def request(tokens=100, *, out=10, cost=None):
    return Request(model="m", tokens_in=tokens, tokens_out=out, cost_usd=cost)


def test_without_limits_nothing_is_refused(meter):
    meter().note(request(10**9, cost=10**6))
    meter().allow("m")


def test_a_run_stops_at_its_limit_and_another_run_goes_on(meter):
    budget = Budget(tokens_per_run=100)
    meter(budget).note(request(90))
    with pytest.raises(BudgetReached, match="tokens_per_run"):
        meter(budget).allow("m")
    meter(budget, run="r2").allow("m")


def test_all_runs_of_a_day_share_its_limit_and_the_next_day_begins_anew(meter):
    """codex-X29, codex-X37"""
    budget = Budget(tokens_per_day=100)
    meter(budget, run="killed").note(request(90))
    with pytest.raises(BudgetReached, match="tokens_per_day"):
        meter(budget, run="r2").allow("m")
    meter(budget, run="r3", at=NOON + timedelta(hours=12)).allow("m")


def test_money_is_counted_where_a_price_is_known(meter):
    budget = Budget(cost_per_day_usd=1)
    meter(budget).note(request(cost=None))
    meter(budget).note(request(cost=0.6))
    meter(budget).allow("m")
    meter(budget).note(request(cost=0.4))
    with pytest.raises(BudgetReached, match=r"1\.00 US dollars"):
        meter(budget).allow("m")


def test_what_other_identities_spent_counts(meter):
    budget = Budget(tokens_per_day=100, elsewhere=lambda _database, _now: Spend(tokens_in=100))
    with pytest.raises(BudgetReached):
        meter(budget).allow("m")


def test_a_model_that_rests_is_not_asked_and_one_that_answers_rests_no_more(meter, state):
    """codex-B01"""
    state.breakers.refuse("m", "used up", retry_after_seconds=60, now=NOON)
    resting = meter()
    with pytest.raises(QuotaReached, match="used up"):
        resting.allow("m")
    assert resting.held_by.model == "m"
    meter().allow("other")
    later = meter(at=NOON + timedelta(minutes=2))
    later.allow("m")
    later.note(request())
    assert state.breakers.all() == []


def test_a_request_that_was_paid_for_and_not_answered_closes_no_breaker(meter, state):
    state.breakers.refuse("m", "used up", retry_after_seconds=60, now=NOON)
    meter().note(request(out=0))
    assert [breaker.model for breaker in state.breakers.all()] == ["m"]


def test_a_budget_that_is_used_up_takes_no_probe(meter, state):
    state.breakers.refuse("m", "used up", retry_after_seconds=60, now=NOON)
    budget = Budget(tokens_per_run=1)
    meter(budget).note(Request(model="other", tokens_in=5, tokens_out=5))
    with pytest.raises(BudgetReached):
        meter(budget, at=NOON + timedelta(minutes=2)).allow("m")
    assert state.breakers.get("m").probe_worker is None


def test_who_lost_its_job_spends_no_more(meter, state):
    """codex-A08"""
    lease = Lease(state.path, "t")
    lease._lost.set()
    with pytest.raises(BusyError):
        meter(lease=lease).allow("m")


def test_a_task_knows_what_it_took_itself(meter):
    meter().note(request(90))
    mine = meter()
    mine.note(request(5, out=1, cost=0.5))
    assert mine.spent == Spend(tokens_in=5, tokens_out=1, cost_usd=0.5)


@pytest.mark.parametrize(
    ("spent", "is_mostly"),
    [
        (Spend(tokens_in=49), False),
        (Spend(tokens_in=50), True),
        (Spend(cost_usd=0.4), False),
        (Spend(cost_usd=0.5), True),
    ],
)
def test_half_of_any_limit_is_most_of_it(spent, is_mostly):
    assert Budget(tokens_per_run=100, tokens_per_day=1000, cost_per_day_usd=1).is_mostly(spent) is is_mostly
    assert not Budget().is_mostly(spent)
