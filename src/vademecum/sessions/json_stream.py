"""JSON of any length read value by value, at a flat memory cost: what is longer than its cap is passed over.

The reader goes through the outer structure itself and takes the values inside of it as bytes, which it decodes.
"""

import re
from collections.abc import Callable, Iterator

from vademecum.errors import SessionUnreadable

__all__ = ["JsonStream"]

_BLANKS = re.compile(rb"[ \t\r\n]*+")
_SCALAR = re.compile(rb"[^ \t\r\n,:\]}]*+")
_OUTSIDE = re.compile(rb'[^"{}\[\]]*+')
_QUOTED = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_NAME_BYTES = 1024


class JsonStream:
    """One JSON text. Whoever iterates takes exactly one value at each step. All raise SessionUnreadable.

    read: gives the next bytes; none at the end.
    source: whose text it is, for messages.
    """

    def __init__(self, read: Callable[[], bytes], *, source: str) -> None:
        self._read, self._source = read, source
        self._data, self._at = b"", 0

    def items(self) -> Iterator[None]:
        """Stands before each element of an array."""
        yield from self._each(b"[", b"]")

    def fields(self) -> Iterator[bytes]:
        """The names of the fields of an object as they are written, with quotes; stands before the value of each."""
        for _ in self._each(b"{", b"}"):
            if self._next() != b'"':
                raise self._strange()
            name = self.value(_NAME_BYTES)
            self._expect(b":")
            yield name or b""

    def value(self, cap_bytes: int) -> bytes | None:
        """The next value, whatever it is; None where it is longer than that."""
        taken: list[bytes] = []
        size_bytes = 0
        for piece in self._pieces():
            size_bytes += len(piece)
            if size_bytes <= cap_bytes:
                taken.append(piece)
            else:
                taken.clear()
        return b"".join(taken) if size_bytes <= cap_bytes else None

    def _each(self, begin: bytes, end: bytes) -> Iterator[None]:
        self._expect(begin)
        if self._next() == end:
            self._at += 1
            return
        while True:
            yield
            sign = self._next()
            self._at += 1
            if sign == end:
                return
            if sign != b",":
                raise self._strange()

    def _expect(self, sign: bytes) -> None:
        if self._next() != sign:
            raise self._strange()
        self._at += 1

    def _next(self) -> bytes:
        """The next byte that is no blank; it is not taken."""
        while (match := _BLANKS.match(self._data, self._at)) and match.end() == len(self._data):
            self._go_on(match.end())
        self._at = match.end() if match else self._at
        return self._data[self._at : self._at + 1]

    def _go_on(self, at: int) -> None:
        """Throw away what stands before, and have the next bytes."""
        more = self._read()
        if not more:
            raise SessionUnreadable(f"{self._source} breaks off", next_step="A later `vade learn` tries it again.")
        self._data, self._at = self._data[at:] + more, 0

    def _pieces(self) -> Iterator[bytes]:
        """The bytes of the next value as they come."""
        if self._next() not in {b'"', b"[", b"{"}:
            yield from self._scalar()
            return
        depth, is_quoted = 0, False
        while True:
            start = self._at
            at, depth, is_quoted = _scan(self._data, start, depth, is_quoted=is_quoted)
            yield self._data[start:at]
            if not depth and not is_quoted:
                self._at = at
                return
            self._go_on(at)

    def _scalar(self) -> Iterator[bytes]:
        is_empty = True
        while match := _SCALAR.match(self._data, self._at):
            yield match[0]
            is_empty = is_empty and not match[0]
            self._at = match.end()
            if self._at < len(self._data):
                break
            self._go_on(self._at)
        if is_empty:
            raise self._strange()

    def _strange(self) -> SessionUnreadable:
        return SessionUnreadable(
            f"{self._source} has a form that is not known",
            next_step="If the server is of another version, learn from its database: vade learn --from PATH.",
        )


def _scan(data: bytes, at: int, depth: int, *, is_quoted: bool) -> tuple[int, int, bool]:
    """Go on to the end of a value, or of the data: where that is, how deep inside, and whether inside of a string.

    An escape that the data cuts in two stays for the next time.
    """
    while at < len(data):
        match = (_QUOTED if is_quoted else _OUTSIDE).match(data, at)
        at = match.end() if match else at
        if at == len(data) or data[at] == ord("\\"):
            break
        sign = data[at : at + 1]
        at += 1
        if sign == b'"':
            is_quoted = not is_quoted
        else:
            depth += 1 if sign in {b"[", b"{"} else -1
        if not depth and not is_quoted:
            break
    return at, depth, is_quoted
