"""Compressed session files: zstd streams decompressed piece by piece, within limits that a hostile file cannot pass."""

import io
import os
import sys
from collections import Counter
from typing import IO, Any, Protocol

from vademecum.sessions.reasons import PassedOver

__all__ = ["inflated"]

_BUFFER_BYTES = 1024 * 1024
_MAGIC = b"\x28\xb5\x2f\xfd"
#: `zstd --ultra` may ask for 2 GiB of window; session files are written with small ones.
_WINDOW_CAP_BYTES = 64 * 1024 * 1024
#: Expansion below this is never called a bomb.
_FREE_BYTES = 64 * 1024 * 1024
#: Session text shrinks ten- to fifty-fold; endless repetition much more.
_RATIO_CAP = 400
_TOTAL_CAP_BYTES = 4 * 1024 * 1024 * 1024


def inflated(raw: IO[bytes], skipped: Counter[str]) -> IO[bytes]:
    """The file's content: decompressed where it begins like a zstd stream, else the file itself.

    A stream that expands without end or that is broken ends early, counted `expansion_bomb` or `broken_compression`.
    """
    compressed = raw.read(len(_MAGIC)) == _MAGIC
    raw.seek(0)
    return io.BufferedReader(_Inflated(raw, skipped), _BUFFER_BYTES) if compressed else raw


class _Stream(Protocol):
    def read1(self, size: int = -1, /) -> bytes: ...


class _Inflated(io.RawIOBase):
    def __init__(self, raw: IO[bytes], skipped: Counter[str]) -> None:
        allowed = max(_FREE_BYTES, os.fstat(raw.fileno()).st_size * _RATIO_CAP)
        self._left_bytes = min(allowed, _TOTAL_CAP_BYTES)
        self._stream, self._error = _zstd_stream(raw)
        self._skipped = skipped
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401  # the type of writable buffers has no name before 3.12
        piece = b"" if self._ended else self._next(len(buffer))
        self._ended = not piece
        buffer[: len(piece)] = piece
        return len(piece)

    def _next(self, size_bytes: int) -> bytes:
        if self._left_bytes <= 0:
            self._skipped[PassedOver.EXPANSION_BOMB] += 1
            return b""
        try:
            # One step at a time, so that what came before a broken place is not lost with it.
            piece = self._stream.read1(min(size_bytes, self._left_bytes))
        except (self._error, EOFError):
            self._skipped[PassedOver.BROKEN_COMPRESSION] += 1
            return b""
        self._left_bytes -= len(piece)
        return piece


def _zstd_stream(raw: IO[bytes]) -> tuple[_Stream, type[Exception]]:
    """A reader of the decompressed bytes, and the error that it raises on a broken stream."""
    # Few sessions are compressed: the module is loaded when one is met.
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_CAP_BYTES.bit_length() - 1}
    return zstd.ZstdFile(raw, options=options), zstd.ZstdError
