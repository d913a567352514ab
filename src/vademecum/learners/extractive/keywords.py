"""Handles to find a session by: files, programs and the telling words of its titles."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from vademecum.artifacts.evidence import Kind
from vademecum.artifacts.raw_memory import TaskMemory
from vademecum.learners.extractive.reading import normalise

__all__ = ["PLAIN_WORDS", "keywords_of"]

MAX_KEYWORDS = 12
_QUOTED_HANDLE = re.compile(r"`([^`]{1,120})`")
_TITLE_WORD = re.compile(r"[^\W_][\w.+#-]{2,30}")
#: Words that tell nothing about what a task is on.
PLAIN_WORDS = frozenset({
    "the", "and", "for", "with", "that", "this", "from", "into", "not", "can", "you", "could", "would", "please", "add",
    "fix", "make", "use", "run", "now", "then", "also", "just", "let", "lets", "all", "any", "new", "one", "two", "our",
    "your", "have", "has", "need", "want", "should", "does", "when", "where", "what", "which", "there", "here", "its",
    "are", "was", "were", "will", "out", "off", "over", "under", "after", "before", "again", "more", "some", "get",
    "put", "set", "why", "how", "next", "code", "file", "files", "write", "update", "change", "create", "remove",
})  # fmt: skip


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
            if word not in PLAIN_WORDS and set(word) != {"x"}:
                yield word
