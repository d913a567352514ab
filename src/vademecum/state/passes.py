"""The last pass of learning: what it came to, kept also where it began nothing, so that `vade status` can say why."""

from datetime import datetime

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_row, to_row
from vademecum.state.statements import load_statements

__all__ = ["LastPass", "Passes"]

_SQL = load_statements("vademecum.state", "passes")


class LastPass(msgspec.Struct, frozen=True, kw_only=True):
    """What one pass came to, counted."""

    #: When it ended, aware UTC.
    at: datetime
    #: Sessions found, learned before or not.
    discovered: int
    #: Sessions learned.
    extracted: int
    #: Sessions read, with nothing worth keeping in them.
    no_output: int
    #: Sessions that failed.
    failed: int
    #: Reason -> count, of sessions and of parts of sessions that were left out.
    skipped: dict[str, int]
    #: The last thing that went wrong, in one sentence; None where nothing did.
    error: str | None = None
    #: What a person can do about it.
    next_step: str | None = None


class Passes:
    """The place of the last pass."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, newest: LastPass) -> None:
        """Put it in the place of the one before it."""
        self._database.run(_SQL["put_last_pass"], to_row(newest))

    def clear(self) -> None:
        """Tell of no pass until the next one."""
        self._database.run(_SQL["drop_last_pass"])

    def last(self) -> LastPass | None:
        """The newest one; None before the first."""
        row = self._database.one(_SQL["get_last_pass"])
        return from_row(LastPass, row) if row else None
