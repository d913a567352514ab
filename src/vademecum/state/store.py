"""The state database of one identity: every table behind one connection."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

from vademecum.state.breakers import Breakers
from vademecum.state.database import Database
from vademecum.state.inputs import SeenInputs
from vademecum.state.jobs import Jobs
from vademecum.state.modes import SessionModes
from vademecum.state.passes import Passes
from vademecum.state.records import Records
from vademecum.state.requests import Requests
from vademecum.state.runs import Runs
from vademecum.state.sources import Sources
from vademecum.state.tombstones import Tombstones
from vademecum.state.usage import Usage

__all__ = ["State"]


class State:
    """What one identity knows besides its memory repository. Rebuildable: losing it loses no memory.

    One `State` belongs to one thread; any number of processes may open the same file.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
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
    def open(cls, path: Path) -> Self:
        """Open or create the file; its folder must exist.

        Raises `DatabaseBroken` for a damaged, foreign or newer file, `UnsafePath` for a link, `StorageError` where the
        disk refuses, `BusyError` where another writer does not finish within five seconds.
        """
        return cls(Database.open(path, package="vademecum.state"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; calling it twice is harmless."""
        self._database.close()

    def transaction(self) -> AbstractContextManager[None]:
        """Writes of several tables that happen together or not at all; keep it short, it blocks other writers."""
        return self._database.write()

    def check(self) -> None:
        """Read the whole file and raise `DatabaseBroken` at the first damage."""
        self._database.check()

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
