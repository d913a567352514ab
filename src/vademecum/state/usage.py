"""Usage: which answers used which memories. Counters live here, never in a file that a person diffs."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_rows, to_row
from vademecum.state.statements import load_statements

__all__ = ["Citation", "CitedKind", "Usage", "UsageTotal"]

_SQL = load_statements("vademecum.state", "usage")


class CitedKind(StrEnum):
    """What a citation names."""

    SESSION = "session"  #: a session whose record was used
    PATH = "path"  #: a memory file


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """One answer used one memory."""

    #: What `cited` is.
    kind: CitedKind
    #: Session id or memory path.
    cited: str
    #: The session in which the answer was given.
    citing_session: str
    #: The answer; the same memory counts once per answer, however many of its lines it cites.
    message_id: str
    #: First and last file line that was cited; 0 where the citation names no lines.
    line_start: int = 0
    line_end: int = 0
    #: When the answer was given, aware UTC.
    at: datetime


class UsageTotal(msgspec.Struct, frozen=True, kw_only=True):
    """How much one memory was used."""

    #: Session id or memory path.
    cited: str
    #: Answers that used it.
    count: int
    #: When it was last used, aware UTC.
    last_at: datetime
    #: Distinct sessions that used it.
    sessions: int


class Usage:
    """The table of citations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def count(self, citations: Iterable[Citation]) -> int:
        """Note citations, in one transaction; how many were new."""
        return self._database.run_many(_SQL["count_citation"], map(to_row, citations))

    def totals(self, kind: CitedKind) -> dict[str, UsageTotal]:
        """Every cited memory of a kind, by session id or path."""
        rows = self._database.all(_SQL["usage_totals"], {"kind": kind.value})
        return {total.cited: total for total in from_rows(UsageTotal, rows)}

    def forget(self, name: str) -> None:
        """Drop what is known of this session or path, as the one that was used and as the one that used."""
        self._database.run(_SQL["drop_usage"], {"name": name})

    def clear(self) -> None:
        """Drop all of it."""
        self._database.run(_SQL["clear_usage"])
