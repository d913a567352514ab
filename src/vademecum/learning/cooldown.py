"""How long a paid learner lets consolidation rest: after a success, so that it gathers more; after failures, longer.

Read from the ledger, so it holds for every process and after a restart, and what is extracted meanwhile does not cut it
short. What is no fault of the input (an account, a login, a budget, an interrupt) sets no rest of its own, nor does a
failure by other settings than the present ones.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile

import msgspec

from vademecum.learners import Learner
from vademecum.learning.templates import SETTINGS
from vademecum.state import ErrorClass, Run, RunKind, State

__all__ = ["CLASS", "Rest", "rest_of"]

#: The count of a run that names the class of its failure.
CLASS = "class"
_AFTER_SUCCESS = timedelta(hours=6)
_AFTER_FAILURE = timedelta(hours=1)
_LONGEST = timedelta(hours=24)
_SUCCESSES = frozenset({"landed", "no_changes", "proposed"})
_FAILURES = frozenset({"failed", "invalid"})
_LOOKED_AT = 20


class Rest(msgspec.Struct, frozen=True, kw_only=True):
    """Consolidation waits."""

    until: datetime
    #: In one sentence.
    why: str


def rest_of(state: State, learner: Learner, now: datetime, *, has_note: bool) -> Rest | None:
    """Until when this learner leaves the memory files alone; None: it may work. A new note ends the rest of a success.

    A clock that was put back ends every rest that was noted ahead of it.
    """
    runs = [run for run in state.runs.list(limit=_LOOKED_AT, kind=RunKind.CONSOLIDATION) if _tells(run, learner)]
    last = runs[0].finished_at if runs else None
    if last is None or last > now:
        return None
    failures = _failures(runs)
    if failures:
        until = last + min(_AFTER_FAILURE * 2 ** (failures - 1), _LONGEST)
        times = "once" if failures == 1 else f"{failures} times in a row"
        why = f"it failed {times} ({runs[0].error or 'no reason given'})"
    elif has_note:
        return None
    else:
        until, why = last + _AFTER_SUCCESS, "it gathers what is learned for some hours after each success"
    return Rest(until=until, why=why) if until > now else None


def _tells(run: Run, learner: Learner) -> bool:
    is_told = run.outcome in _SUCCESSES or (run.outcome in _FAILURES and _may_happen_again(run, learner))
    return is_told and run.learner.partition("/")[0] == learner.name


def _may_happen_again(run: Run, learner: Learner) -> bool:
    """Whether the next run may fail as this one did: not by other settings, nor by a login that was mended."""
    is_same = run.detail.get(SETTINGS, learner.setup) == learner.setup
    return is_same and run.detail.get(CLASS) != ErrorClass.AUTH


def _failures(runs: Sequence[Run]) -> int:
    return sum(1 for _ in takewhile(lambda run: run.outcome in _FAILURES, runs))
