"""What can still be read of a damaged state database, row by row, into a new one.

A table is read from its beginning to the first damage, and then from its end to it: what lies between is lost. So is a
row that SQLite reads and we do not: bits that flipped inside of it.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from vademecum.errors import DatabaseBroken
from vademecum.state.jobs import Job
from vademecum.state.records import Record
from vademecum.state.rows import from_row
from vademecum.state.runs import Run
from vademecum.state.statements import load_statements
from vademecum.state.tombstones import Tombstone

__all__ = ["Salvage", "is_sound", "salvage"]

_SQL = load_statements("vademecum.state", "salvage")
#: Tables whose rows are records of ours, column by column.
_KINDS: dict[str, type[msgspec.Struct]] = {"records": Record, "jobs": Job, "tombstones": Tombstone, "runs": Run}


class Salvage:
    """What was brought over."""

    def __init__(self) -> None:
        #: Table -> rows that the new database has of it.
        self.kept: dict[str, int] = {}
        #: Tables that could not be read to their end.
        self.torn: list[str] = []


def is_sound(path: Path, tables: Iterable[str]) -> bool:
    """Whether the whole file can be read, and has these tables."""
    try:
        with _opened(path) as damaged:
            found = {row[0] for row in damaged.execute(_SQL["table_names"])}
            if not found.issuperset(tables) or damaged.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                return False
            return next(_unreadable(damaged), None) is None
    except (sqlite3.Error, TypeError):
        return False


def salvage(damaged: Path, fresh: sqlite3.Connection) -> Salvage:
    """Copy every row that can be read into the tables that a new database has."""
    brought = Salvage()
    tables = [row[0] for row in fresh.execute(_SQL["table_names"]) if row[0] != "schema_version"]
    try:
        with _opened(damaged) as source:
            for table in tables:
                _copy(source, fresh, table, brought)
    except sqlite3.Error:
        brought.torn = tables  # not even the list of tables can be read
    for table, row in list(_unreadable(fresh)):
        _drop(fresh, table, row)
        brought.kept[table] -= 1
        brought.torn = sorted({*brought.torn, table})
    if "records" in brought.torn:
        # Whoever has no record was not learned, whatever else is left says.
        fresh.execute(_SQL["drop_finished_jobs"])
        fresh.execute(_SQL["drop_unproven_sources"])
    return brought


def _unreadable(connection: sqlite3.Connection) -> Iterator[tuple[str, sqlite3.Row]]:
    """The rows that are no record of ours, with their tables."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    for table, kind in _KINDS.items():
        for row in cursor.execute(f'SELECT * FROM "{table}"').fetchall():  # noqa: S608  our own names
            try:
                from_row(kind, row)
            except DatabaseBroken:
                yield table, row


def _drop(connection: sqlite3.Connection, table: str, row: sqlite3.Row) -> None:
    keys = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")') if row[5]]
    condition = " AND ".join(f'"{key}" = :{key}' for key in keys)
    connection.execute(f'DELETE FROM "{table}" WHERE {condition}', {key: row[key] for key in keys})  # noqa: S608  as above


class _opened:  # noqa: N801  used like a function
    """A connection that is closed in the end, which sqlite3's own context manager does not do."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=5.0, isolation_level=None)
        # Else SQLite would read nothing of a file that is shorter than it says of itself.
        self._connection.execute("PRAGMA writable_schema = ON")
        self._connection.text_factory = _text

    def __enter__(self) -> sqlite3.Connection:
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _copy(source: sqlite3.Connection, fresh: sqlite3.Connection, table: str, brought: Salvage) -> None:
    had = {row[1] for row in _rows_of(source, f'PRAGMA table_info("{table}")')}
    columns = [row[1] for row in fresh.execute(f'PRAGMA table_info("{table}")') if row[1] in had]
    keys = [row[1] for row in fresh.execute(f'PRAGMA table_info("{table}")') if row[5]]
    if not columns:
        brought.torn.append(table)
        return
    names = ", ".join(f'"{name}"' for name in columns)
    insert = f'INSERT OR IGNORE INTO "{table}" ({names}) VALUES ({", ".join("?" * len(columns))})'  # noqa: S608  our own names
    select = f'SELECT {names} FROM "{table}" ORDER BY '  # noqa: S608  as above
    is_whole = True
    for order in ("ASC", "DESC"):
        try:
            for row in source.execute(select + ", ".join(f'"{key}" {order}' for key in keys)):
                with suppress(sqlite3.Error):  # a row of torn pages breaks rules that no row of ours breaks
                    fresh.execute(insert, tuple(row))
            break
        except sqlite3.Error:
            is_whole = False
    if not is_whole:
        brought.torn.append(table)
    if count := fresh.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]:  # noqa: S608  as above
        brought.kept[table] = count


def _rows_of(source: sqlite3.Connection, sql: str) -> Iterator[tuple[object, ...]]:
    with suppress(sqlite3.Error):
        yield from source.execute(sql)
