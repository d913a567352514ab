"""Headings of our own memory files where they stand among somebody's words: form, and nothing that anybody said."""

import re

from vademecum.artifacts.handbook import FAILURES_HEADING, KNOWLEDGE_HEADING, PREFERENCES_HEADING
from vademecum.artifacts.summary import HEADINGS

__all__ = ["is_memory_heading", "without_memory_headings"]

_NAMES = frozenset(
    line.lstrip("# ").casefold() for line in (*HEADINGS, PREFERENCES_HEADING, KNOWLEDGE_HEADING, FAILURES_HEADING)
)
#: Quoted, or made a list item: copied out of a memory file it is form all the same.
_HEADING = re.compile(r"[\s>*+-]{0,20}#{1,6} {1,20}(\S.*)")
_NUMBERED = re.compile(r"task group: \S|task \d{1,6}: \S")


def is_memory_heading(line: str) -> bool:
    """Whether this line is a heading of handbook or summary (`# Task Group: everywhere`), whoever wrote it."""
    found = _HEADING.fullmatch(line.rstrip())
    name = " ".join(found[1].split()).casefold() if found else ""
    return name in _NAMES or _NUMBERED.match(name) is not None


def without_memory_headings(text: str) -> str:
    """The text without such lines."""
    return "\n".join(line for line in text.split("\n") if not is_memory_heading(line))
