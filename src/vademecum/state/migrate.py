"""Numbered migrations: each runs in the transaction that records it, so it is applied once or not at all."""

import re
import sqlite3
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from vademecum.errors import DatabaseBroken
from vademecum.state.statements import split_script
from vademecum.state.times import to_ms, utc_now

__all__ = ["Migration", "aside", "is_current", "known_migrations", "migrate"]

_NAME = re.compile(r"(\d{4})_(\w+)\.sql")
_VERSION_TABLE = """
CREATE TABLE schema_version (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT
"""


class Migration(NamedTuple):
    """One step of a schema."""

    version: int
    name: str
    script: str


@cache
def known_migrations(package: str) -> tuple[Migration, ...]:
    """The steps of `<package>/migrations/NNNN_name.sql` in order; a gap in the numbers is a ValueError."""
    steps = sorted(
        Migration(int(match[1]), match[2], entry.read_text("utf-8"))
        for entry in files(package).joinpath("migrations").iterdir()
        if (match := _NAME.fullmatch(entry.name))
    )
    if [step.version for step in steps] != list(range(1, len(steps) + 1)):
        raise ValueError(f"the migrations of {package} are not numbered 1, 2, 3, ...")
    return tuple(steps)


def aside(path: Path) -> str:
    """What a person does with what stands in the place of a database and is none of ours."""
    return f"Move it away (mv {path} {path}.old), then run `vade learn`: it makes {path.name} anew."


def is_current(connection: sqlite3.Connection, package: str) -> bool:
    """Whether the file has exactly the schema that this program knows."""
    tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'schema_version'").fetchone()[0]
    return bool(tables) and _recorded_version(connection) == len(known_migrations(package))


def migrate(connection: sqlite3.Connection, path: Path, package: str) -> None:
    """Apply what is missing. The caller holds the write transaction, so two processes cannot both apply a step.

    Raises `DatabaseBroken` where the file is some other program's, or was written by a newer vademecum.
    """
    steps = known_migrations(package)
    version = _current_version(connection, path)
    if version > len(steps):
        raise DatabaseBroken(
            f"{path.name} has schema {version}, this program knows {len(steps)}",
            intact="The database is not touched: a newer vademecum wrote it.",
            next_step=f"Use the newer vademecum. Else: {aside(path)}",
            paths=(str(path),),
        )
    for step in steps[version:]:
        for statement in split_script(step.script):
            connection.execute(statement)
        connection.execute("INSERT INTO schema_version VALUES (?, ?, ?)", (step.version, step.name, to_ms(utc_now())))


def _recorded_version(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchone()[0]


def _current_version(connection: sqlite3.Connection, path: Path) -> int:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if "schema_version" in tables:
        return _recorded_version(connection)
    if tables:
        raise DatabaseBroken(f"{path.name} is a database of another program", next_step=aside(path), paths=(str(path),))
    connection.execute(_VERSION_TABLE)
    return 0
