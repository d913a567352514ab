"""Tokens that a vendor gave a shape: prefix, alphabet and length are evidence enough."""

import re
from collections.abc import Callable, Container, Sequence
from functools import cache

from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.shapes import INFIX_REACH, INFIXED, PREFIXED

#: No letter, digit, `_` or `-` before it, unless that letter is the end of an escape such as a backslashed newline, or
#: that `-` the end of the two that begin an option.
_BOUNDARY = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=[^\w-]--)|(?<=^--))"
_STARTS_WORD = re.compile(_BOUNDARY)


def _compiled_when_used(expression: str) -> Callable[[], re.Pattern[str]]:
    """A process that starts for one short text should not pay for 200 expressions."""
    return cache(lambda: re.compile(expression))


def _prefixed(kind: str, literal: str, rest: str) -> Detector:
    shape = re.escape(literal) + f"(?:{rest})"
    # What begins with a sign, such as a part of a URL, ends the word before it by itself.
    word = _compiled_when_used((_BOUNDARY if literal[0].isalnum() else "") + shape)
    anywhere = _compiled_when_used(shape)

    def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
        found = (anywhere() if start in seams else word()).match(text, start)
        return (Finding(kind=kind, start=start, end=found.end()),) if found else NOTHING

    return detect


def _infixed(kind: str, before: str, literal: str, after: str) -> Detector:
    head = _compiled_when_used(before + r"\Z")
    tail = _compiled_when_used(re.escape(literal) + after)

    def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
        rest = tail().match(text, start)
        reach = max(0, start - INFIX_REACH)
        before_it = head().search(text[reach:start]) if rest else None
        if rest is None or before_it is None:
            return NOTHING
        first = reach + before_it.start()
        if first not in seams and not _STARTS_WORD.match(text, first):
            return NOTHING
        return (Finding(kind=kind, start=first, end=rest.end()),)

    return detect


DETECTORS: tuple[tuple[str, Detector], ...] = (
    *((literal, _prefixed(kind, literal, rest)) for kind, literals, rest in PREFIXED for literal in literals),
    *((literal, _infixed(kind, before, literal, after)) for kind, before, literal, after in INFIXED),
)
"""Literal and detector; a literal may stand here more than once."""
