"""Sentences for the rule tests: category -> sentences. Our own wording; the evaluation stories are somebody else's."""

from support.phrasebook import (
    held_out,
    languages,
    lead_ins,
    newcomers,
    passing,
    passing_work,
    standing,
    standing_as_typed,
)
from support.phrasebook.corrections import CORRECTIONS

__all__ = ["CORRECTIONS", "PASSING", "STANDING"]

#: Each is said by a person and must become a preference.
STANDING = standing.STANDING | standing_as_typed.STANDING | languages.STANDING | held_out.STANDING | newcomers.STANDING
STANDING |= lead_ins.STANDING
#: Each is said by a person and must become nothing that lasts.
PASSING = passing.PASSING | passing_work.PASSING | languages.PASSING | held_out.PASSING | newcomers.PASSING
PASSING |= lead_ins.PASSING
