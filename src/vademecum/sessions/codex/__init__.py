"""Reader for Codex: rollout files, plain or zstd-compressed, in `$CODEX_HOME` (default `~/.codex`).

`sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl[.zst]`, archived ones in `archived_sessions/`; files of 2025 may be one
JSON object (`.json`) or items without envelope. Source: the files that Codex 0.160 to 0.171 writes.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from vademecum.sessions.codex.lines import BARE_ITEM, OLD_FILE, SILENT_LINES, kind_of
from vademecum.sessions.codex.rollout import Rollout
from vademecum.sessions.discovery import file_ref, walk_files
from vademecum.sessions.jsonl import LINE_CAP_BYTES, Line, decode_line, first_bytes, open_regular, read_lines
from vademecum.sessions.model import Session, SessionRef
from vademecum.sessions.reasons import PassedOver

__all__ = ["discover", "host", "read", "recognises", "roots"]

host = "codex"

_SUFFIXES = (".jsonl", ".jsonl.zst", ".json")
_FOLDERS = ("sessions", "archived_sessions")
_ID_IN_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=\.|$)")
_LINE_TYPES = SILENT_LINES | {b"compacted", b"event_msg", b"response_item", b"session_meta", b"turn_context"}
#: How many lines of an unknown file may be something else before one that is Codex's.
_PROBED_LINES = 16
_OLD_FILE = re.compile(rb'\s*\{\s*"session"\s*:\s*\{')
#: The first line of a file without envelopes.
_OLD_META = re.compile(
    rb'\s*\{\s*"id"\s*:\s*"[0-9a-f-]{36}"\s*,\s*"timestamp"\s*:\s*"[^"]*"\s*,\s*"(?:instructions|git)"'
)
#: Files of one JSON object were small; they are read as a whole.
_OLD_FILE_CAP_BYTES = 4 * LINE_CAP_BYTES


def roots(environ: Mapping[str, str], home: Path) -> list[Path]:
    """The folders of current and of archived sessions."""
    base = Path(environ.get("CODEX_HOME") or home / ".codex")
    return [base / folder for folder in _FOLDERS]


def recognises(head: bytes, path: Path) -> bool:  # noqa: ARG001  part of the protocol; the content decides
    """Whether a file that begins so is a rollout."""
    if _OLD_FILE.match(head) or _OLD_META.match(head):
        return True
    kinds = map(kind_of, head.split(b"\n", _PROBED_LINES)[:_PROBED_LINES])
    return any(kind is not None and kind[1] in _LINE_TYPES for kind in kinds)


def discover(root: Path, skipped: Counter[str]) -> Iterator[SessionRef]:
    """The rollout files below a folder, or the one file."""
    for path in walk_files(root, skipped, suffixes=_SUFFIXES if root.is_dir() else ("",)):
        ref = file_ref(host, path, skipped, session_id=_id_in_name(path))
        if ref is not None:
            yield ref


def _id_in_name(path: Path | str) -> str:
    match = _ID_IN_NAME.search(Path(path).name)
    return match[0] if match else ""


def read(ref: SessionRef, skipped: Counter[str]) -> Session | None:
    """The session with its text as stored, or None where the file holds none. Raises OSError."""
    path = Path(ref.path)
    if _OLD_FILE.match(first_bytes(path, 256, Counter()) or b""):
        return _read_old(path, ref, skipped)
    own_id = _id_in_name(path)
    counts, rollout = _gather(path, own_id)
    if not rollout.is_known and rollout.foreign_id:
        # The file was copied under a name with another id in it.
        own_id = rollout.foreign_id
        counts, rollout = _gather(path, own_id)
    if rollout.humans_in_events and not rollout.has_human_words:
        counts, rollout = _gather(path, own_id, from_events=True)
    skipped.update(counts)
    return rollout.session(ref)


def _gather(path: Path, own_id: str, *, from_events: bool = False) -> tuple[Counter[str], Rollout]:
    counts: Counter[str] = Counter()
    rollout = Rollout(own_id, counts, from_events=from_events)
    for line in read_lines(path, skipped=counts):
        rollout.feed(line)
    return counts, rollout


def _read_old(path: Path, ref: SessionRef, skipped: Counter[str]) -> Session | None:
    stream = open_regular(path, skipped)
    if stream is None:
        return None
    with stream:
        data = stream.read(_OLD_FILE_CAP_BYTES + 1)
    if len(data) > _OLD_FILE_CAP_BYTES:
        skipped[PassedOver.CAPPED_LINE] += 1
        return None
    record = decode_line(OLD_FILE, Line(number=1, data=data), skipped)
    if record is None:
        return None
    rollout = Rollout("", skipped)
    rollout.take_meta(record.session)
    for item in record.items:
        rollout.take_item(decode_line(BARE_ITEM, Line(number=1, data=bytes(item)), skipped), b"")
    return rollout.session(ref)
