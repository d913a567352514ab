"""Sources: where sessions lie and how they looked when they were read, so that an unchanged one is not read again."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_rows, to_row
from vademecum.state.statements import load_statements

__all__ = ["Source", "Sources", "before_reset", "left_alone"]

_SQL = load_statements("vademecum.state", "sources")


#: No reader's fingerprint ends so.
_LEFT_ALONE = "!left-alone"
_BEFORE_RESET = "!before-reset"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One place that holds one session."""

    #: The host that wrote it.
    host: str
    #: File that holds the session; for a database, the database file. A secret in it is masked.
    path: str
    #: Which session inside `path`; empty where the file holds one.
    session_key: str = ""
    #: Opaque; differs whenever the session may have changed.
    fingerprint: str
    #: The session that was found there.
    session_id: str
    #: When it was read, aware UTC.
    seen_at: datetime

    @property
    def was_left_alone(self) -> bool:
        """Whether the session was not learned for a reason that may go (see `left_alone` and `before_reset`)."""
        return self.fingerprint.endswith((_LEFT_ALONE, _BEFORE_RESET))


def left_alone(fingerprint: str) -> str:
    """The fingerprint of a place that needs to be read again once the setting changes."""
    return fingerprint + _LEFT_ALONE


def before_reset(fingerprint: str) -> str:
    """The fingerprint of a place that needs to be read again once the reset is undone."""
    return fingerprint + _BEFORE_RESET


class Sources:
    """The table of sources."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def unchanged(self, host: str, path: str, session_key: str, fingerprint: str) -> bool:
        """Whether the place looks as it did when it was read last."""
        place = {"host": host, "path": path, "session_key": session_key}
        row = self._database.one(_SQL["get_fingerprint"], place)
        return row is not None and row["fingerprint"] == fingerprint

    def remember(self, sources: Iterable[Source]) -> None:
        """Note what was read, in one transaction."""
        self._database.run_many(_SQL["put_source"], map(to_row, sources))

    def of_session(self, session_id: str) -> list[Source]:
        """Every place that held the session when it was read."""
        return from_rows(Source, self._database.all(_SQL["sources_of_session"], {"session_id": session_id}))

    def all(self) -> list[Source]:
        """Every place, session by session; of one session the place that was read last comes last."""
        return from_rows(Source, self._database.all(_SQL["all_sources"]))

    def forget(self, session_id: str) -> int:
        """Have the session read anew wherever it lies; how many places that concerns."""
        return self._database.run(_SQL["drop_sources_of_session"], {"session_id": session_id})
