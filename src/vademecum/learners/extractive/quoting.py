"""Which words of a sentence are worth quoting: all of it, or the clauses that are a preference by themselves."""

import re
from collections.abc import Iterator, Sequence

from vademecum.artifacts.evidence import Kind
from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.heard import Heard
from vademecum.learners.extractive.judging import Neither, holds_for_the_moment, judge, judge_clause, may_be_preference
from vademecum.learners.extractive.languages import readings_of
from vademecum.learners.extractive.reading import Reading
from vademecum.learners.extractive.similarity import meaning
from vademecum.learners.extractive.spelling import normalise
from vademecum.secrets import holds_mask

__all__ = ["MAX_QUOTE_CHARS", "WHOLE_QUOTE_CHARS", "clean_quote", "preferences_in"]

MAX_QUOTE_CHARS = 300
#: Up to this length a sentence that holds a rule beside other harmless words is quoted whole: it reads better alone.
WHOLE_QUOTE_CHARS = 200


def preferences_in(item: Heard, *, correcting: bool, in_passing: bool) -> Iterator[tuple[int, int, Kind]]:
    """Start, end and kind of each preference in a sentence; see `judging.judge` for the parameters.

    Where a secret was taken out of the sentence, what a clause without it says may be one, and nothing else.
    """
    under_rules = item.sentence.under_rules
    if not under_rules and not may_be_preference(item.readings, correcting=correcting):
        return
    whole = judge(item.readings, correcting=correcting, under_rules=under_rules, in_passing=in_passing)
    clauses = list(_clauses(item))
    is_masked = holds_mask(item.sentence.text)
    if len(clauses) == 1:
        if whole and not is_masked:
            yield 0, len(item.sentence.text), whole
        return
    judged = list(_judged(item, clauses, correcting=correcting, in_passing=in_passing))
    good = [(start, end, kind) for start, end, kind in judged if isinstance(kind, Kind)]
    spoiled = any(kind is Neither.SPOILING for _, _, kind in judged)
    kind = whole or next((kind for _, _, kind in good), None)
    limit = MAX_QUOTE_CHARS if whole else WHOLE_QUOTE_CHARS
    if is_masked:
        yield from (one for one in good if _stands_alone(item.sentence.text[one[0] : one[1]], item.readings))
    elif kind and len(item.sentence.text) <= limit and not (good and spoiled):
        yield 0, len(item.sentence.text), kind
    else:
        yield from good


def _stands_alone(part: str, readings: Sequence[Reading]) -> bool:
    """Whether a clause beside one with a secret says something by itself: "from now on" and "always use it" do not."""
    clause = clean_quote(part, readings)
    refers_back = any(reading.shows(Cue.REFERS_BACK, Cue.POINTING) for reading in readings_of(normalise(clause)))
    return not holds_mask(clause) and not refers_back and bool(meaning(clause).content)


_DASH = re.compile(r" - | ?[—–;] ?")
_JOINT_EDGE = re.compile(r"^[\s,;:—–-]+")


def _clauses(item: Heard) -> Iterator[tuple[int, int]]:
    """Start and end of the parts that may be statements of their own."""
    cuts = {hit.start for reading in item.readings for hit in reading.find_all(Cue.JOINT)}
    cuts |= {match.start() for match in _DASH.finditer(item.text)}
    contrasts = [hit.start for reading in item.readings for hit in reading.find_all(Cue.CONTRAST)] if cuts else []
    start = 0
    for cut in [*sorted(cuts), len(item.text)]:
        part = item.text[start:cut]
        if not any(map(str.isalnum, part)) or (item.text[cut : cut + 1] == "," and _is_condition(part)):
            continue
        if any(cut <= contrast and not _JOINT_EDGE.sub("", item.text[cut:contrast]) for contrast in contrasts):
            continue
        yield start, cut
        start = cut


def _judged(
    item: Heard, clauses: Sequence[tuple[int, int]], *, correcting: bool, in_passing: bool
) -> Iterator[tuple[int, int, Kind | Neither]]:
    read = [readings_of(_JOINT_EDGE.sub("", item.text[start:end])) for start, end in clauses]
    passing = any(map(holds_for_the_moment, read))
    for (start, end), readings in zip(clauses, read, strict=True):
        # A "but" sets a clause against the passing state beside it; a mere comma does not.
        beside_passing = in_passing or (passing and item.text[start] == ",")
        yield start, end, judge_clause(readings, correcting=correcting, in_passing=beside_passing)


def _is_condition(part: str) -> bool:
    return any(reading.shows(Cue.SUBORDINATE) for reading in readings_of(_JOINT_EDGE.sub("", part)))


_QUOTE_EDGE = re.compile(r"^[\s,;:—–!?，；：、。！？…)\]-]+|[\s,;:—–，；：、-]+$")
_FIRST_WORD = re.compile(r"([\w']+)[,!.]* ")


def clean_quote(quote: str, readings: Sequence[Reading]) -> str:
    """Without punctuation at its edges and fillers at its beginning, cut at a word when it is too long."""
    text = _QUOTE_EDGE.sub("", quote)
    fillers = frozenset[str]().union(*(reading.language.fillers for reading in readings))
    while (match := _FIRST_WORD.match(text)) and match[1].lower() in fillers:
        text = text[match.end() :]
    if len(text) > MAX_QUOTE_CHARS:
        text = text[:MAX_QUOTE_CHARS].rpartition(" ")[0] or text[:MAX_QUOTE_CHARS]
    return text
