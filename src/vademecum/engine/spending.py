"""What was spent, and what memory was used for."""

from datetime import datetime
from pathlib import Path

import msgspec

from vademecum.errors import VademecumError
from vademecum.state import CitedKind, Day, Spend, State, UsageTotal

__all__ = ["UsageReport", "spent_elsewhere", "usage_counts", "usage_of"]


class UsageReport(msgspec.Struct, frozen=True, kw_only=True):
    """What memory was used for, and what it cost."""

    #: Most used first.
    sessions: tuple[UsageTotal, ...] = ()
    paths: tuple[UsageTotal, ...] = ()
    #: Newest first; only those on which anything ran.
    days: tuple[Day, ...] = ()


def usage_of(state: State, *, days: int) -> UsageReport:
    """What was used, and what the newest days took."""
    return UsageReport(
        sessions=_ranked(state, CitedKind.SESSION),
        paths=_ranked(state, CitedKind.PATH),
        days=tuple(state.requests.days(limit=days)),
    )


def usage_counts(state: State) -> dict[str, int]:
    """Session id or memory path -> how many answers used it."""
    return {cited: total.count for kind in CitedKind for cited, total in state.usage.totals(kind).items()}


def spent_elsewhere(database: Path, now: datetime) -> Spend:
    """What the identities of the home took on the day of this moment, but for the one whose state this is."""
    spent = Spend()
    for other in sorted(database.parent.parent.glob(f"*/{database.name}")):
        if other != database:
            spent += _spent(other, now)
    return spent


def _ranked(state: State, kind: CitedKind) -> tuple[UsageTotal, ...]:
    totals = state.usage.totals(kind).values()
    return tuple(sorted(totals, key=lambda total: (-total.count, -total.last_at.timestamp(), total.cited)))


def _spent(database: Path, now: datetime) -> Spend:
    try:
        with State.read(database) as state:
            return state.requests.spent_on(now)
    except VademecumError:
        # A state that cannot be read says so where its own identity is used; it must not stop all the others.
        return Spend()
