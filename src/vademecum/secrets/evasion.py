"""Texts as a reader sees them: without what is invisible, with a way back to the offsets of the original.

A secret may hide behind zero-width, bidi, tag or control characters, terminal colours, no-break blanks or full-width
letters. Around every such character the scanner also reads up to three shadows of the text.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

import msgspec

_REACH_BEFORE = 320
_REACH_AFTER = 1_280
"""Characters around an invisible one that are read again; a longer secret is found by its visible part."""


#: First and last code points of the controls (without tab and line breaks), of the format characters (category Cf of
#: Unicode 16), of the fillers that are drawn as nothing, and of the variation selectors.
_INVISIBLE_RANGES = (
    *((0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x034F, 0x034F), (0x0600, 0x0605)),
    *((0x061C, 0x061C), (0x06DD, 0x06DD), (0x070F, 0x070F), (0x0890, 0x0891), (0x08E2, 0x08E2), (0x115F, 0x1160)),
    *((0x17B4, 0x17B5), (0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD)),
    *((0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F)),
)
_INVISIBLE = "".join(chr(code) for first, last in _INVISIBLE_RANGES for code in range(first, last + 1))
_BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f"
_WIDE = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F) if chr(code).isalnum() or chr(code) in "_=-"}
_TAGS = {chr(0xE0000 + code): chr(code) for code in range(0x20, 0x7F)}
LITERALS = tuple(_INVISIBLE + _BLANKS + "".join(_WIDE))
"""Every character that makes a second look necessary."""

_SHOWN = {**dict.fromkeys(_BLANKS, " "), **_WIDE}
_CLASS = "[" + "".join(map(re.escape, _INVISIBLE)) + "]"
_HIDDEN = re.compile(rf"\x1b\[[0-9;?]{{0,32}}[A-Za-z]|{_CLASS}|[{_BLANKS}{''.join(_WIDE)}]")


class Shadow(msgspec.Struct, frozen=True, kw_only=True):
    """A text in which hidden characters are taken out or replaced."""

    text: str
    #: Offsets in the shadow at which something was taken out.
    seams: frozenset[int]
    #: Offsets in the shadow at which a piece begins, ascending.
    _starts: list[int]
    #: Where each of these pieces begins in the original.
    _origins: list[int]

    def origin(self, offset: int) -> int:
        """The offset in the original of the character at `offset`."""
        piece = bisect_right(self._starts, offset) - 1
        return self._origins[piece] + offset - self._starts[piece]


def shadows(text: str, hidden: list[int]) -> Iterator[Shadow]:
    """The shadows of all windows around the hidden characters (offsets, ascending)."""
    for start, end in _windows(hidden, len(text)):
        window = text[start:end]
        yield _shadow(window, start, lambda piece: _SHOWN.get(piece, ""))
        yield _shadow(window, start, lambda piece: _SHOWN.get(piece, " "))
        if "\U000e0020" <= max(window) <= "\U000e007f":
            yield _shadow(window, start, lambda piece: _TAGS.get(piece) or _SHOWN.get(piece, ""))


def _windows(hidden: list[int], length: int) -> Iterator[tuple[int, int]]:
    start, end = hidden[0] - _REACH_BEFORE, hidden[0] + _REACH_AFTER
    for offset in hidden:
        if offset - _REACH_BEFORE > end:
            yield max(0, start), min(end, length)
            start = offset - _REACH_BEFORE
        end = offset + _REACH_AFTER
    yield max(0, start), min(end, length)


def _shadow(window: str, base: int, replace: Callable[[str], str]) -> Shadow:
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    seams: set[int] = set()
    length = done = 0

    def add(piece: str, origin: int) -> None:
        nonlocal length
        if piece:
            pieces.append(piece)
            starts.append(length)
            origins.append(base + origin)
            length += len(piece)

    for found in _HIDDEN.finditer(window):
        add(window[done : found.start()], done)
        add(replace(found.group()), found.start())
        seams.add(length)
        done = found.end()
    add(window[done:], done)
    return Shadow(text="".join(pieces), seams=frozenset(seams), _starts=starts, _origins=origins)
