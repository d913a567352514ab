"""Where a sentence shows its cues."""

import pytest

from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.languages import readings_of


def test_places_are_those_of_the_normalised_text() -> None:
    """Marks inside the searched text do not shift what is found."""
    (reading,) = readings_of("ok, please always use tabs")
    hit = reading.find(Cue.RULE)
    assert hit is not None
    assert reading.plain[hit.start : hit.end].startswith("please always use")


@pytest.mark.parametrize("typo", ["alwyas", "allways", "alway", "alwasy"])
def test_a_mistyped_cue_word_is_read_as_meant(typo: str) -> None:
    """One wrong letter hides no rule, and places stay those of the text as it was typed."""
    (reading,) = readings_of(f"pls {typo} run the linter, because it is quick")
    rule, reason = reading.find(Cue.RULE), reading.find(Cue.REASON)
    assert rule
    assert reason
    assert typo in reading.plain[rule.start : rule.end]
    assert reading.plain[reason.start : reason.end].startswith("because")
