"""opencode's SQLite database, V1 (`session`, `message`, `part`): read-only, one short transaction per question.

The host may be running: the file is opened with `mode=ro` and never `immutable`, and nothing is held open. The schema
is told from column names. Values above the cap are refused by SQLite itself before they are loaded, so a part of any
size costs nothing. Source: the schema of opencode 1.18; V2 (`session_v2`, `session_message`) is another format.
"""

import math
import os
import sqlite3
import stat
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from vademecum.errors import SessionUnreadable
from vademecum.sessions.clock import stored_seconds
from vademecum.sessions.jsonl import LINE_CAP_BYTES
from vademecum.sessions.opencode.records import REVERT, Heading, Revert, Stored, StoredPart
from vademecum.sessions.reasons import PassedOver

__all__ = [
    "SQLITE_MAGIC",
    "SessionRow",
    "has_rows_of_v2",
    "has_schema",
    "heading",
    "session_rows",
    "stored_messages",
    "transaction",
]

SQLITE_MAGIC = b"SQLite format 3\0"

_BUSY_SECONDS = 1.0
_COLUMNS = {
    "session": {"id", "directory", "time_created", "time_updated"},
    "message": {"id", "session_id", "time_created", "data"},
    "part": {"id", "message_id", "session_id", "data"},
}
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
# The counts come from indexes. A host writes times when a session is touched, not with every part.
_SESSIONS = """
SELECT id, time_updated,
       (SELECT count(*) FROM message WHERE message.session_id = session.id) AS messages,
       (SELECT count(*) FROM part WHERE part.session_id = session.id) AS parts
FROM session ORDER BY id
"""
_SESSION = "SELECT * FROM session WHERE id = ?"
_MESSAGES = "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id"
_MESSAGE = "SELECT data FROM message WHERE id = ?"
_PARTS = "SELECT id FROM part WHERE message_id = ? ORDER BY id"
_PART = "SELECT data FROM part WHERE id = ?"


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


def has_schema(connection: sqlite3.Connection) -> bool:
    """Whether the tables and columns of V1 are there."""
    tables = {_text(name) for (name,) in connection.execute(_TABLES)}
    return tables >= _COLUMNS.keys() and all(
        columns <= _column_names(connection, table) for table, columns in _COLUMNS.items()
    )


def _column_names(connection: sqlite3.Connection, table: str) -> set[str]:
    return {_text(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def has_rows_of_v2(connection: sqlite3.Connection) -> bool:
    """Whether there are sessions of the second schema, which is not read here."""
    tables = {_text(name) for (name,) in connection.execute(_TABLES)}
    if "session_v2" in tables:
        return True
    return (
        "session_message" in tables
        and connection.execute("SELECT 1 FROM session_message LIMIT 1").fetchone() is not None
    )


def session_rows(connection: sqlite3.Connection) -> list[SessionRow]:
    """All sessions, by id."""
    rows = [(_text(row[0]), _number(row[1]), row[2], row[3]) for row in connection.execute(_SESSIONS)]
    bytes_of_part = _size_bytes(connection) / max(1, sum(parts for *_, parts in rows))
    return [
        SessionRow(session_id, updated_ms, f"{updated_ms}:{messages}:{parts}", int(parts * bytes_of_part))
        for session_id, updated_ms, messages, parts in rows
    ]


def _size_bytes(connection: sqlite3.Connection) -> int:
    return math.prod(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))


def heading(connection: sqlite3.Connection, session_id: str) -> Heading | None:
    """What the session says of itself, or None where it is gone. Later columns may be missing."""
    cursor = connection.execute(_SESSION, (session_id,))
    values = cursor.fetchone()
    if values is None:
        return None
    row: dict[str, Any] = dict(zip((column[0] for column in cursor.description), values, strict=True))
    revert = _revert(row.get("revert"))
    return Heading(
        id=session_id,
        parent_id=_text(row.get("parent_id")),
        directory=_text(row["directory"]),
        title=_text(row.get("title")),
        metadata=_text(row.get("metadata")),
        revert_message_id=revert.messageID,
        revert_part_id=revert.partID or "",
        created_at=stored_seconds(_number(row["time_created"]) / 1000),
        updated_at=stored_seconds(_number(row["time_updated"]) / 1000),
    )


def _revert(value: object) -> Revert:
    try:
        return REVERT.decode(value) if isinstance(value, bytes) else Revert()
    except msgspec.DecodeError:
        return Revert()


def stored_messages(connection: sqlite3.Connection, session_id: str, skipped: Counter[str]) -> Iterator[Stored]:
    """The session's messages in order; parts are fetched one by one while they are iterated."""
    for message_id in _ids(connection, _MESSAGES, session_id):
        data = _data(connection, _MESSAGE, message_id, skipped)
        if data is not None:
            yield Stored(message_id, data, _stored_parts(connection, message_id, skipped))


def _stored_parts(connection: sqlite3.Connection, message_id: str, skipped: Counter[str]) -> Iterator[StoredPart]:
    for part_id in _ids(connection, _PARTS, message_id):
        data = _data(connection, _PART, part_id, skipped)
        if data is not None:
            yield StoredPart(part_id, data)


def _ids(connection: sqlite3.Connection, statement: str, key: str) -> list[str]:
    return [_text(row[0]) for row in connection.execute(statement, (key,))]


def _data(connection: sqlite3.Connection, statement: str, key: str, skipped: Counter[str]) -> bytes | None:
    try:
        row = connection.execute(statement, (key,)).fetchone()
    except sqlite3.DataError:
        skipped[PassedOver.CAPPED_LINE] += 1
        return None
    if row is None or not isinstance(row[0], bytes):
        skipped[PassedOver.BROKEN_LINE] += 1
        return None
    return row[0]


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0
