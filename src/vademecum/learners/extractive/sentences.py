"""A human message becomes statements: the sentences that the person said, without what they pasted.

`pasted` has taken out what they only show. What is left becomes paragraphs, and these become sentences; text that a
person introduces as somebody else's ("the readme says:") goes here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.pasted import LIST_ITEM, own_lines
from vademecum.learners.extractive.reading import normalise, readings_of

__all__ = ["MAX_STATEMENT_CHARS", "Statement", "statements_of"]

#: Longer sentences are no rules that anybody could follow; they also keep phrase matching cheap.
MAX_STATEMENT_CHARS = 480
#: A person's own words in one message; beyond that it is a document.
MAX_MESSAGE_CHARS = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence of a person."""

    #: Whitespace collapsed, otherwise as written.
    text: str
    #: From 1, in the order of the message.
    ordinal: int
    #: The text stands in a list under a heading such as "Rules for this repo:".
    under_rules: bool = False
    #: The statement right before it stands in the same paragraph.
    follows: bool = False


@lru_cache(maxsize=64)
def statements_of(message: str) -> tuple[Statement, ...]:
    """The statements of one human message, in order. Linear in the length of the message."""
    found: list[Statement] = []
    for paragraph in _paragraphs(own_lines(message[:MAX_MESSAGE_CHARS])):
        follows = paragraph.continues and bool(found)
        for sentence in _sentences(paragraph.text):
            if len(sentence) <= MAX_STATEMENT_CHARS:
                found.append(
                    Statement(text=sentence, ordinal=len(found) + 1, under_rules=paragraph.under_rules, follows=follows)
                )
            follows = True
    return tuple(found)


# ── Paragraphs ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _Paragraph:
    text: str
    under_rules: bool
    #: Stands right below the line before it.
    continues: bool


_SENTENCE_END = tuple(".!?:;。！？：；…")
_SOFT_WRAP_CHARS = 40
#: A line that begins like this begins a sentence, also in a message without full stops.
_FRESH_START = re.compile(
    r"(?:always|never|please|don't|do not|dont|from|no|not|use|we|i|also|and|make|remember|when|before|after|for)\b"
)


def _paragraphs(lines: Sequence[str]) -> Iterator[_Paragraph]:
    """Join soft-wrapped lines; a list item, a new line after a full stop and a short line stand for themselves."""
    listing = _Listing()
    current = ""
    above = ""
    continues = False
    under_rules = False
    for line in [*lines, ""]:
        text = " ".join(line.split())
        item = LIST_ITEM.match(line)
        if current and not (text and not item and _is_wrapped(above, text)):
            yield _Paragraph(text=current, under_rules=under_rules, continues=continues)
            continues = bool(text)
            listing.after(current)
            current = ""
        above = text
        if not text:
            continues = False
            listing.gap()
            continue
        if current:
            current = f"{current} {text}"
            continue
        if listing.is_pasted():
            continue
        under_rules = listing.is_rules(item=bool(item))
        current = " ".join(line[item.end() :].split()) if item else text


def _is_wrapped(before: str, line: str) -> bool:
    """Whether `line` goes on with what the line above it says."""
    if len(before) < _SOFT_WRAP_CHARS or before.endswith(_SENTENCE_END) or not line[:1].islower():
        return False
    return not _FRESH_START.match(line)


class _Listing:
    """What the last line that ended with a colon introduced."""

    def __init__(self) -> None:
        self.heading: Cue | None = None
        self.seen_item = False
        self.gaps = 0

    def after(self, paragraph: str) -> None:
        """A paragraph has ended: it may be a heading."""
        if not paragraph.endswith((":", "：")):
            return
        readings = readings_of(normalise(paragraph))
        rules = any(reading.shows(Cue.RULE_HEADING) for reading in readings)
        pasted = any(reading.shows(Cue.PASTE_HEADING) for reading in readings)
        self.heading = Cue.RULE_HEADING if rules and not pasted else Cue.PASTE_HEADING if pasted else None
        self.seen_item = False
        self.gaps = 0

    def gap(self) -> None:
        """An empty line ends what was introduced, unless it stands right below the heading."""
        self.gaps += 1
        if self.seen_item:
            self.heading = None

    def is_rules(self, *, item: bool) -> bool:
        self.seen_item = self.seen_item or item
        return item and self.heading is Cue.RULE_HEADING

    def is_pasted(self) -> bool:
        if self.heading is not Cue.PASTE_HEADING:
            return False
        self.seen_item = True
        return True


# ── Sentences ────────────────────────────────────────────────────────────────────────────────────────────────────────

_ABBREVIATIONS = frozenset({"e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "mr", "ms", "dr", "z.b", "bzw", "usw"})
_BREAK = re.compile(r"([.!?…]{1,6}[\"')\]”’*_]{0,3})(?=\s)|([。！？；!?]+[」』”\"')]{0,2})|(;)(?=\s)")
_EDGE = re.compile(r"^[\s*_•·\-–—>#]+|[\s*_]+$")
_CODE_OR_QUOTE = re.compile(r"`[^`]{1,300}`|\"[^\"]{1,300}\"|“[^”]{1,300}”")


def _sentences(paragraph: str) -> Iterator[str]:
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
    word = text[max(0, match.start() - 12) : match.start()].rsplit(" ", 1)[-1].lower().lstrip("(")
    # "no." ends an answer more often than it starts a number, unless a digit follows.
    if word == "no":
        return text[match.end() :].lstrip()[:1].isdigit()
    return word in _ABBREVIATIONS or (word.isdigit() and match.start() <= 3)


def _trimmed(sentence: str) -> Iterator[str]:
    text = _EDGE.sub("", sentence)
    if any(map(str.isalnum, text)):
        yield text
