"""What of a work tree need not be read again: the files that were found as committed and were not touched since.

A file is known by what the file system says of it, as git's index does: device, inode, size, and the times of its last
change of content and of status. No program can set the last of these back, so an edit that keeps size and modification
time still shows. Times have grains, though: what was changed just before it was read may change again within the same
grain, so it is not taken for known until it has been quiet for longer than the coarsest grain.
"""

import os
import struct
import time
from contextlib import suppress
from pathlib import Path

import pygit2

from vademecum.private import make_private_folders, read_plain_file, replace_private_file

__all__ = ["Glances"]

#: Names no path and holds no text, so that nothing in it has to be forgotten.
_NAME = "unchanged"
#: Of the form of an entry: a file that begins otherwise is not ours to read.
_HEAD = b"vademecum unchanged 1\n"
_STAMP = struct.Struct("<QQQqq20s")
_ENTRY_BYTES = _STAMP.size
_MOST_BYTES = 64 * 1024 * 1024
#: FAT has the coarsest times that are in use: two seconds.
_GRAIN_NS = 2_000_000_000


class Glances:
    """One look over a work tree, and what an earlier one left in the folder `cache`; None: nothing is kept."""

    def __init__(self, cache: Path | None) -> None:
        self._cache = cache
        self._before = set[bytes]() if cache is None else _load(cache / _NAME)
        self._again: list[bytes] = []
        self._new: list[bytes] = []
        self._quiet_before_ns = time.time_ns() - _GRAIN_NS

    def knows(self, blob: pygit2.Oid, status: os.stat_result) -> bool:
        """Say whether the file with this status held this blob when it was last read, and was not touched since."""
        entry = _entry(blob, status)
        if entry not in self._before:
            return False
        self._again.append(entry)
        return True

    def note(self, blob: pygit2.Oid, status: os.stat_result) -> None:
        """Take in that a file that had this status before and after it was read holds this blob."""
        if max(status.st_mtime_ns, status.st_ctime_ns) < self._quiet_before_ns:
            self._new.append(_entry(blob, status))

    def keep(self) -> None:
        """Leave what was seen to the next look."""
        # What was found again is a part of what was known: two of the same size are the same.
        if self._cache is None or (not self._new and len(self._again) == len(self._before)):
            return
        # Where nothing can be written the next look reads the files again, and nothing else is lost.
        with suppress(OSError):
            make_private_folders(self._cache)
            replace_private_file(self._cache / _NAME, _HEAD + b"".join(sorted({*self._again, *self._new})))


def _entry(blob: pygit2.Oid, status: os.stat_result) -> bytes:
    return _STAMP.pack(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, blob.raw)


def _load(file: Path) -> set[bytes]:
    """Read the entries; none where the file is missing or damaged: then every file is read."""
    try:
        data = read_plain_file(file, most_bytes=_MOST_BYTES, follows_links=False)
    except OSError:
        return set()
    body = data.removeprefix(_HEAD)
    if len(body) == len(data) or len(body) % _ENTRY_BYTES:
        return set()
    return {entry for (entry,) in struct.iter_unpack(f"{_ENTRY_BYTES}s", body)}
