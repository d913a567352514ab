"""What a sentence or a clause of it is: a rule, a habit, a correction, or nothing that lasts.

It must show a cue that makes a preference, and nothing that takes this back: a question, a one-off, a hypothesis,
somebody else's words, a story. In doubt it is no preference.
"""

from collections.abc import Sequence
from enum import StrEnum

from vademecum.artifacts.evidence import Kind
from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.reading import Reading

__all__ = ["ORDERS", "Neither", "asks", "holds_for_the_moment", "judge", "judge_clause", "may_be_preference"]

#: What shows that a text tells somebody to do something.
ORDERS = (Cue.REQUEST, Cue.WEAK, Cue.RULE, Cue.HABIT, Cue.FIRM)


class Neither(StrEnum):
    """What a clause is that is no preference."""

    HARMLESS = "harmless"  #: may stand in a quote beside a preference
    SPOILING = "spoiling"  #: a question, a one-off or work: a quote must not hold it


_MAKERS = (Cue.RULE, Cue.HABIT, Cue.FIRM, Cue.ANAPHORIC, Cue.WARNING, Cue.WEAK, Cue.ASKING_ORDER)
_SPOILERS = (Cue.QUESTION, Cue.ONE_OFF, Cue.HYPOTHETICAL, Cue.REPORTED, Cue.REQUEST)
_TAKING_BACK = (Cue.HYPOTHETICAL, Cue.REPORTED, Cue.NARRATIVE, Cue.FEATURE)


def asks(readings: Sequence[Reading]) -> bool:
    """Whether this is a question, with or without its mark."""
    marked = any(reading.plain.endswith("?") for reading in readings)
    return marked or any(reading.shows(Cue.QUESTION) for reading in readings)


def holds_for_the_moment(readings: Sequence[Reading]) -> bool:
    """Whether this tells of a passing state ("the database is down right now") and asks for nothing."""
    one_off = any(reading.shows(Cue.ONE_OFF) for reading in readings)
    return one_off and not any(reading.shows(*ORDERS) for reading in readings)


def may_be_preference(readings: Sequence[Reading], *, correcting: bool) -> bool:
    """Say cheaply whether anything that can make a preference occurs at all."""
    makers = (*_MAKERS, Cue.CORRECTING) if correcting else _MAKERS
    return any(reading.shows(*makers) for reading in readings)


def judge(
    readings: Sequence[Reading], *, correcting: bool, under_rules: bool = False, in_passing: bool = False
) -> Kind | None:
    """The kind of preference that this is, if it is one.

    Parameters
    ----------
    readings: one text in the languages that it may be in.
    correcting: it follows an action of the assistant that the person rejects.
    under_rules: it stands in a list of rules, and needs no cue of its own.
    in_passing: what stands beside it holds for the moment, so that a weak cue is none.
    """
    asked = asks(readings)
    for reading in readings:
        # English is the trade's second language everywhere: its "today" counts in a German sentence too.
        vetoes = [other for other in readings if other is reading or other.language.code == "en"]
        if asked:
            kind = Kind.RULE if reading.shows(Cue.ASKING_ORDER) else None
        else:
            kind = _kind(reading, vetoes, correcting=correcting, in_passing=in_passing)
            if kind is None and under_rules and not _taken_back(readings, 0):
                kind = Kind.RULE
        if kind is not None:
            return Kind.CORRECTION if correcting else kind
    return None


def judge_clause(readings: Sequence[Reading], *, correcting: bool, in_passing: bool) -> Kind | Neither:
    """The kind of a clause by itself, or what else it is beside a preference. The parameters are those of `judge`."""
    kind = judge(readings, correcting=correcting, in_passing=in_passing)
    if kind is not None:
        return kind
    return Neither.SPOILING if any(reading.shows(*_SPOILERS) for reading in readings) else Neither.HARMLESS


def _kind(reading: Reading, vetoes: Sequence[Reading], *, correcting: bool, in_passing: bool) -> Kind | None:
    """What this language hears, after everything that takes a rule back."""
    if (hit := reading.find(Cue.FIRM)) and not _said(vetoes, hit.start, Cue.HYPOTHETICAL, Cue.REPORTED):
        return Kind.RULE
    for cue, kind in ((Cue.HABIT, Kind.HABIT), (Cue.RULE, Kind.RULE), (Cue.ANAPHORIC, Kind.HABIT)):
        if (hit := reading.find(cue)) and not _taken_back(vetoes, hit.start):
            return kind
    if (hit := reading.find(Cue.WARNING)) and reading.shows(Cue.REQUEST) and not _taken_back(vetoes, hit.start):
        return Kind.HABIT
    if in_passing:
        return None
    for cue in (Cue.WEAK, *((Cue.CORRECTING,) if correcting else ())):
        hit = reading.find(cue)
        if hit and not _said(vetoes, hit.start, Cue.POINTING) and not _taken_back(vetoes, hit.start):
            return Kind.RULE
    return None


def _taken_back(readings: Sequence[Reading], cue_start: int) -> bool:
    if _said(readings, cue_start, *_TAKING_BACK):
        return True
    one_off = any(reading.shows(Cue.ONE_OFF) for reading in readings)
    return one_off and not any(reading.shows(Cue.STANDING) for reading in readings)


def _said(readings: Sequence[Reading], cue_start: int, *cues: Cue) -> bool:
    """Whether the text itself shows any of these: its reason takes nothing back ("..., it always breaks")."""
    return any(_before_reason(reading, cue_start).shows(*cues) for reading in readings)


def _before_reason(reading: Reading, cue_start: int) -> Reading:
    reasons = [hit.start for hit in reading.find_all(Cue.REASON) if hit.start > cue_start]
    return reading.language.read(reading.plain[: reasons[0]]) if reasons else reading
