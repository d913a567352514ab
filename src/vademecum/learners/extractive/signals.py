"""Preference signals: which statements of a person are rules, habits, corrections or one-off requests.

A statement is judged in four steps: does it show a cue that makes a preference; is that taken back (a question, a
one-off, a hypothesis, somebody else's words, a story); which words are worth quoting; how far does it reach. In doubt
it is no rule, and it reaches this project only.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vademecum.artifacts.evidence import Kind, Reach
from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.reading import Reading, normalise, readings_of
from vademecum.learners.extractive.sentences import Statement, statements_of

__all__ = ["MAX_QUOTE_CHARS", "Signal", "shows_order", "signals_of"]

MAX_QUOTE_CHARS = 300
#: Up to this length a sentence that holds a rule beside other harmless words is quoted whole: it reads better alone.
WHOLE_QUOTE_CHARS = 200
#: A correction is carried by the first statements of a message; what follows is new work.
CORRECTION_STATEMENTS = 4
#: A mark of masked text (`vademecum.secrets`): a rule whose value is gone is no rule.
_MASK = "[secret:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One thing that a person said, and what it is."""

    kind: Kind
    reach: Reach
    #: Near-verbatim: a part of the message with its whitespace collapsed.
    text: str
    #: Which statement of the message, from 1.
    ordinal: int


def signals_of(message: str, *, after_action: bool) -> tuple[Signal, ...]:
    """The signals in one human message.

    Parameters
    ----------
    message: the message's text, masked.
    after_action: the assistant has said or done something that this message may correct.
    """
    statements = [statement for statement in statements_of(message) if _MASK not in statement.text]
    judged = [_Judged.of(statement) for statement in statements]
    rejected = after_action and any(item.shows(Cue.REJECTION) for item in judged[:2])
    found: list[Signal] = []
    warned = False
    for position, item in enumerate(judged):
        before = judged[position - 1] if position and item.statement.follows else None
        if item.points_back:
            warns = item.shows(Cue.WARNING)
            made = [] if warns and before and not before.shows(*_ORDERS) else list(_made_habit(before, found))
            found += made
            warned = warns and not made
            continue
        correcting = rejected and position < CORRECTION_STATEMENTS
        found += _heeded(item) if warned and item.statement.follows else _signals(item, correcting=correcting)
        warned = False
    return tuple(_distinct(found))


def shows_order(line: str) -> bool:
    """Whether a line of program output reads like an instruction to somebody; such lines are never quoted."""
    text = normalise(line)
    return any(
        reading.shows(Cue.FIRM, Cue.RULE, Cue.HABIT, Cue.WEAK, Cue.ANAPHORIC, Cue.STANDING)
        for reading in readings_of(text)
    )


# ── One statement ────────────────────────────────────────────────────────────────────────────────────────────────────


#: So much must stand beside "that's how we work here" for the sentence to say what.
_OWN_CONTENT_CHARS = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """A statement with the way each language reads it."""

    statement: Statement
    text: str
    readings: tuple[Reading, ...]

    @classmethod
    def of(cls, statement: Statement) -> "_Judged":
        text = _without_tag_question(normalise(statement.text))
        return cls(statement=statement, text=text, readings=readings_of(text))

    def shows(self, *cues: Cue) -> bool:
        return any(reading.shows(*cues) for reading in self.readings)

    @property
    def asks(self) -> bool:
        return _asks(self.readings)

    @property
    def points_back(self) -> bool:
        """Says that something is a rule, but not what: that stands in the statement before."""
        if self.asks or self.shows(Cue.HYPOTHETICAL):
            return False
        if self.shows(Cue.WARNING):
            return not self.shows(Cue.REQUEST, Cue.RULE, Cue.FIRM)
        hits = [hit for reading in self.readings if (hit := reading.find(Cue.ANAPHORIC))]
        if not hits:
            return False
        return max(hits[0].start, len(self.text) - hits[0].end) < _OWN_CONTENT_CHARS


def _asks(readings: Sequence[Reading]) -> bool:
    marked = any(reading.plain.endswith(("?", "？")) for reading in readings)
    return marked or any(reading.shows(Cue.QUESTION) for reading in readings)


#: "never push to main, ok?" is an order. "..., right?" asks whether it is so, and stays a question.
_TAG_QUESTION = re.compile(
    r",? (?:ok|okay|alright|please|got it|deal|understood|will you|clear)\?+$|[,，]?(?:好吗|可以吗|行吗|明白吗)[?？]?$"
)


def _without_tag_question(text: str) -> str:
    return _TAG_QUESTION.sub("", text)


def _signals(item: _Judged, *, correcting: bool) -> Iterator[Signal]:
    likely = _may_be_preference(item, correcting=correcting)
    spans = list(_quoted_spans(item, correcting=correcting)) if likely else []
    for start, end, kind in spans:
        yield _signal(item, kind, start, end)
    if not spans and _is_request(item):
        yield _signal(item, Kind.REQUEST, 0, len(item.statement.text))


