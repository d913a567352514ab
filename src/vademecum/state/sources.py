"""Sources: where sessions lie and how they looked when they were read, so that an unchanged one is not read again."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_rows, to_row
from vademecum.state.statements import load_statements

__all__ = ["ReadPlace", "Source", "Sources", "before_reset", "left_alone"]

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


class ReadPlace(NamedTuple):
    """A source without its story: what a pass asks of ten thousand at a time."""

    host: str
    path: str
    session_key: str
    #: As of a source.
    fingerprint: str

    @property
    def look(self) -> str:
        """How the reader found the place, whatever became of the session."""
        return self.fingerprint.removesuffix(_LEFT_ALONE).removesuffix(_BEFORE_RESET)


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
        #: Place -> fingerprint, as they stood when `unchanged` was asked first, less what was written here since.
        self._stood: dict[tuple[str, str, str], str] | None = None

    def unchanged(self, host: str, path: str, session_key: str, fingerprint: str) -> bool:
        """Whether the place looks as it did when it was read last.

        A yes may be as old as the first question: what another process has to have read anew, it gets from the next
        pass. A no is always of this moment, so that no session is read that another process has just read.
        """
        place = host, path, session_key
        if self._stood is None:
            rows = self._database.all(_SQL["read_places"])
            self._stood = {(host, path, key): mark for host, path, key, mark in rows}
        return self._stood.get(place) == fingerprint or self._fingerprint(*place) == fingerprint

    def _fingerprint(self, host: str, path: str, session_key: str) -> str | None:
        row = self._database.one(_SQL["get_fingerprint"], {"host": host, "path": path, "session_key": session_key})
        return row["fingerprint"] if row else None

    def remember(self, sources: Iterable[Source]) -> None:
        """Note what was read, in one transaction."""
        noted = list(sources)
        self._database.run_many(_SQL["put_source"], map(to_row, noted))
        self._ask_anew(noted)

    def of_session(self, session_id: str) -> list[Source]:
        """Every place that held the session when it was read."""
        return from_rows(Source, self._database.all(_SQL["sources_of_session"], {"session_id": session_id}))

    def all(self) -> list[Source]:
        """Every place, session by session; of one session the place that was read last comes last."""
        return from_rows(Source, self._database.all(_SQL["all_sources"]))

    def places(self) -> list[ReadPlace]:
        """Every place, and how it looked, in no order."""
        return [ReadPlace._make(row) for row in self._database.all(_SQL["read_places"])]

    def forget(self, session_id: str) -> int:
        """Have the session read anew wherever it lies; how many places that concerns."""
        self._ask_anew(self.of_session(session_id))
        return self._database.run(_SQL["drop_sources_of_session"], {"session_id": session_id})

    def _ask_anew(self, sources: Iterable[Source]) -> None:
        stood = self._stood or {}
        for source in sources:
            stood.pop((source.host, source.path, source.session_key), None)
