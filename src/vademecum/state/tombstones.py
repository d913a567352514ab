"""Tombstones: generated bullets that a person removed; they return only with newer human evidence."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_rows, to_row
from vademecum.state.statements import load_statements

__all__ = ["Tombstone", "TombstoneReason", "Tombstones"]

_SQL = load_statements("vademecum.state", "tombstones")


class TombstoneReason(StrEnum):
    """How the person removed the bullet."""

    DELETED = "deleted"  #: took the line out of the file
    UNDONE = "undone"  #: undid the run that wrote it
    REJECTED = "rejected"  #: rejected the proposal that held it
    FORGOTTEN = "forgotten"  #: asked to forget where it came from


class Tombstone(msgspec.Struct, frozen=True, kw_only=True):
    """One bullet that must stay away."""

    #: The bullet's key.
    key: str
    #: The scope the bullet stood in.
    scope: str
    #: The bullet's masked words, or that they were forgotten.
    text: str
    #: How it was removed.
    reason: TombstoneReason
    #: When, aware UTC.
    at: datetime
    #: Newest human evidence that the removed bullet rested on; only newer evidence may bring it back.
    evidence_at: datetime | None = None
    #: What the removed bullet rested on: a statement from there is known again whatever key it would get now.
    sources: tuple[str, ...] = ()

    @property
    def until(self) -> datetime:
        """Only what a person said after this moment may bring the statement back.

        Evidence may bear a later time than its own removal, where a clock ran ahead.
        """
        return max(self.at, self.evidence_at or self.at)


class Tombstones:
    """The table of tombstones."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, tombstones: Iterable[Tombstone]) -> None:
        """Note removals, in one transaction; on one key the latest holds."""
        self._database.run_many(_SQL["put_tombstone"], map(to_row, tombstones))

    def all(self) -> list[Tombstone]:
        """Every tombstone, oldest first."""
        return from_rows(Tombstone, self._database.all(_SQL["all_tombstones"]))

    def remove(self, key: str) -> bool:
        """Let the bullet come back; False where nobody had removed it."""
        return bool(self._database.run(_SQL["drop_tombstone"], {"key": key}))

    def clear(self, *, kept_scope: str) -> None:
        """Drop all of them but those of one scope."""
        self._database.run(_SQL["clear_tombstones"], {"kept_scope": kept_scope})