def _is_request(item: _Judged) -> bool:
    polite = not item.text.endswith("?") or item.shows(Cue.REQUEST)
    return polite and item.shows(Cue.REQUEST) and not item.shows(Cue.REPORTED, Cue.HYPOTHETICAL)


def _signal(item: _Judged, kind: Kind, start: int, end: int) -> Signal:
    quote = _clean(item.statement.text[start:end], item.readings)
    return Signal(kind=kind, reach=_reach(item.readings), text=quote, ordinal=item.statement.ordinal)


_SIGNS = (Cue.RULE, Cue.HABIT, Cue.FIRM, Cue.ANAPHORIC, Cue.WARNING, Cue.WEAK, Cue.ASKING_ORDER)


def _may_be_preference(item: _Judged, *, correcting: bool) -> bool:
    """Say cheaply whether anything that can make a preference occurs at all."""
    return item.statement.under_rules or item.shows(*_SIGNS) or (correcting and item.shows(Cue.CORRECTING))


def _quoted_spans(item: _Judged, *, correcting: bool) -> Iterator[tuple[int, int, Kind]]:
    """The part that is worth quoting: the whole statement, or the clauses that are a preference by themselves."""
    whole = _judge(item.readings, item, correcting=correcting, under_rules=item.statement.under_rules)
    parts = list(_parts(item))
    if len(parts) == 1:
        if whole:
            yield 0, len(item.statement.text), whole
        return
    verdicts = [_judge_part(item, start, end, correcting=correcting) for start, end in parts]
    good = [
        (start, end, verdict)
        for (start, end), verdict in zip(parts, verdicts, strict=True)
        if isinstance(verdict, Kind)
    ]
    spoiled = any(verdict is False for verdict in verdicts)
    kind = whole or next((kind for _, _, kind in good), None)
    limit = MAX_QUOTE_CHARS if whole else WHOLE_QUOTE_CHARS
    if kind and len(item.statement.text) <= limit and not (good and spoiled):
        yield 0, len(item.statement.text), kind
    else:
        yield from good


def _parts(item: _Judged) -> Iterator[tuple[int, int]]:
    cuts = {hit.start for reading in item.readings for hit in reading.find_all(Cue.JOINT)}
    cuts |= {match.start() for match in re.finditer(r" - | ?[—–;] ?", item.text)}
    start = 0
    for cut in [*sorted(cuts), len(item.text)]:
        part = item.text[start:cut]
        if not any(map(str.isalnum, part)) or (item.text[cut : cut + 1] == "," and _is_condition(part)):
            continue
        if _ELLIPSIS.match(item.text, cut):
            continue
        yield start, cut
        start = cut


#: ", no tabs": a contrast that means nothing without the words before it.
_ELLIPSIS = re.compile(r",? ?(?:[—–-] )?(?:no|never|not) (?:[\w./'-]+ ){0,5}[\w./'-]+ ?(?:please)?[.!)]*(?=$|[,;])")


def _is_condition(part: str) -> bool:
    return any(reading.shows(Cue.SUBORDINATE) for reading in readings_of(_JOINT_EDGE.sub("", part)))


_JOINT_EDGE = re.compile(r"^[\s,;:—–-]+")


def _judge_part(item: _Judged, start: int, end: int, *, correcting: bool) -> Kind | bool:
    """The kind of this part; False where it is something that must not be quoted; True where it says nothing."""
    text = _JOINT_EDGE.sub("", item.text[start:end])
    readings = readings_of(text)
    kind = _judge(readings, None, correcting=correcting, under_rules=False)
    if kind is not None:
        return kind
    spoils = (Cue.QUESTION, Cue.ONE_OFF, Cue.HYPOTHETICAL, Cue.REPORTED, Cue.REQUEST)
    return not any(reading.shows(*spoils) for reading in readings)


def _judge(readings: Sequence[Reading], item: _Judged | None, *, correcting: bool, under_rules: bool) -> Kind | None:
    asks = item.asks if item else _asks(readings)
    for reading in readings:
        # English is the trade's second language everywhere: its "today" counts in a German sentence too.
        vetoes = [other for other in readings if other is reading or other.language.code == "en"]
        if asks:
            kind = Kind.RULE if reading.shows(Cue.ASKING_ORDER) else None
        else:
            kind = _kind(reading, vetoes, correcting=correcting)
            if kind is None and under_rules and not _taken_back(readings, 0):
                kind = Kind.RULE
        if kind is not None:
            return Kind.CORRECTION if correcting else kind
    return None


