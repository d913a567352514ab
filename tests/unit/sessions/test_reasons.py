"""What was passed over is told in plain words."""

import re
from pathlib import Path

import pytest

from vademecum import sessions
from vademecum.sessions import PassedOver, reason_words


@pytest.mark.parametrize("reason", PassedOver)
def test_every_reason_has_words_of_its_own(reason: PassedOver):
    """A person never reads the key; two reasons never read the same."""
    assert reason_words(reason.value) == reason.words
    assert "_" not in reason.words
    assert [other for other in PassedOver if other.words == reason.words] == [reason]


def test_a_reason_of_another_room_is_shown_with_blanks():
    assert reason_words("unproven_evidence") == "unproven evidence"


def test_readers_count_by_members_only():
    """A reason that is spelled out in a reader would have no words."""
    folder = Path(sessions.__file__).parent
    spelled = [path.name for path in folder.rglob("*.py") if re.search(r'skipped\["', path.read_text())]
    assert spelled == []
