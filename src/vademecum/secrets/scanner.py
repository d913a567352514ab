"""Find every secret in a text: one walk for literals, then a look at the places where one stands."""

from bisect import bisect_right
from collections.abc import Container, Iterator
from functools import cache
from operator import itemgetter

from vademecum.secrets import (
    abroad,
    assignments,
    beside,
    carriers,
    commands,
    evasion,
    listed,
    logins,
    manifests,
    named,
    names,
    pem,
    prose,
    spaced,
    statements,
    vendor,
)
from vademecum.secrets.finding import Detector, Finding, merge
from vademecum.secrets.literals import Finder, Places, finder
from vademecum.secrets.marks import MARK, holds_mask


def _cased(words: tuple[str, ...]) -> Iterator[str]:
    for word in words:
        yield from {word, word.upper(), word[0].upper() + word[1:]}


#: Detectors that need what stands around the literal. A value that one of them has found is not looked into again.
_IN_CONTEXT: tuple[tuple[str, Detector], ...] = (
    *((literal, pem.detect) for literal in pem.LITERALS),
    *((literal, named.detect) for literal in _cased(names.STEMS)),
    *((literal, assignments.detect) for literal in names.EXACT),
    *listed.DETECTORS,
    *carriers.DETECTORS,
    *commands.DETECTORS,
    *statements.DETECTORS,
    *prose.DETECTORS,
    *abroad.DETECTORS,
    *logins.DETECTORS,
    *((literal, spaced.detect) for literal in spaced.LITERALS),
)
#: Detectors that look at every place of their literal, whatever else was found there.
_AT_ONCE = (*vendor.DETECTORS, *beside.DETECTORS, *manifests.DETECTORS)
#: Hidden characters come last, so that their numbers tell them.
_VISIBLE = sorted({literal for literal, _ in (*_AT_ONCE, *_IN_CONTEXT)})
_LITERALS = (*_VISIBLE, *evasion.LITERALS)
_FIRST_HIDDEN = len(_VISIBLE)


def _table(detectors: tuple[tuple[str, Detector], ...]) -> list[tuple[Detector, ...]]:
    by_literal: dict[str, list[Detector]] = {literal: [] for literal in _VISIBLE}
    for literal, detect in detectors:
        by_literal[literal].append(detect)
    return [tuple(by_literal.get(literal, ())) for literal in _LITERALS]


_VENDOR = _table(_AT_ONCE)
_CONTEXT = _table(_IN_CONTEXT)


@cache
def _finder() -> Finder:
    """Built with the first scan: a process that never scans should not wait for it."""
    return finder(_LITERALS)


def scan(text: str) -> list[Finding]:
    """The secrets of the text, sorted, without overlap; offsets in characters."""
    places = _finder()(text)
    if not places:
        return []
    found = _look(text, places, ())
    hidden = [start for number, start, _ in places if number >= _FIRST_HIDDEN]
    if hidden:
        found += _behind(text, hidden)
    return merge(_outside_markers(text, found)) if found else found


def _look(text: str, places: Places, seams: Container[int]) -> list[Finding]:
    """Vendors' findings first: they give the kind where an assignment found the same."""
    by_shape: list[Finding] = []
    in_context: list[Finding] = []
    known = 0
    for number, start, _ in places:
        for detect in _VENDOR[number]:
            by_shape += detect(text, start, seams)
        if start < known:
            continue
        for detect in _CONTEXT[number]:
            if here := detect(text, start, seams):
                in_context += here
                known = max(known, here[-1].end)
                break
    return by_shape + in_context


def _behind(text: str, hidden: list[int]) -> Iterator[Finding]:
    for shadow in evasion.shadows(text, hidden):
        for finding in _look(shadow.text, _finder()(shadow.text), shadow.seams):
            yield Finding(
                kind=finding.kind,
                start=shadow.origin(finding.start),
                end=shadow.origin(finding.end - 1) + 1,
                quote=finding.quote,
            )


def _outside_markers(text: str, findings: list[Finding]) -> list[Finding]:
    """Leave out what begins in a marker of an earlier masking; what ends in one takes all of it."""
    if not holds_mask(text):
        return findings
    markers = [found.span() for found in MARK.finditer(text)]
    return [kept for finding in findings if (kept := _beside(finding, markers))]


def _beside(finding: Finding, markers: list[tuple[int, int]]) -> Finding | None:
    begun = _last_begun(markers, finding.start)
    if begun and finding.start < begun[1] and (begun[0] < finding.start or finding.end <= begun[1]):
        return None
    reached = _last_begun(markers, finding.end - 1)
    if reached and reached[1] > finding.end:
        return Finding(kind=finding.kind, start=finding.start, end=reached[1], quote=finding.quote)
    return finding


def _last_begun(markers: list[tuple[int, int]], offset: int) -> tuple[int, int] | None:
    number = bisect_right(markers, offset, key=itemgetter(0))
    return markers[number - 1] if number else None
