"""Keep `git gc` away while we write: it throws away whatever nothing refers to yet.

Git's own protocol: `.git/gc.pid` names the process that collects garbage and its machine, and no second one begins
while that process lives, or for twelve hours where it is another machine's. So one that a killed writer of ours left
stands in nobody's way. A bare `git prune` asks nobody; what it takes is written again (`publication`).
"""

import os
import re
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from vademecum.memfs.disk.worktree import write_new
from vademecum.private import read_plain_file

__all__ = ["keeping_gc_away"]

_NAME = "gc.pid"
_RECORD = re.compile(rb"(\d+) (\S+)\s*")
_MOST_BYTES = 1024
#: Of git's own: an older file says nothing.
_STALE_SECONDS = 12 * 3600
#: Collecting the garbage of a memory takes less. Whatever stands there longer must not keep anybody from writing.
_PATIENT_SECONDS = 2.0
_POLL_SECONDS = 0.01

#: The repositories that this process keeps, with its id: a forked child keeps none of its parent's.
_kept: set[tuple[int, Path]] = set()


@contextmanager
def keeping_gc_away(git_dir: Path, *, wait_seconds: float) -> Generator[None]:
    """Let no `git gc` begin inside the block; wait a little for one that runs. Needs the `memory-write` lock."""
    key = (os.getpid(), git_dir)
    file = git_dir / _NAME
    if key in _kept or not _take(file, min(wait_seconds, _PATIENT_SECONDS)):
        yield
        return
    _kept.add(key)
    try:
        yield
    finally:
        _kept.discard(key)
        if os.getpid() == key[0] and _read(file) == _record():
            with suppress(OSError):
                file.unlink()


def _take(file: Path, wait_seconds: float) -> bool:
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            write_new(file, _record())
        except FileExistsError:
            if not _is_live(file):
                with suppress(OSError):
                    file.unlink()
        except OSError:
            return False  # the write itself will tell of the disk
        else:
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_SECONDS)


def _record() -> bytes:
    return f"{os.getpid()} {os.uname().nodename}".encode()


def _read(file: Path) -> bytes:
    try:
        return read_plain_file(file, most_bytes=_MOST_BYTES, follows_links=False)
    except OSError:
        return b""


def _is_live(file: Path) -> bool:
    """Whether somebody collects garbage, as git itself judges."""
    found = _RECORD.fullmatch(_read(file))
    try:
        is_recent = time.time() - file.lstat().st_mtime <= _STALE_SECONDS
    except OSError:
        return False
    if found is None or not is_recent:
        return False
    pid, machine = found.groups()
    return machine != os.uname().nodename.encode() or (int(pid) != os.getpid() and _runs(int(pid)))


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True
