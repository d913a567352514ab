"""Walk a folder that somebody else may be changing: by descriptor, never through a link, every oddity named."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from vademecum.errors import UnsafePath
from vademecum.memfs.disk.worktree import read_regular

__all__ = ["READ_LIMIT_BYTES", "FoundFile", "PassesOver", "walk"]

#: Most bytes that are read of one file. The landing check refuses far smaller ones; this only bounds the memory.
READ_LIMIT_BYTES = 4 * 1024 * 1024

_MAX_DEPTH = 32

_SPECIAL_BITS = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX
_IDENTITY = ("st_dev", "st_ino", "st_size", "st_mtime_ns", "st_ctime_ns")
_SWAPPED = "was swapped for something else while it was read"

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class FoundFile(NamedTuple):
    """One name below a walked folder."""

    #: Relative to the folder, with `/` between its parts.
    path: str
    #: The content; empty for what is irregular.
    data: bytes = b""
    #: Why it is no plain file of memory; empty when it is one.
    irregular: str = ""
    #: The same before and after it was read; None where it changed meanwhile, or is irregular.
    status: os.stat_result | None = None


#: Says of a plain file, by its path and status, that it need not be read.
PassesOver = Callable[[str, os.stat_result], bool]


def walk(folder: Path, *, skip: str, passes_over: PassesOver | None = None) -> Iterator[FoundFile]:
    """Find everything below `folder` but its child `skip`, and what is passed over. Empty folders do not count."""
    root = os.open(folder, _FOLDER)
    try:
        yield from _walk(root, "", skip, _MAX_DEPTH, passes_over)
    finally:
        os.close(root)


def _walk(folder: int, prefix: str, skip: str, depth: int, passes_over: PassesOver | None) -> Iterator[FoundFile]:
    for name in sorted(os.listdir(folder)):
        if name == skip and not prefix:
            continue
        # A name that is not UTF-8 comes with surrogates, which no message could print; escaped, it is no memory path.
        path = prefix + (name if name.isascii() else name.encode(errors="backslashreplace").decode())
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            below = os.open(name, _FOLDER, dir_fd=folder) if stat.S_ISDIR(status.st_mode) and depth else None
        except FileNotFoundError:
            continue  # an editor's file of a moment
        except OSError as error:
            yield FoundFile(path, irregular=_oddity_of(error))
            continue
        if below is not None:
            try:
                yield from _walk(below, f"{path}/", "", depth - 1, passes_over)
            finally:
                os.close(below)
        elif stat.S_ISDIR(status.st_mode):
            yield FoundFile(path, irregular="lies too deep")
        elif reason := _irregularity(status):
            yield FoundFile(path, irregular=reason)
        elif passes_over is None or not passes_over(path, status):
            yield _file(name, folder, path, status)


def _file(name: str, folder: int, path: str, status: os.stat_result) -> FoundFile:
    try:
        data = read_regular(name, folder, path, limit_bytes=READ_LIMIT_BYTES)
        is_still = _is_same(status, name, folder)
    except UnsafePath:
        return FoundFile(path, irregular=_SWAPPED)
    except OSError as error:
        return FoundFile(path, irregular=_oddity_of(error))
    if len(data) > READ_LIMIT_BYTES:
        return FoundFile(path, irregular=f"has more than {READ_LIMIT_BYTES} bytes")
    return FoundFile(path, data, status=status if is_still else None)


def _is_same(status: os.stat_result, name: str, folder: int) -> bool:
    try:
        now = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return all(getattr(status, field) == getattr(now, field) for field in _IDENTITY)


def _oddity_of(error: OSError) -> str:
    """What is wrong with a name that was listed a moment ago. Raises the error where the disk itself fails."""
    if error.errno in {errno.EACCES, errno.EPERM}:
        return "may not be read (its permissions)"
    if error.errno in {errno.ENOENT, errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EMLINK}:
        return _SWAPPED
    raise error


def _irregularity(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "is a symbolic link"
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file"
    if status.st_mode & 0o111:
        return "is executable"
    if status.st_mode & _SPECIAL_BITS:
        return "has a special mode (setuid, setgid or sticky)"
    return "has a second name (hard link)" if status.st_nlink > 1 else ""
