"""Which lines of a message belong to a line above them: what a lead-in takes back or lends to somebody, it does to all.

"Never do this:", "The wiki says:" and "If the tests fail:" are half of what stands under them. Read by itself such a
line says something else, often the opposite.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from vademecum.artifacts.lead_in_words import asks_to_keep, only_negates, takes_back

__all__ = ["LIST_ITEM", "SHOWN", "LeadIns", "introduces", "lead_ins_of", "only_introduces"]

#: Stands for a line that was only shown: it fills what leads in to it, and says nothing.
SHOWN = "\ue000"
LIST_ITEM = re.compile(r"^\s{0,12}(?:[-*+•·–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\[[ x]\])\s+")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+\S")
_BOLD_LINE = re.compile(r"^\s*(?:\*\*[^*]{1,80}\*\*|__[^_]{1,80}__)\s*$")
#: What breaks off goes on in the next line.
_BREAKS_OFF = re.compile(r"(?:[,，、;；…—–-]|\.\.|->|→)\s*$")
_STOPS = "._!?。！？"
_ENDED = re.compile(r"[.!?;。！？；][\"'”’»」』)\]*_]*\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadIns:
    """What a line stands under."""

    #: Lines that introduce it, outermost first.
    introduced: tuple[str, ...] = ()
    #: The line right above, where no stop ends it; empty: the line begins by itself.
    runs_on_from: str = ""
    #: It stands beside an item that is nothing but a "never": what that forbids, or the answer to another question.
    is_beside: bool = False

    @property
    def take_back(self) -> bool:
        """Whether one of those that introduce the line makes something else of it."""
        return any(map(takes_back, self.introduced))


@dataclass(slots=True, kw_only=True)
class _Open:
    """A lead-in whose lines have not ended."""

    text: str
    indent: int
    is_item: bool
    #: A heading holds until the next one, whatever stands between.
    is_heading: bool = False
    has_lines: bool = False


@dataclass(slots=True)
class _Reader:
    open: list[_Open] = field(default_factory=list[_Open])
    above: str = ""
    after_gap: bool = False

    def gap(self) -> None:
        self.above = ""
        self.after_gap = True

    def read(self, line: str, below: str) -> LeadIns:
        """What this line stands under, and whether it leads in to the one below."""
        indent, item = _indent(line), LIST_ITEM.match(line)
        text = (line[item.end() :] if item else line).strip()
        if _HEADING.match(line):
            self.open = [_Open(text=text.lstrip("# "), indent=-1, is_item=False, is_heading=True)]
            self.above = ""
            return LeadIns()
        leads_in = _leads_in(line, text, below)
        self.open = list(self._still_open(indent, leads_in=leads_in, is_item=bool(item)))
        runs_on_from = "" if item or _ENDED.search(self.above) else self.above
        found = LeadIns(
            introduced=tuple(one.text for one in self.open),
            runs_on_from=runs_on_from,
            is_beside=any(one.is_item and one.indent == indent for one in self.open),
        )
        for one in self.open:
            one.has_lines = True
        if leads_in:
            self.open.append(_Open(text=text, indent=indent, is_item=bool(item)))
        self.above, self.after_gap = text, False
        return found

    def _still_open(self, indent: int, *, leads_in: bool, is_item: bool) -> Iterator[_Open]:
        for one in self.open:
            is_below = indent > one.indent or not one.has_lines
            if one.is_item:
                stays = indent > one.indent or (indent == one.indent and only_negates(one.text))
            elif is_item:
                stays = indent >= one.indent
            else:
                stays = is_below or not (self.after_gap or leads_in)
            if not stays and not one.is_heading:
                return
            yield one


def lead_ins_of(lines: Sequence[str]) -> list[LeadIns]:
    """What each of the lines stands under."""
    reader = _Reader()
    found: list[LeadIns] = []
    for line, next_line in zip(lines, _lines_below(lines), strict=True):
        if line.strip():
            found.append(reader.read(line, next_line))
        else:
            found.append(LeadIns())
        if line == SHOWN or not line.strip():
            reader.gap()
    return found


def _lines_below(lines: Sequence[str]) -> list[str]:
    """For each line the next one that is not empty."""
    found: list[str] = []
    below = ""
    for line in reversed(lines):
        found.append(below)
        below = line if line.strip() else below
    return found[::-1]


def introduces(text: str) -> bool:
    """Whether a line says itself that others belong to it: behind its colon stand marks and signs only."""
    behind = takewhile(lambda char: not (char.isalnum() or char in _STOPS), reversed(text))
    return any(char in ":：" for char in behind) or bool(_BOLD_LINE.match(text))


def only_introduces(text: str) -> bool:
    """Whether a line asks to keep those below it, and says nothing by itself."""
    return introduces(text) and asks_to_keep(text)


def _leads_in(line: str, text: str, below: str) -> bool:
    """Whether this line, the text of which stands behind its bullet, goes on in those below it."""
    if introduces(text) or _BREAKS_OFF.search(text) or only_negates(text):
        return True
    if not LIST_ITEM.match(below) or _ENDED.search(text):
        return False
    return not LIST_ITEM.match(line) or _indent(below) > _indent(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
