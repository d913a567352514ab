"""Whether a line reads like an order: what a program printed is quoted, but no program may order an agent about."""

from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.languages import readings_of
from vademecum.learners.extractive.spelling import normalise

__all__ = ["shows_order"]

_ORDERS = (Cue.FIRM, Cue.RULE, Cue.HABIT, Cue.WEAK, Cue.ANAPHORIC, Cue.STANDING, Cue.TAKEOVER)


def shows_order(line: str) -> bool:
    """Whether a line of program output reads like an instruction to somebody, in any language that ships."""
    return any(reading.shows(*_ORDERS) for reading in readings_of(normalise(line)))
