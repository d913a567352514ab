from datetime import timedelta

import pytest

from vademecum.errors import (
    BusyError,
    InputTooLarge,
    LearnerFailed,
    LearnerUnavailable,
    LoginRefused,
    QuotaReached,
    UsageError,
)
from vademecum.learning.troubles import class_of, room_for, wait_after
from vademecum.state import ErrorClass

CLASSES = {
    QuotaReached: ErrorClass.QUOTA,
    LoginRefused: ErrorClass.AUTH,
    InputTooLarge: ErrorClass.OVERFLOW,
    LearnerUnavailable: ErrorClass.TRANSIENT,
    BusyError: ErrorClass.TRANSIENT,
    LearnerFailed: ErrorClass.INVALID_OUTPUT,
    UsageError: ErrorClass.INTERNAL,
}


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_the_class_of_a_failure_is_told_by_its_error_never_by_its_words(error):
    """codex-W12, codex-X01: a quota of a disk is none of an account."""
    for words in ("disk quota exceeded", "line 429: too many requests", ""):
        assert class_of(error(words)) is CLASSES[error]


@pytest.mark.parametrize("kind", [ErrorClass.TRANSIENT, ErrorClass.INVALID_OUTPUT, ErrorClass.INTERNAL])
def test_waits_grow_up_to_half_a_day_and_differ(kind):
    """codex-W08"""
    first, second = wait_after(kind, 1), wait_after(kind, 2)
    assert second > first > timedelta(minutes=4)
    assert wait_after(kind, 40) < timedelta(hours=14)
    assert len({wait_after(kind, 1) for _ in range(20)}) > 1


def test_less_input_is_tried_without_a_wait():
    assert wait_after(ErrorClass.OVERFLOW, 2) == timedelta(0)
    assert [room_for(100_000, overflows) for overflows in range(3)] == [100_000, 50_000, 25_000]
