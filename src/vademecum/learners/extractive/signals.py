"""Preference signals: which sentences of a person are rules, habits, corrections or one-off requests.

`judging` says what one sentence is by itself and `quoting` which words of it are worth keeping; here stands what its
neighbours say about it, and how far it reaches.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from vademecum.artifacts.evidence import Kind, Reach
from vademecum.artifacts.lead_in_words import retracts
from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.heard import Heard
from vademecum.learners.extractive.judging import ORDERS, holds_for_the_moment
from vademecum.learners.extractive.quoting import WHOLE_QUOTE_CHARS, clean_quote, preferences_in
from vademecum.learners.extractive.sentences import sentences_of
from vademecum.secrets import holds_mask
from vademecum.sessions.model import Message, Role

__all__ = ["Signal", "signals_by_turn", "signals_of"]

#: A correction is carried by the first sentences of a message; what follows is new work.
CORRECTION_SENTENCES = 4
#: A correction as short as this ("X | None please") is quoted with the complaint before it.
TERSE_CORRECTION_CHARS = 60


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a person said, and what it is."""

    kind: Kind
    reach: Reach
    #: Near-verbatim: a part of the message with its whitespace collapsed.
    text: str
    #: Which sentence of the message, from 1.
    ordinal: int


def signals_by_turn(messages: Iterable[Message]) -> dict[int, tuple[Signal, ...]]:
    """Turn -> the signals of the human message there, in the order of the session."""
    found: dict[int, tuple[Signal, ...]] = {}
    after_action = False
    for message in messages:
        if message.role is Role.HUMAN:
            found[message.index] = signals_of(message.text, after_action=after_action)
            after_action = False
        elif message.role in {Role.FINAL, Role.COMMENTARY, Role.TOOL}:
            after_action = True
    return found


def signals_of(message: str, *, after_action: bool) -> tuple[Signal, ...]:
    """The signals in one human message.

    Parameters
    ----------
    message: the message's text, masked: what held a secret says nothing without it.
    after_action: the assistant has said or done something that this message may correct.
    """
    heard = [Heard.of(sentence) for sentence in sentences_of(message)]
    rejected = after_action and any(item.shows(Cue.REJECTION) for item in heard[:2])
    found: list[Signal] = []
    warned = False
    for position, item in enumerate(heard):
        if _is_taken_back(heard, position):
            continue
        before = heard[position - 1] if position and item.sentence.follows else None
        if item.points_back:
            warns = item.shows(Cue.WARNING)
            made = [] if warns and before and not before.shows(*ORDERS) else list(_made_habit(before, found))
            found += made
            warned = warns and not made
            continue
        correcting = rejected and position < CORRECTION_SENTENCES
        in_passing = item.shows(Cue.WEAK, Cue.CORRECTING) and any(
            holds_for_the_moment(beside.readings) for beside in _beside(heard, position)
        )
        if warned and item.sentence.follows:
            found += _heeded(item, in_passing=in_passing)
        else:
            signals = list(_signals(item, correcting=correcting, in_passing=in_passing))
            found += _with_complaint(signals, item, before) if correcting else signals
        warned = False
    return tuple(_distinct(found))


def _is_taken_back(heard: Sequence[Heard], position: int) -> bool:
    """Whether the next sentence rejects what this one says, or bounds it: half of a rule is another rule."""
    after = heard[position + 1 : position + 2]
    return any(one.sentence.follows and retracts(one.sentence.text) for one in after)


def _beside(heard: Sequence[Heard], position: int) -> Iterator[Heard]:
    """The sentences before and after, in the same paragraph."""
    if heard[position].sentence.follows and position:
        yield heard[position - 1]
    if position + 1 < len(heard) and heard[position + 1].sentence.follows:
        yield heard[position + 1]


def _signals(item: Heard, *, correcting: bool, in_passing: bool) -> Iterator[Signal]:
    quoted = list(preferences_in(item, correcting=correcting, in_passing=in_passing))
    for start, end, kind in quoted:
        yield _signal(item, kind, start, end)
    if not quoted and _is_request(item):
        yield _signal(item, Kind.REQUEST, 0, len(item.sentence.text))


def _is_request(item: Heard) -> bool:
    return (
        item.shows(Cue.REQUEST)
        and not holds_mask(item.sentence.text)
        and not item.shows(Cue.REPORTED, Cue.HYPOTHETICAL)
    )


def _signal(item: Heard, kind: Kind, start: int, end: int) -> Signal:
    quote = clean_quote(item.sentence.text[start:end], item.readings)
    return Signal(kind=kind, reach=_reach(item), text=quote, ordinal=item.sentence.ordinal)


def _reach(item: Heard) -> Reach:
    return Reach.GENERAL if item.shows(Cue.GENERAL) or item.is_personal else Reach.PROJECT


def _heeded(item: Heard, *, in_passing: bool) -> Iterator[Signal]:
    """The sentence after a warning says what to do about it, if it is an order at all."""
    plain = list(_signals(item, correcting=False, in_passing=in_passing))
    if item.asks or item.shows(*_SPOILS_HABIT) or not _is_request(item):
        yield from plain
        return
    preferences = [signal for signal in plain if signal.kind is not Kind.REQUEST]
    yield from preferences or [_signal(item, Kind.HABIT, 0, len(item.sentence.text))]


_SPOILS_HABIT = (Cue.ONE_OFF, Cue.QUESTION, Cue.HYPOTHETICAL, Cue.REPORTED, Cue.NARRATIVE)


def _made_habit(before: Heard | None, found: Sequence[Signal]) -> Iterator[Signal]:
    """A remark like "that's how we work here" makes a habit of the sentence before it, unless it is one already.

    A warning does so with an order only: "the cache was stale again. This has bitten us before." is a story.
    """
    if before is None or before.text.endswith("?") or before.shows(*_SPOILS_HABIT) or holds_mask(before.sentence.text):
        return
    known = {signal.ordinal for signal in found if signal.kind is not Kind.REQUEST}
    if before.sentence.ordinal not in known:
        yield _signal(before, Kind.HABIT, 0, len(before.sentence.text))


def _with_complaint(signals: Sequence[Signal], item: Heard, before: Heard | None) -> Iterator[Signal]:
    """A terse correction is understood only with the complaint before it ("you used X again. Y please")."""
    complaint = before.sentence.text if before and before.shows(Cue.COMPLAINT) else ""
    if holds_mask(complaint):
        complaint = ""
    for signal in signals:
        pair = f"{complaint} {signal.text}"
        whole = signal.text == item.sentence.text and len(signal.text) <= TERSE_CORRECTION_CHARS
        if complaint and whole and signal.kind is Kind.CORRECTION and len(pair) <= WHOLE_QUOTE_CHARS:
            yield msgspec.structs.replace(signal, text=pair)
        else:
            yield signal


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
