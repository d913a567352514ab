"""Handles to find a session or one task of it by: files, programs and the telling words of titles."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import PurePosixPath

from vademecum.artifacts.evidence import Kind
from vademecum.artifacts.raw_memory import TaskMemory
from vademecum.learners.extractive.languages import load_languages
from vademecum.learners.extractive.spelling import normalise

__all__ = ["keywords_of", "untelling_words"]

MAX_KEYWORDS = 12
_QUOTED_HANDLE = re.compile(r"`([^`]{1,120})`")
_TITLE_WORD = re.compile(r"[^\W_][\w.+#-]{2,30}")


@cache
def untelling_words() -> frozenset[str]:
    """Words that tell nothing about what a task is on, of all languages."""
    return frozenset(word for language in load_languages() for word in language.header.untelling)


def keywords_of(memories: Sequence[TaskMemory]) -> tuple[str, ...]:
    """At most twelve, the most telling first, each once, without commas."""
    found: dict[str, None] = {}
    for words in (_handles(memories), _title_words(memories)):
        for word in words:
            found.setdefault(word.replace(",", " ").strip())
    return tuple(word for word in found if word)[:MAX_KEYWORDS]


def _handles(memories: Sequence[TaskMemory]) -> Iterator[str]:
    """File names and programs."""
    for memory in memories:
        for evidence in memory.evidence:
            if evidence.kind in {Kind.FILE, Kind.COMMAND} and (match := _QUOTED_HANDLE.search(evidence.text)):
                handle = match[1]
                yield PurePosixPath(handle).name if evidence.kind is Kind.FILE else handle.split()[0]


def _title_words(memories: Sequence[TaskMemory]) -> Iterator[str]:
    for memory in memories:
        for word in _TITLE_WORD.findall(normalise(memory.title)):
            if word not in untelling_words() and set(word) != {"x"}:
                yield word
