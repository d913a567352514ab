"""Manifests of Kubernetes: below `data` and `stringData` of a `Secret`, every value is one, whatever its name says."""

import re
from collections.abc import Container, Iterator, Sequence

from vademecum.secrets import margins, values
from vademecum.secrets.finding import NOTHING, Detector, Finding

_KIND = "secret"
_DEEPEST = 60
_BLOCK = re.compile(r"""["']?(?:stringData|data)["']?:[ \t]*(?P<open>\{)?""")
_MEMBER = re.compile(
    r"""["']?[\w.\-/]{1,100}["']?[ \t]*:[ \t]*(?:!!\w+[ \t]+)?["']?(?P<value>[^\s"',{}|>&*!][^\s"',}]{3,})"""
)
_SCALAR = re.compile(r"[\w.\-/]{1,100}[ \t]*:[ \t]*[|>][+-]?[ \t]*\Z")
#: Where another document begins, or another one says what it is.
_APART = re.compile(r"""^---|^[^\w\n]{0,12}["']?kind["']?:""", re.MULTILINE)
_REACH = 8_000
_WORD = re.compile(r"data(?<![a-z]data)(?=[\"']?:)")
_NEAR = 2_000
"""How far from its kind the data of a manifest begins."""


def of_kind(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The values below `data` of the manifest that says at `start` that it is a secret."""
    del seams
    near = [at for at in _data(text, start) if not _APART.search(text, min(at, start) + 1, max(at, start))]
    return [finding for at in near for finding in of_block(text, at, ())]


def _data(text: str, start: int) -> Iterator[int]:
    """Where the word stands that is nearest above, and where the one that is nearest below."""
    for first, last in ((max(0, start - _NEAR), start), (start, start + _NEAR)):
        words = [found.start() for found in _WORD.finditer(text, first, last)]
        yield from words[-1:] if last == start else words[:1]


def of_block(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The values of the block that begins at `start`."""
    del seams
    block = _BLOCK.match(text, start)
    if block is None:
        return NOTHING
    end = min(len(text), start + _REACH)
    if block["open"]:
        closed = text.find("}", block.end(), end)
        return list(_members(text, block.end(), closed if closed >= 0 else end))
    margin = text[text.rfind("\n", max(0, start - _DEEPEST), start) + 1 : start].rstrip("\"'")
    indent = margins.indent_of(margin)
    return list(_lines(text, block.end(), end, indent)) if indent == len(margin) else NOTHING


def _lines(text: str, begin: int, end: int, indent: int) -> Iterator[Finding]:
    """The lines that are indented deeper than the block; those of a text of several lines as one."""
    scalar: int | None = None
    first = text.find("\n", begin, end) + 1
    while 0 < first < end:
        stop = text.find("\n", first, end)
        stop = stop if stop >= 0 else end
        line = text[first:stop]
        depth = margins.indent_of(line)
        if line.strip() and depth <= indent:
            return
        if scalar is not None and depth > scalar and line.strip():
            yield Finding(kind=_KIND, start=first + depth, end=first + len(line.rstrip()))
        else:
            scalar = depth if _SCALAR.search(line, depth) else None
            yield from _members(text, first, stop)
        first = stop + 1


def _members(text: str, begin: int, end: int) -> Iterator[Finding]:
    for found in _MEMBER.finditer(text, begin, end):
        if not values.is_placeholder(found["value"]):
            yield Finding(kind=_KIND, start=found.start("value"), end=found.end("value"))


DETECTORS: tuple[tuple[str, Detector], ...] = (
    ("stringData", of_block),
    *((literal, of_kind) for literal in ("kind: Secret\n", "kind: Secret\r", '"kind": "Secret"', '"kind":"Secret"')),
)
