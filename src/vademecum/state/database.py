"""One SQLite file: opened safely, migrated, written in short immediate transactions, errors told in our words."""

import os
import re
import sqlite3
import stat
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self, TypeVar

from vademecum.errors import BusyError, DatabaseBroken, StorageError, UnsafePath, VademecumError
from vademecum.private import odd_kind
from vademecum.state.migrate import aside, is_current, migrate
from vademecum.state.reading_only import copy_into

__all__ = ["Database", "Parameters"]

_Filled = TypeVar("_Filled")

Parameters = Mapping[str, str | int | float | bytes | None]

_BUSY_SECONDS = 5.0
_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    # What a person forgets must not linger in free pages.
    "PRAGMA secure_delete = ON",
    # Nor in files for sorting, which lie outside the home.
    "PRAGMA temp_store = MEMORY",
)
#: A row as SQLite's dump tells it: the table, and what stands in the first column.
_INSERT = re.compile(r"""INSERT INTO "(?P<table>\w+)" VALUES\('?(?P<first>[^',)]*)""")
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DISK = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
    }
)


class Database:
    """A connection to one file. Not for sharing between threads; processes share the file.

    Every method raises `BusyError` when another writer holds the file longer than five seconds, `DatabaseBroken` when
    the file is damaged, and `StorageError` when the disk refuses.
    """

    #: Path -> connections of this process.
    _open: ClassVar[Counter[Path]] = Counter()

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._is_counted = True
        self._open[path] += 1

    @classmethod
    def is_open_here(cls, path: Path) -> bool:
        """Whether this process has a connection to it: who opens and closes the file itself then drops its locks."""
        return cls._open[path] > 0

    @classmethod
    def open(cls, path: Path, *, package: str) -> Self:
        """Open or create `path` (0600, never through a link) and bring it to the schema of `<package>/migrations`."""
        _claim_file(path)
        with _told(path):
            connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        return cls._begun(path, connection, package, lambda: _use_write_ahead_log(connection))

    @classmethod
    def read(cls, path: Path, *, package: str) -> Self:
        """As `open`, for who only reads: where the disk takes no write, a copy that refuses every change."""
        try:
            return cls.open(path, package=package)
        except DatabaseBroken:
            raise
        except StorageError:
            database = cls.copy(path, package=package)
            database.run("PRAGMA query_only = ON")
            return database

    @classmethod
    def copy(cls, path: Path, *, package: str) -> Self:
        """What stands in `path`, in memory: for who reads where the disk takes no write. Changes of it are lost.

        Raises StorageError where it cannot be read either, DatabaseBroken.
        """
        connection = sqlite3.connect(":memory:", isolation_level=None)
        return cls._begun(path, connection, package, lambda: copy_into(connection, path))

    @classmethod
    def blank(cls, path: Path, *, package: str) -> Self:
        """One in memory that holds nothing yet, in the place of `path`."""
        return cls._begun(path, sqlite3.connect(":memory:", isolation_level=None), package, lambda: None)

    @classmethod
    def _begun(cls, path: Path, connection: sqlite3.Connection, package: str, begin: Callable[[], None]) -> Self:
        database = cls(path, connection)
        try:
            with _told(path):
                database._prepare()
                begin()
                # Opening must not wait for a writer, so the lock is taken only where there is something to do.
                if not is_current(connection, package):
                    with database.write():
                        migrate(connection, path, package)
        except BaseException:
            database.close()
            raise
        return database

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; calling it twice is harmless."""
        self._connection.close()
        if self._is_counted:
            self._is_counted = False
            self._open[self.path] -= 1

    def all(self, sql: str, parameters: Parameters | None = None) -> list[sqlite3.Row]:
        """Every row that the statement yields."""
        with _told(self.path):
            return self._connection.execute(sql, parameters or {}).fetchall()

    def one(self, sql: str, parameters: Parameters | None = None) -> sqlite3.Row | None:
        """The first row, or None."""
        with _told(self.path):
            return self._connection.execute(sql, parameters or {}).fetchone()

    def run(self, sql: str, parameters: Parameters | None = None) -> int:
        """Carry out a change; the number of rows that it touched."""
        with _told(self.path):
            return self._connection.execute(sql, parameters or {}).rowcount

    def run_many(self, sql: str, parameters: Iterable[Parameters]) -> int:
        """Carry out a change once per set of parameters, in one transaction; the number of rows touched."""
        with self.write(), _told(self.path):
            return self._connection.executemany(sql, parameters).rowcount

    @contextmanager
    def write(self) -> Generator[None]:
        """One immediate transaction: all of it, or nothing. Inside another `write` it joins the outer one."""
        if self._connection.in_transaction:
            yield
            return
        with _told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with _told(self.path):
                self._connection.execute("COMMIT")
        finally:
            # Still open: the body or the commit failed. (A full disk makes SQLite roll back by itself.)
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def tables(self) -> list[str]:
        """The names of its tables."""
        return [row["name"] for row in self.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT NULL")]

    def filled_by(self, fill: Callable[[sqlite3.Connection], _Filled]) -> _Filled:
        """Let rows of another file come in, in one transaction; what `fill` returns."""
        with self.write(), _told(self.path):
            return fill(self._connection)

    def check(self) -> None:
        """Read the whole file and raise `DatabaseBroken` with the first damage; slow, so only when asked."""
        verdict = self.one("PRAGMA quick_check(1)")
        if verdict is None or verdict[0] != "ok":
            raise DatabaseBroken(f"{self.path.name} is damaged ({verdict[0] if verdict else 'no answer'})")

    def truncate_log(self) -> None:
        """Empty the write-ahead log, where deleted text lives on until the next checkpoint."""
        self.one("PRAGMA wal_checkpoint(TRUNCATE)")

    def compact(self) -> None:
        """Write the whole file anew and empty the log; raises `BusyError` where a reader still needs the log."""
        with _told(self.path):
            self._connection.execute("VACUUM")
        self.truncate_log()
        log = self.path.with_name(self.path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise BusyError(f"another process reads {self.path.name}: its log cannot be emptied now")

    def rows(self) -> Iterator[tuple[str, str]]:
        """Every row of every table, as text, with a name such as `runs 20261130T151456-ea10`; slow."""
        with _told(self.path):
            for statement in self._connection.iterdump():
                if row := _INSERT.match(statement):
                    yield f"{row['table']} {row['first']}", statement.replace("''", "'")

    def _prepare(self) -> None:
        self._connection.row_factory = sqlite3.Row
        for pragma in _PRAGMAS:
            self._connection.execute(pragma)


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch to WAL, so that readers never block the writer.

    The switch needs the file for itself, and SQLite does not ask the busy handler for it: two processes that open a
    new file at the same moment would see "database is locked".
    """
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if _primary_code(error) not in _BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _claim_file(path: Path) -> None:
    """Create the file, or prove that it is a plain file of its own, and keep it from other users.

    A file that is there is never opened here: the system drops all locks that a process has on a file when the process
    closes any descriptor of it, also those of a connection that another thread has open, and that breaks the file.
    """
    try:
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        if kind := odd_kind(path):
            raise UnsafePath(
                f"{path} is {kind}; a database must be a plain file", next_step=aside(path), paths=(str(path),)
            )
        if stat.S_IMODE(path.lstat().st_mode) != 0o600:
            path.chmod(0o600)
    except OSError as error:
        raise StorageError(f"cannot open {path}: {error.strerror}") from error


def _primary_code(error: sqlite3.Error) -> int:
    # Python's own refusals (a wrong number of parameters, say) carry no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


@contextmanager
def _told(path: Path) -> Generator[None]:
    """Turn SQLite's errors into ours; what is a fault of the program itself passes as it is."""
    try:
        yield
    except sqlite3.Error as error:
        told = _explain(path, error)
        if told is None:
            raise
        raise told from error


def _explain(path: Path, error: sqlite3.Error) -> VademecumError | None:
    code = _primary_code(error)
    if code in _BROKEN:
        return DatabaseBroken(
            f"{path.name} cannot be read ({error})",
            next_step="Run `vade learn`: the damaged file is put aside, and what it held is rebuilt.",
            paths=(str(path),),
        )
    if code in _BUSY:
        return BusyError(f"another process is writing {path.name}")
    if code in _DISK:
        return StorageError(f"cannot use {path.name}: {error}", paths=(str(path),))
    if code == sqlite3.SQLITE_ERROR and str(error).startswith(("no such table", "no such column")):
        # Our own statements name what our own migrations made: somebody took it away.
        return DatabaseBroken(f"{path.name} lacks a part that it must have ({error})", paths=(str(path),))
    return None
