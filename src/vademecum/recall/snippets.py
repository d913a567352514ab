"""Snippets: the one to three lines of a passage that answer best, in at most 300 characters."""

from collections.abc import Sequence

import msgspec

from vademecum.artifacts import neutralise

__all__ = ["MAX_SNIPPET_CHARS", "Snippet", "cut_snippet"]

MAX_SNIPPET_CHARS = 300
_MAX_LINES = 3
_ELLIPSIS = "…"
_SUFFIXES = ("ing", "ed", "es", "s")


class Snippet(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of a passage."""

    #: What is shown: control and invisible characters replaced, long lines cut around the match.
    text: str
    #: First and last line, counted from 0 within the passage.
    first: int
    last: int
    #: The lines of the passage that hold a term: those that are shown, and the others.
    told: tuple[str, ...]
    untold: tuple[str, ...]


def cut_snippet(body: str, terms: Sequence[str]) -> Snippet:
    """The line that holds most of the terms, with its neighbours as far as there is room."""
    lines = body.split("\n")
    needles = [_stem(term) for term in terms]
    counts = [_count(line, needles) for line in lines]
    best = max(range(len(lines)), key=lambda index: (counts[index], bool(lines[index].strip()), -index))
    is_long = len(lines[best]) > MAX_SNIPPET_CHARS
    first, last = (best, best) if is_long else _grow(lines, best)
    text = _window(lines[best], needles) if is_long else "\n".join(lines[first : last + 1])
    answering = [index for index, count in enumerate(counts) if count]
    return Snippet(
        text=neutralise(text),
        first=first,
        last=last,
        told=tuple(lines[index] for index in answering if first <= index <= last),
        untold=tuple(lines[index] for index in answering if not first <= index <= last),
    )


def _stem(term: str) -> str:
    """A term as it is likely to stand in the text: the index stems its words, the text does not."""
    word = term.lower()
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word.removesuffix(suffix)
    return word


def _count(line: str, needles: Sequence[str]) -> int:
    lower = line.lower()
    return sum(needle in lower for needle in needles)


def _grow(lines: Sequence[str], best: int) -> tuple[int, int]:
    """Take in the next line, then the one before, while there is room; never ending on a blank line."""
    first = last = best
    for index in (best + 1, best - 1):
        is_line = 0 <= index < len(lines) and bool(lines[index].strip())
        wider = (min(first, index), max(last, index))
        if is_line and len("\n".join(lines[wider[0] : wider[1] + 1])) <= MAX_SNIPPET_CHARS:
            first, last = wider
    return first, min(last, first + _MAX_LINES - 1)


def _window(line: str, needles: Sequence[str]) -> str:
    """The part of a long line around the first match."""
    lower = line.lower()
    hits = [place for needle in needles if (place := lower.find(needle)) >= 0]
    room = MAX_SNIPPET_CHARS - 2 * len(_ELLIPSIS)
    start = max(0, min(min(hits, default=0) - room // 4, len(line) - room))
    stop = min(len(line), start + room)
    return (_ELLIPSIS if start else "") + line[start:stop] + (_ELLIPSIS if stop < len(line) else "")
