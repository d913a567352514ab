"""opencode's old store, one JSON file per session, message and part, left on disk by versions before 1.2.

storage/session/<project id>/<ses_*>.json    storage/message/<session id>/<msg_*>.json
storage/part/<message id>/<prt_*>.json
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from vademecum.errors import SessionUnreadable
from vademecum.sessions.jsonl import LINE_CAP_BYTES, open_regular
from vademecum.sessions.opencode.headings import heading_in, is_id
from vademecum.sessions.opencode.records import Heading, Stored, StoredPart
from vademecum.sessions.reasons import PassedOver

__all__ = [
    "fingerprint",
    "heading",
    "is_piece_of_session",
    "looks_like_session",
    "session_files",
    "storage_of",
    "stored_messages",
]

#: The first key of a session file is its own id; message and part files begin with `msg_` and `prt_` ids.
_SESSION_HEAD = re.compile(rb'\s*\{[^{}\[\]]*?"id"\s*:\s*"ses_')
_PLACE_KEY = re.compile(rb'"(?:directory|projectID)"\s*:')
#: `storage/session/<project id>/<file>`: the storage folder stands this many folders above a session file at most.
_STORAGE_DEPTH = 3


def looks_like_session(head: bytes) -> bool:
    """Whether a file that begins so is a session's own JSON file."""
    return _SESSION_HEAD.match(head) is not None and _PLACE_KEY.search(head) is not None


def is_piece_of_session(path: Path) -> bool:
    """Whether a file lies where the tree keeps messages, parts and projects: it belongs to the sessions beside it."""
    if path.suffix != ".json":
        return False
    if path.parent.name == "project":
        return (path.parent.parent / "session").is_dir()
    return path.stem[:4] in {"msg_", "prt_"} and path.parent.parent.name in {"message", "part"}


def session_files(storage: Path, skipped: Counter[str]) -> Iterator[Path]:
    """The session files below a storage folder, by path."""
    for project in _entries(storage / "session", skipped):
        if project.is_dir() and not project.is_symlink():
            yield from (path for path in _entries(project, skipped) if path.suffix == ".json")


def storage_of(session_file: Path) -> Path | None:
    """The storage folder that a session file belongs to, or None where it stands alone."""
    parents = list(session_file.parents)[:_STORAGE_DEPTH]
    return next((parent for parent in parents if (parent / "message").is_dir()), None)


def fingerprint(session_file: Path, file_fingerprint: str) -> str:
    """Changes with the session file and with every message that is added."""
    storage = storage_of(session_file)
    try:
        messages_ns = (storage / "message" / session_file.stem).stat().st_mtime_ns if storage else 0
    except OSError:
        messages_ns = 0
    return f"{file_fingerprint}-{messages_ns}"


def heading(session_file: Path, skipped: Counter[str]) -> Heading | None:
    """What the session says of itself, or None where the file is no session. Raises OSError."""
    data = _content(session_file, skipped)
    return None if data is None else heading_in(data, skipped)


def stored_messages(session_file: Path, session_id: str, skipped: Counter[str]) -> Iterator[Stored]:
    """The session's messages in order. Raises SessionUnreadable where the file does not stand in its storage folder."""
    storage = storage_of(session_file)
    if storage is None:
        raise SessionUnreadable(
            f"{session_file} holds the heading of a session, but its messages are not beside it",
            next_step="Pass the whole storage folder to --from.",
        )
    for path in _entries(storage / "message" / session_id, skipped):
        data = _content_or_none(path, skipped)
        if data is not None and is_id(path.stem):
            yield Stored(path.stem, data, _stored_parts(storage / "part" / path.stem, skipped))


def _stored_parts(folder: Path, skipped: Counter[str]) -> Iterator[StoredPart]:
    for path in _entries(folder, skipped):
        data = _content_or_none(path, skipped)
        if data is not None:
            yield StoredPart(path.stem, data)


def _entries(folder: Path, skipped: Counter[str]) -> list[Path]:
    """What lies in a folder, by name; ids grow with time. A folder that is not there holds nothing."""
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError:
        skipped[PassedOver.UNREADABLE] += 1
        return []


def _content(path: Path, skipped: Counter[str]) -> bytes | None:
    """The bytes of a small regular file; None, counted, where it is larger than a line may be."""
    stream = open_regular(path, skipped)
    if stream is None:
        return None
    with stream:
        data = stream.read(LINE_CAP_BYTES + 1)
    if len(data) > LINE_CAP_BYTES:
        skipped[PassedOver.CAPPED_LINE] += 1
        return None
    return data


def _content_or_none(path: Path, skipped: Counter[str]) -> bytes | None:
    try:
        return _content(path, skipped)
    except OSError:
        skipped[PassedOver.UNREADABLE] += 1
        return None
