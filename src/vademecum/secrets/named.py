"""Values that a name gives away: the name is read once, then every place is looked at in which its value may stand."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets import apposed, assignments, columns, listed
from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.marks import MARK
from vademecum.secrets.names import meaning_of, name_start, phrase_meaning

_TAIL = re.compile(r"[A-Za-z0-9_.\-]{1,60}")
_LONGEST_BEGINNING = 8
_PLACES: tuple[Detector, ...] = (assignments.detect, listed.detect, columns.detect, apposed.detect)
"""The surest first: a name has one value."""


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The value of the name around `start`; most words that only look like one end here."""
    tail = _TAIL.match(text, start)
    assert tail is not None, "a literal begins here"
    first, end = name_start(text, start), tail.end()
    if meaning_of(text[first:end]) is None and phrase_meaning(text, first, end) is None:
        return NOTHING
    if _is_of_mark(text, first):
        return assignments.detect(text, start, seams)
    for look in _PLACES:
        if found := look(text, start, seams):
            return found
    return NOTHING


def _is_of_mark(text: str, first: int) -> bool:
    """Whether the name is the kind of a masked secret: what stands beside that is not its value."""
    bracket = text.rfind("[", max(0, first - _LONGEST_BEGINNING), first)
    return bracket >= 0 and MARK.match(text, bracket) is not None
