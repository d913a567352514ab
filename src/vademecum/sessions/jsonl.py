"""Bounded reading of JSON-lines files: any size, any line length, at a flat memory cost.

`open_regular` opens a file that may be hostile, `read_lines` cuts it into lines, `decode_line` turns a line into a
typed record. Nothing here knows a host's format. What is left out is counted in a `Counter`:

    capped_line         longer than the cap: only its head and tail are known
    broken_line         no JSON, or JSON of another shape
    repaired_line       invalid UTF-8, half a surrogate pair or NUL bytes, replaced
    not_regular         a symlink, FIFO, socket or device
    broken_compression  the compressed stream ends in an error
    expansion_bomb      decompressing was stopped
"""

import json
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from vademecum.sessions.inflate import inflated
from vademecum.sessions.reasons import PassedOver

__all__ = [
    "LINE_CAP_BYTES",
    "TAIL_BYTES",
    "Line",
    "decode_line",
    "first_bytes",
    "open_regular",
    "outer_fields",
    "read_lines",
]

#: A line longer than this is known by its head and tail only.
LINE_CAP_BYTES = 8 * 1024 * 1024
#: What is kept of the end of a capped line: the fields that identify it may stand behind its long part.
TAIL_BYTES = 64 * 1024

_BUFFER_BYTES = 1024 * 1024
_BLANK = b"\0 \t\r\n"
_BOM = b"\xef\xbb\xbf"

T = TypeVar("T")


class Line(msgspec.Struct, kw_only=True, gc=False):
    """One line of a file.

    `data` is the whole line, its newline included, or the head of a capped line; `tail` is empty unless it is capped.
    """

    #: Counted from 1.
    number: int
    data: bytes
    tail: bytes = b""
    capped: bool = False
    #: False for a last line without newline: its writer may still be at work.
    complete: bool = True


def open_regular(path: Path | str, skipped: Counter[str]) -> IO[bytes] | None:
    """The file opened for reading, or None (counted `not_regular`) where it is a link, FIFO, socket or device.

    Never blocks: a FIFO is opened without waiting for its writer. Raises OSError where the file cannot be opened.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags)
    except OSError:
        if _is_special(path):
            skipped[PassedOver.NOT_REGULAR] += 1
            return None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        skipped[PassedOver.NOT_REGULAR] += 1
        return None
    return os.fdopen(descriptor, "rb", buffering=_BUFFER_BYTES)


def _is_special(path: Path | str) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def first_bytes(path: Path | str, size_bytes: int, skipped: Counter[str]) -> bytes | None:
    """The first (decompressed) bytes of a regular file, or None where it is none (counted). Raises OSError."""
    raw = open_regular(path, skipped)
    if raw is None:
        return None
    with raw, inflated(raw, Counter()) as stream:
        return stream.read(size_bytes)


def read_lines(path: Path | str, *, cap_bytes: int = LINE_CAP_BYTES, skipped: Counter[str]) -> Iterator[Line]:
    """The lines of a regular file, plain or zstd-compressed (told from its first bytes), each at most `cap_bytes` long.

    Raises OSError where the file cannot be opened or read.
    """
    raw = open_regular(path, skipped)
    if raw is None:
        return
    with raw, inflated(raw, skipped) as stream:
        yield from _split(stream, cap_bytes, skipped)


def _split(stream: IO[bytes], cap_bytes: int, skipped: Counter[str]) -> Iterator[Line]:
    number = 0
    while data := stream.readline(cap_bytes):
        number += 1
        whole = data.endswith(b"\n")
        reached_cap = len(data) == cap_bytes and not whole
        if number == 1:
            data = data.removeprefix(_BOM)
        if not reached_cap:
            yield Line(number=number, data=data, complete=whole)
            continue
        tail, complete = _skip_rest(stream)
        skipped[PassedOver.CAPPED_LINE] += 1
        yield Line(number=number, data=data, tail=tail, capped=True, complete=complete)


def _skip_rest(stream: IO[bytes]) -> tuple[bytes, bool]:
    """Read to the end of the line; its last `TAIL_BYTES` at least, and whether it ends with a newline."""
    previous = rest = b""
    while piece := stream.readline(TAIL_BYTES):
        previous, rest = rest, piece
        if piece.endswith(b"\n"):
            return previous + rest, True
    return previous + rest, False


def decode_line(decoder: "msgspec.json.Decoder[T]", line: Line, skipped: Counter[str]) -> T | None:
    """The record on this line, or None where there is none.

    A blank line is none; a half-written last line is none and not counted; all else that does not decode is counted
    `broken_line`. Capped lines are not for this function.
    """
    try:
        return decoder.decode(line.data)
    except (msgspec.DecodeError, RecursionError):
        record = _decode_mended(decoder, line.data)
    if record is not None:
        skipped[PassedOver.REPAIRED_LINE] += 1
    elif line.complete and line.data.strip(_BLANK):
        skipped[PassedOver.BROKEN_LINE] += 1
    return record


def _decode_mended(decoder: "msgspec.json.Decoder[T]", data: bytes) -> T | None:
    # Hosts written in JavaScript store half of an emoji where they cut a string, and a crash leaves runs of NUL bytes.
    # msgspec refuses both, and bytes that are no UTF-8; the standard library is slower and tolerant.
    text = data.strip(_BLANK).decode("utf-8", "replace")
    try:
        return decoder.decode(json.dumps(json.loads(text, strict=False), ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def outer_fields(line: Line, names: Iterable[str]) -> dict[str, str]:
    """String fields of a capped line, without parsing it: the first of a name in its head, else the last in its tail.

    A guess, good enough to keep a tree of lines in one piece: names inside text are escaped there and never match.
    """
    found: dict[str, str] = {}
    for name in names:
        pattern = re.compile(rb'"' + name.encode() + rb'"\s*:\s*"([^"\\]{1,256})"')
        match = pattern.search(line.data, 0, TAIL_BYTES) or _last_match(pattern, line.tail)
        if match:
            found[name] = match[1].decode("utf-8", "replace")
    return found


def _last_match(pattern: re.Pattern[bytes], data: bytes) -> re.Match[bytes] | None:
    last = None
    for match in pattern.finditer(data):
        last = match
    return last
