"""Reader for opencode: the SQLite database (V1) and the JSON tree that stood before it.

Sessions lie in `$XDG_DATA_HOME/opencode` (default `~/.local/share/opencode`), as `opencode.db` (channel builds:
`opencode-<channel>.db`) and, from versions before 1.2, below `storage/`. A session in both places is read from the
database. `opencode_talk` holds the rules on whose words are whose.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from vademecum.errors import SessionUnreadable
from vademecum.sessions import opencode_db, opencode_tree
from vademecum.sessions.clock import stored_seconds
from vademecum.sessions.discovery import file_ref
from vademecum.sessions.model import Session, SessionRef
from vademecum.sessions.opencode_talk import build_session

__all__ = ["discover", "host", "read", "recognises", "roots"]

host = "opencode"

_DATABASES = "opencode*.db"


def roots(environ: Mapping[str, str], home: Path) -> list[Path]:
    """The data folder."""
    data = Path(environ.get("XDG_DATA_HOME", ""))
    # The XDG rules say that a relative value is to be ignored.
    return [(data if data.is_absolute() else home / ".local" / "share") / "opencode"]


def recognises(head: bytes, path: Path) -> bool:
    """Whether the file is a database with opencode's tables, or stands in the JSON tree."""
    if not head.startswith(opencode_db.SQLITE_MAGIC):
        return opencode_tree.looks_like_session(head) or opencode_tree.is_piece_of_session(path)
    try:
        with opencode_db.transaction(path) as connection:
            return opencode_db.has_schema(connection) or opencode_db.has_rows_of_v2(connection)
    except SessionUnreadable:
        # Whose it is cannot be told; `discover` meets the same error and counts it.
        return path.match(_DATABASES)


def discover(root: Path, skipped: Counter[str]) -> Iterator[SessionRef]:
    """The sessions in a data folder, a database file or one session file of the JSON tree; none in a piece of one."""
    if root.is_dir():
        known: set[str] = set()
        for database in sorted(root.glob(_DATABASES)):
            for ref in _in_database(database, skipped):
                known.add(ref.session_id)
                yield ref
        for path in opencode_tree.session_files(root / "storage", skipped):
            yield from _in_tree(path, skipped, is_duplicate=path.stem in known)
    elif _is_database(root):
        yield from _in_database(root, skipped)
    elif root.is_file() and not opencode_tree.is_piece_of_session(root):
        yield from _in_tree(root, skipped, is_duplicate=_stands_in_database(root))


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(opencode_db.SQLITE_MAGIC)) == opencode_db.SQLITE_MAGIC
    except OSError:
        return False


def _in_database(path: Path, skipped: Counter[str]) -> list[SessionRef]:
    file = file_ref(host, path, skipped)
    if file is None:
        return []
    try:
        with opencode_db.transaction(path) as connection:
            known = opencode_db.has_schema(connection)
            if not known or opencode_db.has_rows_of_v2(connection):
                skipped["unknown_schema"] += 1
            rows = opencode_db.session_rows(connection) if known else []
    except SessionUnreadable:
        skipped["unreadable"] += 1
        return []
    return [_row_ref(file, row) for row in rows]


def _row_ref(file: SessionRef, row: opencode_db.SessionRow) -> SessionRef:
    return SessionRef(
        host=host,
        path=file.path,
        session_id=row.id,
        fingerprint=row.fingerprint,
        modified_at=stored_seconds(row.updated_ms / 1000) or file.modified_at,
    )


def _in_tree(path: Path, skipped: Counter[str], *, is_duplicate: bool) -> Iterator[SessionRef]:
    ref = file_ref(host, path, skipped, session_id=path.stem)
    if ref is None:
        return
    if is_duplicate:
        skipped["duplicate"] += 1
        return
    yield msgspec.structs.replace(ref, fingerprint=opencode_tree.fingerprint(path, ref.fingerprint))


def _stands_in_database(session_file: Path) -> bool:
    """Whether a database of the data folder that a session file belongs to holds the same session."""
    storage = opencode_tree.storage_of(session_file)
    databases = storage.parent.glob(_DATABASES) if storage else ()
    return any(_holds(database, session_file.stem) for database in databases)


def _holds(database: Path, session_id: str) -> bool:
    try:
        with opencode_db.transaction(database) as connection:
            return opencode_db.has_schema(connection) and opencode_db.heading(connection, session_id) is not None
    except SessionUnreadable:
        # Its sessions are counted as unreadable where the database itself is met; the file is read instead.
        return False


def read(ref: SessionRef, skipped: Counter[str]) -> Session | None:
    """The session with its text as stored, or None where it is gone. Raises OSError or SessionUnreadable."""
    path = Path(ref.path)
    return _read_row(path, ref, skipped) if _is_database(path) else _read_tree(path, ref, skipped)


def _read_row(path: Path, ref: SessionRef, skipped: Counter[str]) -> Session | None:
    with opencode_db.transaction(path) as connection:
        heading = opencode_db.heading(connection, ref.session_id)
        if heading is None:
            return None
        return build_session(heading, opencode_db.stored_messages(connection, heading.id, skipped), ref, skipped)


def _read_tree(path: Path, ref: SessionRef, skipped: Counter[str]) -> Session | None:
    heading = opencode_tree.heading(path, skipped)
    if heading is None:
        return None
    return build_session(heading, opencode_tree.stored_messages(path, heading.id, skipped), ref, skipped)
