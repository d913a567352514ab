"""The first schema of opencode's database: `session`, `message`, `part`. Source: opencode 1.2 to 1.18."""

import sqlite3
from collections import Counter
from collections.abc import Iterator

from vademecum.sessions.opencode.database import (
    SessionRow,
    data_of,
    has_columns,
    heading_of,
    ids_of,
    session_rows_of,
)
from vademecum.sessions.opencode.records import Heading, Stored, StoredPart

__all__ = ["heading", "is_there", "session_rows", "stored_messages"]

_COLUMNS = {
    "session": {"id", "directory", "time_created", "time_updated"},
    "message": {"id", "session_id", "time_created", "data"},
    "part": {"id", "message_id", "session_id", "data"},
}
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


def is_there(connection: sqlite3.Connection) -> bool:
    """Whether the tables and columns are there."""
    return has_columns(connection, _COLUMNS)


def session_rows(connection: sqlite3.Connection) -> list[SessionRow]:
    """All sessions, by id."""
    return session_rows_of(connection, _SESSIONS)


def heading(connection: sqlite3.Connection, session_id: str) -> Heading | None:
    """What the session says of itself, or None where it is gone."""
    return heading_of(connection, _SESSION, session_id)


def stored_messages(connection: sqlite3.Connection, session_id: str, skipped: Counter[str]) -> Iterator[Stored]:
    """The session's messages in order; parts are fetched one by one while they are iterated."""
    for message_id in ids_of(connection, _MESSAGES, session_id):
        data = data_of(connection, _MESSAGE, message_id, skipped)
        if data is not None:
            yield Stored(message_id, data, _stored_parts(connection, message_id, skipped))


def _stored_parts(connection: sqlite3.Connection, message_id: str, skipped: Counter[str]) -> Iterator[StoredPart]:
    for part_id in ids_of(connection, _PARTS, message_id):
        data = data_of(connection, _PART, part_id, skipped)
        if data is not None:
            yield StoredPart(part_id, data)
