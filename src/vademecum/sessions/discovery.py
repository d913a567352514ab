"""Finding sessions: in the hosts' own folders, or below any path that a person names.

Walks are lazy, sorted by path, and follow no link; what cannot be a session file is counted:

    not_regular     a symlink, FIFO, socket or device
    vanished        gone between listing and opening
    unreadable      no permission, or the disk failed
    not_a_session   a file whose content no reader recognises (only below a named path)
"""

import os
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from vademecum.sessions.jsonl import first_bytes
from vademecum.sessions.model import SessionRef
from vademecum.sessions.reader import HEAD_BYTES, Reader
from vademecum.sessions.reasons import PassedOver
from vademecum.sessions.registry import HOSTS, reader_for

__all__ = ["Discovery", "Looked", "ReadBefore", "discover", "file_ref", "walk_files"]

#: Of a file, by its path and fingerprint: host and session id of its reference, where it was read as it is now.
ReadBefore = Callable[[str, str], tuple[str, str] | None]


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """A place that was searched."""

    #: The host whose place it is; empty for a path that was named by a person.
    host: str
    path: str
    exists: bool


class Discovery(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found."""

    #: By host, then by path.
    refs: tuple[SessionRef, ...]
    looked: tuple[Looked, ...]
    #: What was passed over: reason (`reasons.PassedOver`) -> count.
    skipped: dict[str, int]


def discover(
    *,
    hosts: Collection[str] | None,
    sources: Sequence[Path] | None,
    environ: Mapping[str, str],
    home: Path,
    read_before: ReadBefore = lambda _path, _fingerprint: None,
) -> Discovery:
    """Find the sessions of these hosts (None: all) in their own folders, or only below `sources` where they are given.

    Below a source every file counts, whatever its name: its format is recognised from its content, or known since it
    was read (`read_before`). The same session may come up more than once (a copy, an archive). Raises UsageError for an
    unknown host.
    """
    readers = [reader_for(host) for host in (HOSTS if hosts is None else sorted(set(hosts), key=_host_order))]
    skipped: Counter[str] = Counter()
    if sources is None:
        places = [(reader, root) for reader in readers for root in reader.roots(environ, home)]
        looked = [_looked(reader.host, root) for reader, root in places]
        refs = [ref for reader, root in places for ref in _guarded(reader, _real(root), skipped)]
    else:
        looked = [_looked("", source) for source in sources]
        refs = [ref for source in sources for ref in _discover_below(_real(source), readers, read_before, skipped)]
    reasons = {str(reason): count for reason, count in skipped.items()}
    return Discovery(refs=tuple(refs), looked=tuple(looked), skipped=reasons)


def _looked(host: str, path: Path) -> Looked:
    return Looked(host=host, path=str(path), exists=_mode(path) != 0)


def _mode(path: Path) -> int:
    """What kind of file it is, as in `st_mode`; 0 where it is missing or out of reach."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def _real(path: Path) -> Path:
    """The place itself, for people link to their folders; `Path.resolve` raises on a loop of links."""
    return Path(os.path.realpath(path))


def _host_order(host: str) -> int:
    return HOSTS.index(host) if host in HOSTS else len(HOSTS)


def _discover_below(
    source: Path, readers: Collection[Reader], read_before: ReadBefore, skipped: Counter[str]
) -> Iterator[SessionRef]:
    hosts = {reader.host for reader in readers}
    for path in walk_files(source, skipped):
        status = _status(path, skipped)
        if status is None:
            continue
        before = read_before(path, _fingerprint(status))
        if before and before[0] in hosts:
            yield _ref(path, status, *before)
        else:
            yield from _recognised(Path(path), readers, skipped)


def _recognised(path: Path, readers: Iterable[Reader], skipped: Counter[str]) -> Iterator[SessionRef]:
    """What a file holds whose format only its content tells."""
    head = _head(path, skipped)
    if head is None:
        return
    reader = next((reader for reader in readers if reader.recognises(head, path)), None)
    if reader is None:
        skipped[PassedOver.NOT_A_SESSION] += 1
    else:
        yield from _guarded(reader, path, skipped)


def _guarded(reader: Reader, root: Path, skipped: Counter[str]) -> Iterator[SessionRef]:
    """What the reader finds; what the system refuses ends the search of this root only."""
    try:
        yield from reader.discover(root, skipped)
    except OSError:
        skipped[PassedOver.UNREADABLE] += 1


def _head(path: Path, skipped: Counter[str]) -> bytes | None:
    try:
        return first_bytes(path, HEAD_BYTES, skipped)
    except FileNotFoundError:
        skipped[PassedOver.VANISHED] += 1
    except OSError:
        skipped[PassedOver.UNREADABLE] += 1
    return None


def walk_files(root: Path, skipped: Counter[str], *, suffixes: tuple[str, ...] = ("",)) -> Iterator[str]:
    """The regular files below `root` (or `root` itself) whose name ends with one of `suffixes`, sorted by path.

    As text: to make ten thousand path objects takes as long as to find the files. A missing root yields nothing. Links
    are not followed, so there are no loops.
    """
    mode = _mode(root)
    if stat.S_ISDIR(mode):
        yield from _walk_folder(root, skipped, suffixes)
    elif stat.S_ISREG(mode):
        yield str(root)
    elif mode:
        skipped[PassedOver.NOT_REGULAR] += 1


def _walk_folder(root: Path, skipped: Counter[str], suffixes: tuple[str, ...]) -> Iterator[str]:
    # A stack and not recursion: folders may be nested more deeply than calls.
    stack = [_entries(root, skipped)]
    while stack:
        entry = next(stack[-1], None)
        if entry is None:
            stack.pop()
        elif entry.is_dir(follow_symlinks=False):
            stack.append(_entries(entry.path, skipped))
        elif not entry.is_file(follow_symlinks=False):
            skipped[PassedOver.NOT_REGULAR] += 1
        elif entry.name.endswith(suffixes):
            yield entry.path


def _entries(folder: Path | str, skipped: Counter[str]) -> "Iterator[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as scan:
            return iter(sorted(scan, key=lambda entry: entry.name))
    except FileNotFoundError:
        skipped[PassedOver.VANISHED] += 1
    except OSError:
        skipped[PassedOver.UNREADABLE] += 1
    return iter(())


def file_ref(host: str, path: Path | str, skipped: Counter[str], *, session_id: str = "") -> SessionRef | None:
    """The reference of a session that is a file of its own; None (counted) where the file is gone or out of reach."""
    status = _status(path, skipped)
    return status and _ref(str(path), status, host, session_id)


def _status(path: Path | str, skipped: Counter[str]) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        skipped[PassedOver.VANISHED] += 1
    except OSError:
        skipped[PassedOver.UNREADABLE] += 1
    return None


def _fingerprint(status: os.stat_result) -> str:
    return f"{status.st_size}-{status.st_mtime_ns}"


def _ref(path: str, status: os.stat_result, host: str, session_id: str) -> SessionRef:
    return SessionRef(
        host=host,
        path=path,
        session_id=session_id,
        fingerprint=_fingerprint(status),
        size_bytes=status.st_size,
        modified_at=datetime.fromtimestamp(status.st_mtime, UTC),
    )
