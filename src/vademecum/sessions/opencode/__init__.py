"""Reader for opencode: the SQLite database (V1) and the JSON tree that stood before it.

Sessions lie in `$XDG_DATA_HOME/opencode` (default `~/.local/share/opencode`), as `opencode.db` (channel builds:
`opencode-<channel>.db`) and, from versions before 1.2, below `storage/`. A session in both places is read from the
database. `talk` holds the rules on whose words are whose.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from vademecum.errors import SessionUnreadable
from vademecum.sessions.clock import stored_seconds
from vademecum.sessions.discovery import file_ref
from vademecum.sessions.model import Session, SessionRef
from vademecum.sessions.opencode import database, tree
from vademecum.sessions.opencode.talk import build_session
from vademecum.sessions.reasons import PassedOver

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
    if not head.startswith(database.SQLITE_MAGIC):
        return tree.looks_like_session(head) or tree.is_piece_of_session(path)
    try:
        with database.transaction(path) as connection:
            return database.has_schema(connection) or database.has_rows_of_v2(connection)
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
            known = database.has_schema(connection)
            if not known or database.has_rows_of_v2(connection):
                skipped[PassedOver.UNKNOWN_SCHEMA] += 1
            rows = database.session_rows(connection) if known else []
    except SessionUnreadable:
        skipped[PassedOver.UNREADABLE] += 1
        return []
    return [_row_ref(file, row) for row in rows]


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
            return database.has_schema(connection) and database.heading(connection, session_id) is not None
    except SessionUnreadable:
        # Its sessions are counted as unreadable where the database itself is met; the file is read instead.
        return False


def read(ref: SessionRef, skipped: Counter[str]) -> Session | None:
    """The session with its text as stored, or None where it is gone. Raises OSError or SessionUnreadable."""
    path = Path(ref.path)
    return _read_row(path, ref, skipped) if _is_database(path) else _read_tree(path, ref, skipped)


def _read_row(path: Path, ref: SessionRef, skipped: Counter[str]) -> Session | None:
    with database.transaction(path) as connection:
        heading = database.heading(connection, ref.session_id)
        if heading is None:
            return None
        return build_session(heading, database.stored_messages(connection, heading.id, skipped), ref, skipped)


def _read_tree(path: Path, ref: SessionRef, skipped: Counter[str]) -> Session | None:
    heading = tree.heading(path, skipped)
    if heading is None:
        return None
    return build_session(heading, tree.stored_messages(path, heading.id, skipped), ref, skipped)
