import pytest

from vademecum.config import find_setting
from vademecum.learners.model.limits import Phase, effort_for


def test_reading_takes_little_thought_and_bringing_together_more():
    """codex-B03, codex-N24: the effort that is wanted where a person chose none."""
    assert (effort_for(Phase.EXTRACTION, "auto"), effort_for(Phase.CONSOLIDATION, "auto")) == ("low", "medium")


@pytest.mark.parametrize("setting", [word for word in find_setting("reasoning_effort").choices if word != "auto"])
@pytest.mark.parametrize("phase", Phase)
def test_what_a_person_chose_holds_for_both(phase, setting):
    """codex-B03"""
    assert effort_for(phase, setting) == setting
