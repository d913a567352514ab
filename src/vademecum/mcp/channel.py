"""The two ends of the pipe: lines that come in, whole and of bounded length, and lines that go out, never mixed."""

import os
import select
import sys
from collections import deque
from collections.abc import Iterator
from threading import Condition, Thread

__all__ = ["MAX_LINE_BYTES", "MAX_UNREAD_BYTES", "Outbox", "TooLong", "claim_standard_streams", "lines"]

#: A longer message is passed over: no page of memory comes near it.
MAX_LINE_BYTES = 8 * 1024 * 1024
#: A client that lets so much lie unread is taken for gone.
MAX_UNREAD_BYTES = 64 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024


class TooLong:
    """Stands for a line that was passed over."""


def claim_standard_streams() -> tuple[int, int]:
    """Take standard input and output for the protocol alone; returns their new descriptors.

    Whatever else in this process prints goes to standard error from now on, and what reads gets nothing; so do the
    programs that it starts.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # a host may have closed standard error
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    os.close(nowhere)
    sys.stdout = sys.stderr
    return incoming, outgoing


def lines(incoming: int, outgoing: int, alarm: int, *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[bytes | TooLong]:
    """Every line until the end, without blank ones; the last one may lack its line break.

    The end is also when nobody reads what goes out, and when there is something to read at `alarm`.
    """
    parts: list[bytes] = []
    size = 0
    for chunk in _chunks(incoming, outgoing, alarm):
        first, *others = chunk.split(b"\n")
        for piece in others:
            yield from _line(parts, first, size + len(first), max_bytes)
            parts, size, first = [], 0, piece
        size += len(first)
        if size <= max_bytes:
            parts.append(first)
        else:
            parts.clear()
    yield from _line(parts, b"", size, max_bytes)


def _chunks(incoming: int, outgoing: int, alarm: int) -> Iterator[bytes]:
    ends = select.poll()
    ends.register(incoming, select.POLLIN)
    ends.register(alarm, select.POLLIN)
    ends.register(outgoing, 0)  # of this end only its loss is told
    while not {outgoing, alarm} & dict(ends.poll()).keys():
        chunk = os.read(incoming, _CHUNK_BYTES)
        if not chunk:
            return
        yield chunk


def _line(parts: list[bytes], last: bytes, size: int, max_bytes: int) -> Iterator[bytes | TooLong]:
    if size > max_bytes:
        yield TooLong()
    elif line := b"".join([*parts, last]).strip():
        yield line


class Outbox:
    """What goes out, in the order in which it was put in, from whichever thread; nobody waits for a slow reader."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: deque[bytes] = deque()
        self._unread_bytes = 0
        self._changed = Condition()
        self._is_gone = False
        Thread(target=self._write_all, name="vade-outbox", daemon=True).start()

    @property
    def is_gone(self) -> bool:
        """Whether nobody reads any more."""
        return self._is_gone

    def put(self, line: bytes) -> None:
        """Send a line, or drop it where nobody reads."""
        with self._changed:
            if self._unread_bytes + len(line) > MAX_UNREAD_BYTES:
                self._is_gone = True
            if not self._is_gone:
                self._waiting.append(line)
                self._unread_bytes += len(line)
                self._changed.notify_all()

    def drain(self, seconds: float) -> None:
        """Wait until everything is out, or nobody reads, or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_gone or not self._unread_bytes, seconds)

    def _write_all(self) -> None:
        while not self._is_gone:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                line = self._waiting.popleft()
            try:
                _write(self._descriptor, line)
            except OSError:  # the reader closed its end
                self._is_gone = True
            with self._changed:
                self._unread_bytes -= len(line)
                self._changed.notify_all()


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
