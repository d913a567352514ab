"""A human message becomes sentences: those that the person said, without what they pasted.

`pasted` has taken out what they only show, `paragraphs` what they introduce as somebody else's ("the readme says:").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from vademecum.artifacts import is_memory_heading, only_introduces
from vademecum.learners.extractive.languages import load_languages
from vademecum.learners.extractive.paragraphs import paragraphs_of
from vademecum.learners.extractive.pasted import own_lines

__all__ = ["MAX_SENTENCE_CHARS", "Sentence", "sentences_of"]

#: Longer sentences are no rules that anybody could follow; they also keep phrase matching cheap.
MAX_SENTENCE_CHARS = 480
#: A person's own words in one message; beyond that it is a document.
MAX_MESSAGE_CHARS = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a person."""

    #: Whitespace collapsed, otherwise as written.
    text: str
    #: From 1, in the order of the message.
    ordinal: int
    #: The text stands in a list under a heading such as "Rules for this repo:".
    under_rules: bool = False
    #: The sentence right before it stands in the same paragraph.
    follows: bool = False


@lru_cache(maxsize=64)
def sentences_of(message: str) -> tuple[Sentence, ...]:
    """The sentences of one human message, in order. Linear in the length of the message."""
    found: list[Sentence] = []
    taken_back_by = ""
    lines = own_lines(message[:MAX_MESSAGE_CHARS])
    for paragraph in paragraphs_of(["" if is_memory_heading(line) else line for line in lines]):
        if paragraph.taken_back_by:
            if found and paragraph.taken_back_by != taken_back_by and found[-1].text in paragraph.taken_back_by:
                found.pop()
            taken_back_by = paragraph.taken_back_by
            continue
        if only_introduces(paragraph.text):
            continue
        follows = paragraph.continues and bool(found)
        for text in _split(paragraph.text):
            if len(text) <= MAX_SENTENCE_CHARS:
                found.append(
                    Sentence(text=text, ordinal=len(found) + 1, under_rules=paragraph.under_rules, follows=follows)
                )
            follows = True
    return tuple(found)


#: A full stop of Latin scripts ends a sentence before a blank or before letters that need none, those of CJK anywhere;
#: so `println!` and "v1.2?x=1" stay whole.
_BREAK = re.compile(
    r"([.!?…]{1,6}[\"')\]”’*_]{0,3})(?=\s)"
    r"|((?:[。！？；]|[!?](?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]))+[」』”\"')]{0,2})"
    r"|(;)(?=\s)"
)
_EDGE = re.compile(r"^[\s*_•·\-–—>#]+|[\s*_]+$")
_CODE_OR_QUOTE = re.compile(r"`[^`]{1,300}`|\"[^\"]{1,300}\"|“[^”]{1,300}”")
_LONGEST_ABBREVIATION = 12


def _split(paragraph: str) -> Iterator[str]:
    shielded = _CODE_OR_QUOTE.sub(lambda match: "x" * len(match[0]), paragraph)
    start = 0
    for match in _BREAK.finditer(shielded):
        if match[1] and _is_abbreviation(shielded, match):
            continue
        yield from _trimmed(paragraph[start : match.end()])
        start = match.end()
    yield from _trimmed(paragraph[start:])


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if match[1] != ".":
        return False
    word = text[max(0, match.start() - _LONGEST_ABBREVIATION) : match.start()].rsplit(" ", 1)[-1].lower().lstrip("(")
    # "no." ends an answer more often than it starts a number, unless a digit follows.
    if word == "no":
        return text[match.end() :].lstrip()[:1].isdigit()
    return word in _abbreviations() or (word.isdigit() and match.start() <= 3)


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(word for language in load_languages() for word in language.header.abbreviations)


def _trimmed(sentence: str) -> Iterator[str]:
    text = _EDGE.sub("", sentence)
    if any(map(str.isalnum, text)):
        yield text
