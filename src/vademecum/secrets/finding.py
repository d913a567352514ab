"""What a scan reports, and how reports about the same place become one."""

from collections.abc import Callable, Container, Iterable, Sequence

import msgspec


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One secret in a text; it holds places, never the secret itself."""

    #: What it is, as it stands in the marker: lower-case words joined by `-`.
    kind: str
    #: Offset of the first character.
    start: int
    #: Offset after the last character.
    end: int
    #: What the marker needs on both sides so that the structure around it stays parseable: "" or a (backslashed) quote.
    quote: str = ""


#: Called with the text, the offset of a literal in it, and the seams (offsets at which a token may begin although a
#: letter stands before, because something invisible was taken out there).
Detector = Callable[[str, int, Container[int]], Sequence[Finding]]

NOTHING: tuple[Finding, ...] = ()


def merge(findings: Iterable[Finding]) -> list[Finding]:
    """Sort by place and join what overlaps; what covers more gives the kind, and the earlier one in a tie."""
    merged: list[Finding] = []
    for finding in sorted(findings, key=_by_place):
        if merged and finding.start < merged[-1].end:
            merged[-1] = _join(merged[-1], finding)
        else:
            merged.append(finding)
    return merged


def _by_place(finding: Finding) -> tuple[int, int]:
    return finding.start, -finding.end


def _join(first: Finding, second: Finding) -> Finding:
    if second.end <= first.end:
        return first
    wider = second if second.end - second.start > first.end - first.start else first
    return Finding(kind=wider.kind, start=first.start, end=second.end, quote=first.quote or second.quote)
