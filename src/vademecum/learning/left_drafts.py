"""Drafts of processes that died: finished work is taken in under its own run, the rest is thrown away; both are told.

Needs the `consolidation` lock: whoever holds it is the only one who drafts, so no living run owns what lies there.
"""

from collections.abc import Iterator

import msgspec

from vademecum.errors import NotFound, RefusedError, StorageError
from vademecum.learning.finished_work import SUFFIX, FinishedWork
from vademecum.learning.settling import settle
from vademecum.learning.stage import Stage
from vademecum.memfs import Landing, check, delete_draft, runs_drafting
from vademecum.state import RunKind, State

__all__ = ["DISCARDED", "Recovered", "recover_drafts"]

#: How the ledger says that the work of a killed run was thrown away.
DISCARDED = "discarded"

_UNFINISHED = "its process ended before the learner had finished; the input waits"


class Recovered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the draft of a dead process."""

    #: The run whose draft it was.
    run: str
    #: How it came into memory; None: it was thrown away.
    landing: Landing | None
    #: Why it was thrown away, else empty.
    reason: str = ""
    came_back: tuple[str, ...] = ()
    #: Why its folder is still there, else empty.
    remains: str = ""


def recover_drafts(stage: Stage) -> Iterator[Recovered]:
    """Bring what dead processes left to its end, one after the other, each with a row in the ledger.

    Raises BusyError where others keep writing to the memory: what was not brought to its end waits.
    """
    for run in runs_drafting(stage.drafts):
        work = FinishedWork.read(stage.drafts / f"{run}{SUFFIX}")
        recovered = _recover(stage, run, work)
        _tell(stage.state, recovered, work.learner if work else "")
        try:
            delete_draft(stage.drafts, run)
        except StorageError as error:
            recovered = msgspec.structs.replace(recovered, remains=str(error))
        yield recovered


def _recover(stage: Stage, run: str, work: FinishedWork | None) -> Recovered:
    if work is None:
        return Recovered(run=run, landing=None, reason=_UNFINISHED)
    try:
        check(work.frozen(stage.repository))
        return Recovered(run=run, landing=settle(stage, work), came_back=work.came_back)
    except (RefusedError, NotFound) as error:
        return Recovered(run=run, landing=None, reason=f"{error}; the input waits")


def _tell(state: State, recovered: Recovered, learner: str) -> None:
    row = state.runs.start(RunKind.CONSOLIDATION, learner)
    outcome = str(recovered.landing.status) if recovered.landing else DISCARDED
    state.runs.finish(row, outcome, error=recovered.reason or None, detail={"draft of run": recovered.run})