def _kind(reading: Reading, vetoes: Sequence[Reading], *, correcting: bool) -> Kind | None:
    """What this language hears in the statement, after everything that takes a rule back."""
    if (hit := reading.find(Cue.FIRM)) and not _said(vetoes, hit.start, Cue.HYPOTHETICAL, Cue.REPORTED):
        return Kind.RULE
    for cue, kind in (
        (Cue.HABIT, Kind.HABIT),
        (Cue.RULE, Kind.RULE),
        (Cue.ANAPHORIC, Kind.HABIT),
    ):
        if (hit := reading.find(cue)) and not _taken_back(vetoes, hit.start):
            return kind
    if (hit := reading.find(Cue.WARNING)) and reading.shows(Cue.REQUEST) and not _taken_back(vetoes, hit.start):
        return Kind.HABIT
    for cue in (Cue.WEAK, *((Cue.CORRECTING,) if correcting else ())):
        hit = reading.find(cue)
        if hit and not _said(vetoes, hit.start, Cue.POINTING) and not _taken_back(vetoes, hit.start):
            return Kind.RULE
    return None


def _taken_back(readings: Sequence[Reading], cue_start: int) -> bool:
    if _said(readings, cue_start, Cue.HYPOTHETICAL, Cue.REPORTED, Cue.NARRATIVE, Cue.FEATURE):
        return True
    one_off = any(reading.shows(Cue.ONE_OFF) for reading in readings)
    return one_off and not any(reading.shows(Cue.STANDING) for reading in readings)


def _said(readings: Sequence[Reading], cue_start: int, *cues: Cue) -> bool:
    """Whether the statement itself shows any of these: its reason takes nothing back ("..., it always breaks")."""
    return any(_before_reason(reading, cue_start).shows(*cues) for reading in readings)


def _before_reason(reading: Reading, cue_start: int) -> Reading:
    reasons = [hit.start for hit in reading.find_all(Cue.REASON) if hit.start > cue_start]
    return reading.language.read(reading.plain[: reasons[0]]) if reasons else reading


# ── What stands before and after ──────────────────────────────────────────────────────────────────────────────────────


def _heeded(item: _Judged) -> Iterator[Signal]:
    """The statement after a warning says what to do about it, if it is an order at all."""
    plain = list(_signals(item, correcting=False))
    if item.asks or item.shows(*_SPOILS_HABIT) or not item.shows(Cue.REQUEST):
        yield from plain
        return
    preferences = [signal for signal in plain if signal.kind is not Kind.REQUEST]
    yield from preferences or [_signal(item, Kind.HABIT, 0, len(item.statement.text))]


#: A warning makes a rule of an order only: "the cache was stale again. This has bitten us before." is a story.
_ORDERS = (Cue.REQUEST, Cue.WEAK, Cue.RULE, Cue.HABIT, Cue.FIRM)
_SPOILS_HABIT = (Cue.ONE_OFF, Cue.QUESTION, Cue.HYPOTHETICAL, Cue.REPORTED, Cue.NARRATIVE)


def _made_habit(before: _Judged | None, found: Sequence[Signal]) -> Iterator[Signal]:
    """A remark like "that's how we work here" makes a habit of the statement before it, unless it is one already."""
    if before is None or before.text.endswith("?") or before.shows(*_SPOILS_HABIT):
        return
    known = {signal.ordinal for signal in found if signal.kind is not Kind.REQUEST}
    if before.statement.ordinal not in known:
        yield _signal(before, Kind.HABIT, 0, len(before.statement.text))


# ── Quotes and reach ─────────────────────────────────────────────────────────────────────────────────────────────────


_QUOTE_EDGE = re.compile(r"^[\s,;:—–-]+|[\s,;:—–-]+$")
_FIRST_WORD = re.compile(r"([\w']+)[,!.]* ")


def _clean(quote: str, readings: Sequence[Reading]) -> str:
    """Without fillers at its beginning, cut at a word when it is too long."""
    text = _QUOTE_EDGE.sub("", quote)
    fillers = frozenset[str]().union(*(reading.language.fillers for reading in readings))
    while (match := _FIRST_WORD.match(text)) and match[1].lower() in fillers:
        text = text[match.end() :]
    if len(text) > MAX_QUOTE_CHARS:
        text = text[:MAX_QUOTE_CHARS].rpartition(" ")[0] or text[:MAX_QUOTE_CHARS]
    return text


def _reach(readings: Sequence[Reading]) -> Reach:
    if any(reading.shows(Cue.GENERAL) for reading in readings):
        return Reach.GENERAL
    personal = any(reading.shows(Cue.PERSONAL) for reading in readings)
    return Reach.GENERAL if personal and not any(reading.shows(Cue.PROJECT) for reading in readings) else Reach.PROJECT


def _distinct(signals: Sequence[Signal]) -> Iterator[Signal]:
    """One signal per wording; a preference goes before a request of the same words."""
    seen: set[str] = set()
    preferences = {signal.text.casefold() for signal in signals if signal.kind is not Kind.REQUEST}
    for signal in signals:
        key = signal.text.casefold()
        if key in seen or not key or (signal.kind is Kind.REQUEST and key in preferences):
            continue
        seen.add(key)
        yield signal
