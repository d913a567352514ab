"""Requests: what every call of a model took. The sums are asked from the disk, so that all processes share one day."""

import sqlite3
from datetime import UTC, datetime, timedelta

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_row, from_rows, to_row
from vademecum.state.statements import load_statements
from vademecum.state.times import to_ms

__all__ = ["Day", "ModelRequest", "Requests", "Spend"]

_SQL = load_statements("vademecum.state", "requests")


class Spend(msgspec.Struct, frozen=True, kw_only=True):
    """What a run or a day cost."""

    tokens_in: int = 0
    tokens_out: int = 0
    #: US dollars; None where no price is known.
    cost_usd: float | None = None

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: "Spend") -> "Spend":
        """Both together; an unknown price adds nothing."""
        prices = [price for price in (self.cost_usd, other.cost_usd) if price is not None]
        return Spend(
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost_usd=sum(prices) if prices else None,
        )


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a model."""

    #: The row of the ledger that it belongs to.
    run: str
    #: As the settings spell it.
    model: str
    tokens_in: int
    tokens_out: int
    #: US dollars; None where no price is known.
    cost_usd: float | None
    #: When it ended, aware UTC.
    at: datetime


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """One day of the ledger."""

    #: `2026-11-30`, in UTC.
    day: str
    #: Runs that began.
    runs: int
    tokens: int
    #: US dollars; None where no price is known.
    cost_usd: float | None


class Requests:
    """The table of requests."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, request: ModelRequest) -> None:
        """Keep what one call took."""
        self._database.run(_SQL["note_request"], to_row(request))

    def of_run(self, run: str) -> list[ModelRequest]:
        """Every call of a run, in order."""
        return from_rows(ModelRequest, self._database.all(_SQL["requests_of_run"], {"run": run}))

    def spent_in(self, run: str) -> Spend:
        """What a run took so far."""
        return _sum(self._database.one(_SQL["spent_in_run"], {"run": run}))

    def spent_on(self, now: datetime) -> Spend:
        """What all runs took on the day of this moment, in UTC.

        The next day counts as well: what a clock that ran ahead noted is spent, what it noted years ahead is forgiven.
        """
        since = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        until = since + timedelta(days=2)
        return _sum(self._database.one(_SQL["spent_between"], {"since": to_ms(since), "until": to_ms(until)}))

    def days(self, *, limit: int) -> list[Day]:
        """The newest days on which anything ran or was spent, newest first."""
        return from_rows(Day, self._database.all(_SQL["spent_by_day"], {"limit": limit}))


def _sum(row: sqlite3.Row | None) -> Spend:
    return from_row(Spend, row) if row else Spend()
