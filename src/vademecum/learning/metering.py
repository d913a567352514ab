"""The meter of a run: what was spent is asked from the disk before every request, and written there after it.

So three processes share one day, and a run that was killed has spent what it spent. A limit is asked before a request,
not within one: every process may go past it by the request that it has under way.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from vademecum.errors import BudgetReached, BusyError, LearnerFailed, QuotaReached
from vademecum.learners import Request
from vademecum.learning.heartbeat import Lease
from vademecum.state import Breaker, ModelRequest, Spend, State, this_worker

__all__ = ["NO_LIMITS", "Budget", "RunMeter", "what_holds_back"]


def _nothing(_database: Path, _now: datetime) -> Spend:
    return Spend()


def _now() -> datetime:
    return datetime.now(UTC)


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What may be spent; 0 is no limit."""

    tokens_per_run: int = 0
    #: Days are those of UTC.
    tokens_per_day: int = 0
    cost_per_day_usd: float = 0
    #: What was spent on the day of a moment beside this state: a person has one purse for all identities.
    elsewhere: Callable[[Path, datetime], Spend] = _nothing

    def check(self, run: Spend, day: Spend) -> None:
        """Raises BudgetReached where one of them has used up its limit."""
        cost = day.cost_usd or 0
        if self.tokens_per_run and run.tokens >= self.tokens_per_run:
            what = f"this run took {run.tokens:,} tokens, and budget.tokens_per_run is {self.tokens_per_run:,}"
        elif self.tokens_per_day and day.tokens >= self.tokens_per_day:
            what = f"{day.tokens:,} tokens were taken today, and budget.tokens_per_day is {self.tokens_per_day:,}"
        elif self.cost_per_day_usd and cost >= self.cost_per_day_usd:
            what = f"{cost:.2f} US dollars were spent today, and the limit of a day is {self.cost_per_day_usd:.2f}"
        else:
            return
        raise BudgetReached(what)

    def is_mostly(self, spent: Spend) -> bool:
        """Whether this alone is more than half of what a run or a day may take."""
        limits = [limit for limit in (self.tokens_per_run, self.tokens_per_day) if limit]
        is_dear = self.cost_per_day_usd and (spent.cost_usd or 0) * 2 >= self.cost_per_day_usd
        return bool(is_dear) or any(spent.tokens * 2 >= limit for limit in limits)


NO_LIMITS = Budget()


class RunMeter:
    """The meter of one task of a run. Every call opens the state anew, so a learner may call it from any thread."""

    def __init__(
        self,
        database: Path,
        run: str,
        budget: Budget,
        *,
        lease: Lease | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._database, self._run, self._budget = database, run, budget
        self._lease, self._clock = lease, clock
        #: What this task took.
        self.spent = Spend()
        #: The breaker that held a request back; None: none did.
        self.held_by: Breaker | None = None
        self._is_held_back = False

    @property
    def is_idle(self) -> bool:
        """Whether the task was held back before its first request."""
        return self._is_held_back and not self.spent.tokens

    def allow(self, model: str) -> None:
        """Raises BudgetReached, QuotaReached, or BusyError where somebody else has the job by now."""
        if self._lease and self._lease.is_lost:
            raise BusyError("another process has taken over what this one worked on")
        now = self._clock()
        self._is_held_back = True
        with State.open(self._database) as state:
            day = state.requests.spent_on(now) + self._budget.elsewhere(self._database, now)
            self._budget.check(state.requests.spent_in(self._run), day)
            self.held_by = state.breakers.enter(model, now=now)
        if self.held_by is not None:
            raise QuotaReached(_resting(self.held_by, now), model=model)
        self._is_held_back = False

    def note(self, request: Request) -> None:
        """Keep what a request took; a model that answered has an account again."""
        took = Spend(tokens_in=request.tokens_in, tokens_out=request.tokens_out, cost_usd=request.cost_usd)
        row = ModelRequest(run=self._run, model=request.model, at=self._clock(), **msgspec.structs.asdict(took))
        with State.open(self._database) as state, state.transaction():
            state.requests.note(row)
            if took.tokens_out:
                state.breakers.close(request.model)
        self.spent += took


def what_holds_back(model: str, budget: Budget, state: State | None, *, database: Path) -> LearnerFailed | None:
    """What a meter would answer to a request now, and no trace of having asked; None: it would let it through.

    `state` is that of the file `database`, or None where there is none yet.
    """
    now = _now()
    spent = state.requests.spent_on(now) if state else Spend()
    try:
        budget.check(Spend(), spent + budget.elsewhere(database, now))
    except BudgetReached as error:
        return error
    breaker = state.breakers.get(model) if state else None
    if breaker is None or breaker.closed_until(this_worker(), now) is None:
        return None
    return QuotaReached(_resting(breaker, now), model=model)


def _resting(breaker: Breaker, now: datetime) -> str:
    """Why no request was made; what the server said names the model."""
    if now < breaker.open_until:
        return f"no request is made until {breaker.open_until:%Y-%m-%d %H:%M} UTC: {breaker.reason}"
    return f"another process tries whether the model can be used again: {breaker.reason}"
