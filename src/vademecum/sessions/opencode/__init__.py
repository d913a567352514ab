"""Reader for opencode: the SQLite database in both of its schemas, the JSON tree before it, and running servers.

Sessions lie in `$XDG_DATA_HOME/opencode` (default `~/.local/share/opencode`), as `opencode.db` (channel builds:
`opencode-<channel>.db`) and, from versions before 1.2, below `storage/`. A session in both places is read from the
database, and there from the newer schema. `api` asks a running server for what is stored elsewhere. `talk` and
`entries` hold the rules on whose words are whose.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from vademecum.errors import SessionUnreadable
from vademecum.sessions.addresses import is_address
from vademecum.sessions.clock import stored_seconds
from vademecum.sessions.discovery import file_ref
from vademecum.sessions.model import Session, SessionRef
from vademecum.sessions.opencode import database, schema_v1, schema_v2, tree
from vademecum.sessions.opencode.entries import build_session_of_entries
from vademecum.sessions.opencode.records import Heading
from vademecum.sessions.opencode.talk import build_session
from vademecum.sessions.reasons import PassedOver

__all__ = ["discover", "host", "read", "recognises", "roots"]

host = "opencode"

_DATABASES = "opencode*.db"


def roots(environ: Mapping[str, str], home: Path) -> list[Path]:
    """The data folder, and the database that `$OPENCODE_DB` names in another place."""
    data = Path(environ.get("XDG_DATA_HOME", ""))
    # The XDG rules say that a relative value is to be ignored.
    folder = (data if data.is_absolute() else home / ".local" / "share") / "opencode"
    chosen = environ.get("OPENCODE_DB", "").strip()
    # One with a name of the host's own, in its folder, is found there.
    elsewhere = [folder / chosen] if chosen and chosen != ":memory:" else []
    return [folder, *(path for path in elsewhere if not (path.parent == folder and path.match(_DATABASES)))]


def recognises(head: bytes, path: Path) -> bool:
    """Whether the file is a database with opencode's tables, or stands in the JSON tree."""
    if not head.startswith(database.SQLITE_MAGIC):
        return tree.looks_like_session(head) or tree.is_piece_of_session(path)
    try:
        with database.transaction(path) as connection:
            return schema_v1.is_there(connection) or schema_v2.is_begun(connection)
    except SessionUnreadable:
        # Whose it is cannot be told; `discover` meets the same error and counts it.
        return path.match(_DATABASES)


def discover(root: Path, skipped: Counter[str]) -> Iterator[SessionRef]:
    """The sessions in a data folder, a database file or one session file of the JSON tree; none in a piece of one."""
    if root.is_dir():
        known: set[str] = set()
        for file in sorted(root.glob(_DATABASES)):
            for ref in _in_database(file, skipped):
                known.add(ref.session_id)
                yield ref
        for path in tree.session_files(root / "storage", skipped):
            yield from _in_tree(path, skipped, is_duplicate=path.stem in known)
    elif _is_database(root):
        yield from _in_database(root, skipped)
    elif root.is_file() and not tree.is_piece_of_session(root):
        yield from _in_tree(root, skipped, is_duplicate=_stands_in_database(root))


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(database.SQLITE_MAGIC)) == database.SQLITE_MAGIC
    except OSError:
        return False


def _in_database(path: Path, skipped: Counter[str]) -> list[SessionRef]:
    file = file_ref(host, path, skipped)
    if file is None:
        return []
    try:
        with database.transaction(path) as connection:
            rows = _rows(connection, skipped)
    except SessionUnreadable:
        skipped[PassedOver.UNREADABLE] += 1
        return []
    return [_row_ref(file, row) for row in rows]


def _rows(connection: sqlite3.Connection, skipped: Counter[str]) -> list[database.SessionRow]:
    """Every session once, by id: what stands in both schemas was moved to the second."""
    first, second = schema_v1.is_there(connection), schema_v2.is_complete(connection)
    if not (first or second) or (schema_v2.is_begun(connection) and not second):
        skipped[PassedOver.UNKNOWN_SCHEMA] += 1
    rows = {row.id: row for row in schema_v1.session_rows(connection)} if first else {}
    rows |= {row.id: row for row in schema_v2.session_rows(connection)} if second else {}
    return [rows[session_id] for session_id in sorted(rows)]


def _row_ref(file: SessionRef, row: database.SessionRow) -> SessionRef:
    return SessionRef(
        host=host,
        path=file.path,
        session_id=row.id,
        fingerprint=row.fingerprint,
        size_bytes=row.size_bytes,
        modified_at=stored_seconds(row.updated_ms / 1000) or file.modified_at,
    )


def _in_tree(path: Path, skipped: Counter[str], *, is_duplicate: bool) -> Iterator[SessionRef]:
    ref = file_ref(host, path, skipped, session_id=path.stem)
    if ref is None:
        return
    if is_duplicate:
        skipped[PassedOver.DUPLICATE] += 1
        return
    yield msgspec.structs.replace(ref, fingerprint=tree.fingerprint(path, ref.fingerprint))


def _stands_in_database(session_file: Path) -> bool:
    """Whether a database of the data folder that a session file belongs to holds the same session."""
    storage = tree.storage_of(session_file)
    files = storage.parent.glob(_DATABASES) if storage else ()
    return any(_holds(file, session_file.stem) for file in files)


def _holds(file: Path, session_id: str) -> bool:
    try:
        with database.transaction(file) as connection:
            return bool(_moved(connection, session_id) or _unmoved(connection, session_id))
    except SessionUnreadable:
        # Its sessions are counted as unreadable where the database itself is met; the file is read instead.
        return False


def read(ref: SessionRef, skipped: Counter[str]) -> Session | None:
    """The session with its text as stored, or None where it is gone. Raises OSError or SessionUnreadable."""
    if is_address(ref.path):
        # Here, because what speaks HTTP takes a while to load, and nearly all sessions lie in files.
        from vademecum.sessions.opencode import api

        return api.read(ref, skipped)
    path = Path(ref.path)
    return _read_row(path, ref, skipped) if _is_database(path) else _read_tree(path, ref, skipped)


def _moved(connection: sqlite3.Connection, session_id: str) -> Heading | None:
    return schema_v2.heading(connection, session_id) if schema_v2.is_complete(connection) else None


def _unmoved(connection: sqlite3.Connection, session_id: str) -> Heading | None:
    return schema_v1.heading(connection, session_id) if schema_v1.is_there(connection) else None


def _read_row(path: Path, ref: SessionRef, skipped: Counter[str]) -> Session | None:
    with database.transaction(path) as connection:
        if heading := _moved(connection, ref.session_id):
            entries = schema_v2.stored_entries(connection, heading.id, skipped)
            return build_session_of_entries(heading, entries, ref, skipped)
        if heading := _unmoved(connection, ref.session_id):
            return build_session(heading, schema_v1.stored_messages(connection, heading.id, skipped), ref, skipped)
        return None


def _read_tree(path: Path, ref: SessionRef, skipped: Counter[str]) -> Session | None:
    heading = tree.heading(path, skipped)
    if heading is None:
        return None
    return build_session(heading, tree.stored_messages(path, heading.id, skipped), ref, skipped)
