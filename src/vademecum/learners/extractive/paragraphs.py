"""The lines that are a person's own become paragraphs; what a heading says about the list under it is remembered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vademecum.artifacts import LIST_ITEM, SHOWN, lead_ins_of
from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.languages import readings_of
from vademecum.learners.extractive.spelling import normalise

__all__ = ["Paragraph", "paragraphs_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Lines that belong together."""

    #: Whitespace collapsed.
    text: str
    #: Stands in a list under a heading such as "Rules for this repo:".
    under_rules: bool
    #: Stands right below the line before it.
    continues: bool
    #: The line above that makes something else of it ("never do this:"): neither says anything by itself.
    taken_back_by: str = ""


_SENTENCE_END = tuple(".!?:;。！？：；…")
_SOFT_WRAP_CHARS = 40


def paragraphs_of(lines: Sequence[str]) -> Iterator[Paragraph]:
    """Join soft-wrapped lines; a list item, a new line after a full stop and a short line stand for themselves."""
    listing = _Listing()
    current = ""
    above = ""
    continues = False
    under_rules = False
    for line, lead_ins in zip([*lines, ""], lead_ins_of([*lines, ""]), strict=True):
        text = "" if line == SHOWN else " ".join(line.split())
        item = LIST_ITEM.match(line)
        if current and not (text and not item and _is_wrapped(above, text)):
            yield Paragraph(text=current, under_rules=under_rules, continues=continues)
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
        if lead_ins.take_back:
            yield Paragraph(text=text, under_rules=False, continues=continues, taken_back_by=lead_ins.introduced[-1])
            continue
        under_rules = listing.is_rules(item=bool(item))
        current = " ".join(line[item.end() :].split()) if item else text


def _is_wrapped(before: str, line: str) -> bool:
    """Whether `line` goes on with what the line above it says."""
    if len(before) < _SOFT_WRAP_CHARS or before.endswith(_SENTENCE_END) or not line[:1].islower():
        return False
    return not any(reading.shows(Cue.FRESH_START) for reading in readings_of(normalise(line)))


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
