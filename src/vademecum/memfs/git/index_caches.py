"""What git keeps in its index beside the entries, to be faster: it names folders and files that are gone.

Such a part has a name that begins with a capital letter, and every git does without it. The layout is that of git's own
documentation (gitformat-index).
"""

import hashlib
from pathlib import Path

from vademecum.private import replace_private_file

__all__ = ["drop_index_caches"]

_HEADER_BYTES, _CHECKSUM_BYTES = 12, 20
#: Times, device, owner, size and id of an entry, before its flags.
_FIXED_BYTES = 60
_EXTENDED = 0x4000  # in the flags: two more bytes of them follow
_PREFIXED = 4  # the version whose names leave out what they share with the one before


def drop_index_caches(file: Path) -> None:
    """Write git's index without them. Hold its lock. One that is missing, or in no known form, stays as it is."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return
    try:
        body = _without_caches(data)
    except (IndexError, ValueError):
        return
    if len(body) + _CHECKSUM_BYTES == len(data):
        return
    has_checksum = any(data[-_CHECKSUM_BYTES:])  # a person may have git leave it out, as zeros
    replace_private_file(file, body + (hashlib.sha1(body).digest() if has_checksum else bytes(_CHECKSUM_BYTES)))


def _without_caches(data: bytes) -> bytes:
    end = len(data) - _CHECKSUM_BYTES
    if not data.startswith(b"DIRC"):
        raise ValueError("no index")
    at = _end_of_entries(data)
    if at > end:
        raise ValueError("the entries reach into the checksum")
    kept = [data[:at]]
    while at < end:
        size = int.from_bytes(data[at + 4 : at + 8]) + 8
        if at + size > end:
            raise ValueError("a part reaches into the checksum")
        if not data[at : at + 1].isupper():
            kept.append(data[at : at + size])
        at += size
    return b"".join(kept)


def _end_of_entries(data: bytes) -> int:
    version, count = int.from_bytes(data[4:8]), int.from_bytes(data[8:_HEADER_BYTES])
    at = _HEADER_BYTES
    for _ in range(count):
        flags = int.from_bytes(data[at + _FIXED_BYTES : at + _FIXED_BYTES + 2])
        name = at + _FIXED_BYTES + (4 if flags & _EXTENDED else 2)
        if version == _PREFIXED:
            while data[name] & 0x80:
                name += 1
            at = data.index(b"\0", name + 1) + 1
        else:
            length = data.index(b"\0", name) - at
            at += length + 8 - length % 8  # at least one zero byte, up to a multiple of eight
    return at
