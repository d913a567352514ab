"""Replace what the scanner finds."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from vademecum.secrets.finding import Finding
from vademecum.secrets.marks import mark_of
from vademecum.secrets.scanner import scan


def mask(text: str) -> str:
    """The text with each secret replaced by `[secret:<kind>]`; a fixed point; the same object without any."""
    return masked(text)[0]


def mask_within(value: Any) -> Any:  # noqa: ANN401 (plain values of any depth)
    """The value with every text in it masked, keys of objects too."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {mask_within(key): mask_within(one) for key, one in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [mask_within(one) for one in cast("list[Any]", value)]
    return value


def masked(text: str) -> tuple[str, dict[str, int]]:
    """The masked text, and how many secrets of each kind were replaced.

    Repeats until nothing is found, since a replaced secret may give its neighbour a new context. This ends: a finding
    always covers a character outside the markers, and the replacement adds none.
    """
    counts: Counter[str] = Counter()
    while findings := scan(text):
        text = _replace(text, findings)
        counts.update(finding.kind for finding in findings)
    return text, dict(counts)


def mask_lines(text: str) -> list[str]:
    """The lines of a text without their ends, each secret masked; one that spans lines leaves their number as it is."""
    lines = _replace(text, scan(text), keep_lines=True).split("\n")
    # Asked of the text itself: a secret that ends it leaves line ends behind its mark.
    return [mask(line) for line in (lines[:-1] if not text or text.endswith("\n") else lines)]


def _replace(text: str, findings: list[Finding], *, keep_lines: bool = False) -> str:
    parts: list[str] = []
    done = 0
    for finding in findings:
        parts += text[done : finding.start], finding.quote, mark_of(finding.kind), finding.quote
        if keep_lines:
            parts.append("\n" * text.count("\n", finding.start, finding.end))
        done = finding.end
    parts.append(text[done:])
    return "".join(parts)
