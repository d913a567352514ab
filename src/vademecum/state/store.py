"""The state database of one identity: every table behind one connection."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from vademecum.errors import DatabaseBroken, StorageError, VademecumError
from vademecum.state.breakers import Breakers
from vademecum.state.database import Database
from vademecum.state.inputs import SeenInputs
from vademecum.state.jobs import Jobs
from vademecum.state.modes import SessionModes
from vademecum.state.passes import Passes
from vademecum.state.records import Records
from vademecum.state.requests import Requests
from vademecum.state.rescue import Rescue, is_cut_short, is_damage, is_empty_file, rescue
from vademecum.state.runs import Runs
from vademecum.state.sources import Sources
from vademecum.state.tombstones import Tombstones
from vademecum.state.usage import Usage

__all__ = ["State"]


class State:
    """What one identity knows besides its memory repository. Rebuildable: losing it loses no memory.

    One `State` belongs to one thread; any number of processes may open the same file.
    """

    def __init__(
        self, database: Database, *, is_new: bool = False, rescued: Rescue | None = None, rescues: bool = False
    ) -> None:
        self._database, self._rescues = database, rescues
        #: Whether there was nothing here before.
        self.is_new = is_new
        #: The damaged database in whose place this one was made now.
        self.rescued = rescued
        self.records = Records(database)
        self.jobs = Jobs(database)
        self.sources = Sources(database)
        self.modes = SessionModes(database)
        self.usage = Usage(database)
        self.tombstones = Tombstones(database)
        self.runs = Runs(database)
        self.requests = Requests(database)
        self.breakers = Breakers(database)
        self.passes = Passes(database)
        self.inputs = SeenInputs(database)

    @property
    def path(self) -> Path:
        """The file, for who needs a connection of its own: another thread."""
        return self._database.path

    @classmethod
    def open(cls, path: Path, *, rescues: bool = True) -> Self:
        """Open or create the file; its folder must exist. A damaged one is put aside and made anew (`rescues`).

        Raises `DatabaseBroken` for a foreign or newer file, `UnsafePath` for a link, `StorageError` where the disk
        refuses, `BusyError` where another writer does not finish within five seconds.
        """
        is_new = not path.exists() or path.stat().st_size == 0
        rescued = rescue(path, "it was cut short") if rescues and is_cut_short(path) else None
        try:
            database = Database.open(path, package="vademecum.state")
        except DatabaseBroken as error:
            if not rescues or not is_damage(error):
                raise
            rescued = rescue(path, str(error.__cause__))
            database = Database.open(path, package="vademecum.state")
        return cls(database, is_new=is_new, rescued=rescued, rescues=rescues)

    @classmethod
    def read(cls, path: Path, *, rescues: bool = True) -> Self:
        """As `open`, for who only reads: a disk that takes no write, full or read-only, does not stop them.

        Where nothing is, or an empty file, nothing is made. Raises as `open` does.
        """
        if is_empty_file(path):
            return cls(Database.blank(path, package="vademecum.state"), is_new=True)
        try:
            return cls.open(path, rescues=rescues)
        except DatabaseBroken:
            raise
        except StorageError:
            return cls(Database.read(path, package="vademecum.state"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        path = self._database.path
        if not (self._rescues and isinstance(error, DatabaseBroken) and is_damage(error)):
            return
        if not error.paths or str(path) in error.paths:
            # Damage in its middle shows when it is read: this command has failed, the next one must not.
            with suppress(VademecumError):
                if done := rescue(path, str(error.__cause__)):
                    error.next_step = f"Do the same again: it was made anew. The damaged file lies in {done.folder}."

    def close(self) -> None:
        """Close the file; calling it twice is harmless."""
        self._database.close()

    def transaction(self) -> AbstractContextManager[None]:
        """Writes of several tables that happen together or not at all; keep it short, it blocks other writers."""
        return self._database.write()

    def check(self) -> None:
        """Read the whole file and raise `DatabaseBroken` at the first damage."""
        self._database.check()
        for read in (self.records.all, self.jobs.all, self.tombstones.all, partial(self.runs.list, limit=sys.maxsize)):
            read()

    def truncate_log(self) -> None:
        """Leave nothing of deleted text on the disk; `secure_delete` wipes the pages, this the log beside them."""
        self._database.truncate_log()

    def compact(self) -> None:
        """As `truncate_log`, and write the whole file anew; raises `BusyError` where somebody still reads the log."""
        self._database.compact()

    def rows(self) -> Iterator[tuple[str, str]]:
        """Every row of every table as text, with its name: the proof that words are gone asks all of them."""
        return self._database.rows()

    def begin_anew(self, *, kept_scope: str) -> None:
        """What a reset leaves: modes, where sessions were read, the ledger, and the tombstones of one scope."""
        with self.transaction():
            for table in (self.records, self.jobs, self.usage, self.passes, self.inputs):
                table.clear()
            self.tombstones.clear(kept_scope=kept_scope)
