"""Why a session was left alone: every reason has a sentence."""

import pytest

from vademecum.engine.left_out import why_left_out, why_retired
from vademecum.learning import Skip
from vademecum.state import RetiredReason


@pytest.mark.parametrize("skip", Skip)
def test_every_reason_is_told_in_a_sentence_of_its_own(skip):
    told = why_left_out("0199a000", skip, tree=None, state=None)
    assert (told.session, told.reason) == ("0199a000", skip.value)
    assert told.why
    others = {why_left_out("0199a000", other, tree=None, state=None).why for other in Skip if other is not skip}
    assert told.why not in others
    assert "{" not in told.next_step


@pytest.mark.parametrize("reason", RetiredReason)
def test_every_record_that_is_retired_is_told_why(reason):
    assert why_retired("0199a000", reason, tree=None)
