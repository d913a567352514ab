"""opencode's SQLite database: read-only, one short transaction per question.

The host may be running: the file is opened with `mode=ro` and never `immutable`, and nothing is held open. The schema
is told from column names. Values above the cap are refused by SQLite itself before they are loaded, so a part of any
size costs nothing. `schema_v1` and `schema_v2` ask the questions.
"""

import math
import os
import sqlite3
import stat
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from vademecum.errors import SessionUnreadable
from vademecum.sessions.clock import stored_seconds
from vademecum.sessions.jsonl import LINE_CAP_BYTES
from vademecum.sessions.opencode.records import REVERT, Heading, Revert
from vademecum.sessions.reasons import PassedOver

__all__ = [
    "SQLITE_MAGIC",
    "SessionRow",
    "data_of",
    "has_columns",
    "heading_of",
    "ids_of",
    "number_of",
    "session_rows_of",
    "text_of",
    "transaction",
]

SQLITE_MAGIC = b"SQLite format 3\0"

_BUSY_SECONDS = 1.0
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


class SessionRow(msgspec.Struct, frozen=True):
    """A session as the database lists it."""

    id: str
    updated_ms: float
    #: Changes whenever the session may have changed.
    fingerprint: str
    #: Its share of the database, by the number of its parts: to add up their lengths would be to read them.
    size_bytes: int


@contextmanager
def transaction(path: Path) -> Generator[sqlite3.Connection]:
    """A read transaction on the database. Raises SessionUnreadable where it is no regular file or SQLite refuses it."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise SessionUnreadable(f"{path} is not a regular file")
        with closing(_connect(path)) as connection:
            connection.execute("BEGIN")
            yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # The second: a damaged schema may hold names that are no UTF-8.
        raise SessionUnreadable(
            f"the database {path} cannot be read: {error}",
            next_step="If its folder is read-only, copy the database with its -wal file and pass the copy to --from.",
        ) from error
    except OSError as error:
        raise SessionUnreadable(f"the database {path} cannot be opened: {error.strerror}") from error


def _connect(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LINE_CAP_BYTES)
    connection.execute("PRAGMA trusted_schema = OFF")
    # JSON goes to the decoder as bytes, and text of another program need not be valid UTF-8.
    connection.text_factory = bytes
    return connection


def has_columns(connection: sqlite3.Connection, needed: Mapping[str, set[str]]) -> bool:
    """Whether these tables are there, each with these columns at least."""
    tables = {text_of(name) for (name,) in connection.execute(_TABLES)}
    return tables >= needed.keys() and all(
        columns <= _column_names(connection, table) for table, columns in needed.items()
    )


def _column_names(connection: sqlite3.Connection, table: str) -> set[str]:
    return {text_of(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def session_rows_of(connection: sqlite3.Connection, statement: str) -> list[SessionRow]:
    """Sessions as a statement lists them: id, time of the last change, how many messages and how many parts."""
    rows = [(text_of(row[0]), number_of(row[1]), row[2], row[3]) for row in connection.execute(statement)]
    bytes_of_part = _size_bytes(connection) / max(1, sum(parts for *_, parts in rows))
    return [
        SessionRow(session_id, updated_ms, f"{updated_ms}:{messages}:{parts}", int(parts * bytes_of_part))
        for session_id, updated_ms, messages, parts in rows
    ]


def _size_bytes(connection: sqlite3.Connection) -> int:
    return math.prod(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))


def heading_of(connection: sqlite3.Connection, statement: str, session_id: str) -> Heading | None:
    """What the session says of itself, or None where it is gone. Later columns may be missing."""
    cursor = connection.execute(statement, (session_id,))
    values = cursor.fetchone()
    if values is None:
        return None
    row: dict[str, Any] = dict(zip((column[0] for column in cursor.description), values, strict=True))
    revert = _revert(row.get("revert"))
    return Heading(
        id=session_id,
        parent_id=text_of(row.get("parent_id")),
        fork_of=text_of(row.get("fork_session_id")),
        directory=text_of(row["directory"]),
        title=text_of(row.get("title")),
        metadata=text_of(row.get("metadata")),
        revert_message_id=revert.messageID,
        revert_part_id=revert.partID or "",
        created_at=stored_seconds(number_of(row["time_created"]) / 1000),
        updated_at=stored_seconds(number_of(row["time_updated"]) / 1000),
    )


def _revert(value: object) -> Revert:
    try:
        return REVERT.decode(value) if isinstance(value, bytes) else Revert()
    except msgspec.DecodeError:
        return Revert()


def ids_of(connection: sqlite3.Connection, statement: str, key: str) -> list[str]:
    """The first column of what a statement finds for a key."""
    return [text_of(row[0]) for row in connection.execute(statement, (key,))]


def data_of(connection: sqlite3.Connection, statement: str, key: str, skipped: Counter[str]) -> bytes | None:
    """The JSON of one row; None, counted, where it is above the cap or none."""
    try:
        row = connection.execute(statement, (key,)).fetchone()
    except sqlite3.DataError:
        skipped[PassedOver.CAPPED_LINE] += 1
        return None
    if row is None or not isinstance(row[0], bytes):
        skipped[PassedOver.BROKEN_LINE] += 1
        return None
    return row[0]


def text_of(value: object) -> str:
    """A value of the database as text; all but text is empty."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def number_of(value: object) -> float:
    """A value of the database as a number; all but numbers is 0."""
    return value if isinstance(value, int | float) else 0
