"""Walk a folder that somebody else may be changing: by descriptor, never through a link, every oddity named."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from vademecum.errors import UnsafePath
from vademecum.memfs.worktree import read_regular

__all__ = ["MAX_FILE_BYTES", "FoundFile", "walk"]

#: Most bytes that are read of one file. The landing check refuses far smaller ones; this only bounds the memory.
MAX_FILE_BYTES = 4 * 1024 * 1024

_MAX_DEPTH = 32

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class FoundFile(NamedTuple):
    """One name below a walked folder."""

    #: Relative to the folder, with `/` between its parts.
    path: str
    #: The content; empty for what is irregular.
    data: bytes = b""
    #: Why it is no plain file of memory; empty when it is one.
    irregular: str = ""


def walk(folder: Path, *, skip: str) -> Iterator[FoundFile]:
    """Find everything below `folder` but its child `skip`. Empty folders do not count."""
    root = os.open(folder, _FOLDER)
    try:
        yield from _walk(root, "", skip, _MAX_DEPTH)
    finally:
        os.close(root)


def _walk(folder: int, prefix: str, skip: str, depth: int) -> Iterator[FoundFile]:
    for name in sorted(os.listdir(folder)):
        if name == skip and not prefix:
            continue
        # A name that is not UTF-8 comes with surrogates, which no message could print; escaped, it is no memory path.
        path = prefix + name.encode(errors="backslashreplace").decode()
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            continue  # an editor's file of a moment
        if not stat.S_ISDIR(status.st_mode):
            yield _file(name, folder, path, status)
        elif depth == 0:
            yield FoundFile(path, irregular="lies too deep")
        else:
            below = os.open(name, _FOLDER, dir_fd=folder)
            try:
                yield from _walk(below, f"{path}/", "", depth - 1)
            finally:
                os.close(below)


def _file(name: str, folder: int, path: str, status: os.stat_result) -> FoundFile:
    reason = _irregularity(status)
    if reason:
        return FoundFile(path, irregular=reason)
    try:
        data = read_regular(name, folder, path, limit_bytes=MAX_FILE_BYTES)
    except UnsafePath:
        return FoundFile(path, irregular="was swapped for something else while it was read")
    except PermissionError:
        return FoundFile(path, irregular="may not be read (its permissions)")
    if len(data) > MAX_FILE_BYTES:
        return FoundFile(path, irregular=f"has more than {MAX_FILE_BYTES} bytes")
    return FoundFile(path, data)


def _irregularity(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "is a symbolic link"
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file"
    if status.st_mode & 0o111:
        return "is executable"
    return "has a second name (hard link)" if status.st_nlink > 1 else ""
