"""The second schema of opencode's database: `session_v2`, `session_message`. Source: opencode 2.0.

Where sessions of the first schema stand in the same file, the second one is believed only when the host says that it
has moved them all over. `session_message` alone is an early trial of the host's, and no sessions.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator

import msgspec

from vademecum.sessions.opencode.database import (
    SessionRow,
    data_of,
    has_columns,
    heading_of,
    number_of,
    session_rows_of,
    text_of,
)
from vademecum.sessions.opencode.records import Heading, StoredEntry

__all__ = ["heading", "is_begun", "is_complete", "session_rows", "stored_entries"]

_MESSAGE_COLUMNS = {"session_message": {"id", "session_id", "type", "seq", "time_created", "data"}}
_COLUMNS = _MESSAGE_COLUMNS | {"session_v2": {"id", "directory", "time_created", "time_updated"}}
_SESSIONS = """
SELECT id, time_updated, messages, messages FROM (
    SELECT id, time_updated,
           (SELECT count(*) FROM session_message WHERE session_message.session_id = session_v2.id) AS messages
    FROM session_v2 ORDER BY id
)
"""
_SESSION = "SELECT * FROM session_v2 WHERE id = ?"
_ENTRIES = "SELECT id, type, time_created FROM session_message WHERE session_id = ? ORDER BY seq, id"
_ENTRY = "SELECT data FROM session_message WHERE id = ?"
_MOVED = "SELECT value FROM kv WHERE key = 'migration.v1-v2'"


class _Moving(msgspec.Struct):
    phase: str = ""


def is_begun(connection: sqlite3.Connection) -> bool:
    """Whether anything of it is there, complete or not."""
    if has_columns(connection, {"session_v2": set()}):
        return True
    if not has_columns(connection, {"session_message": set()}):
        return False
    return connection.execute("SELECT 1 FROM session_message LIMIT 1").fetchone() is not None


def is_complete(connection: sqlite3.Connection) -> bool:
    """Whether its sessions are to be read from it."""
    if not has_columns(connection, _COLUMNS):
        return False
    return not has_columns(connection, {"session": set()}) or _has_moved(connection)


def _has_moved(connection: sqlite3.Connection) -> bool:
    if not has_columns(connection, {"kv": {"key", "value"}}):
        return False
    row = connection.execute(_MOVED).fetchone()
    try:
        return msgspec.json.decode(text_of(row[0]) if row else "{}", type=_Moving).phase == "completed"
    except msgspec.DecodeError:
        return False


def session_rows(connection: sqlite3.Connection) -> list[SessionRow]:
    """All sessions, by id."""
    return session_rows_of(connection, _SESSIONS)


def heading(connection: sqlite3.Connection, session_id: str) -> Heading | None:
    """What the session says of itself, or None where it is gone."""
    return heading_of(connection, _SESSION, session_id)


def stored_entries(connection: sqlite3.Connection, session_id: str, skipped: Counter[str]) -> Iterator[StoredEntry]:
    """The session's entries in order, fetched one by one."""
    for entry_id, kind, created_ms in connection.execute(_ENTRIES, (session_id,)).fetchall():
        data = data_of(connection, _ENTRY, text_of(entry_id), skipped)
        if data is not None:
            yield StoredEntry(text_of(entry_id), text_of(kind), number_of(created_ms), data)
