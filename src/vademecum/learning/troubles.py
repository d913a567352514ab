"""What a learner's failure means: which class it is of, and how long the session waits before it is tried again."""

import random
from datetime import timedelta

from vademecum.errors import (
    BusyError,
    InputTooLarge,
    LearnerFailed,
    LearnerUnavailable,
    LoginRefused,
    QuotaReached,
    VademecumError,
)
from vademecum.state import ErrorClass

__all__ = ["class_of", "room_for", "wait_after"]

#: The first that fits.
_CLASSES: tuple[tuple[type[VademecumError], ErrorClass], ...] = (
    (QuotaReached, ErrorClass.QUOTA),
    (LoginRefused, ErrorClass.AUTH),
    (InputTooLarge, ErrorClass.OVERFLOW),
    (LearnerUnavailable, ErrorClass.TRANSIENT),
    (BusyError, ErrorClass.TRANSIENT),
    (LearnerFailed, ErrorClass.INVALID_OUTPUT),
    (VademecumError, ErrorClass.INTERNAL),
)
#: After the first failure of a class; each further one doubles it. Less input may be tried at once.
_FIRST_WAITS = {
    ErrorClass.TRANSIENT: timedelta(minutes=5),
    ErrorClass.OVERFLOW: timedelta(0),
    ErrorClass.INVALID_OUTPUT: timedelta(hours=1),
    ErrorClass.INTERNAL: timedelta(hours=1),
}
_LONGEST_WAIT = timedelta(hours=12)
#: Sessions that failed together do not come back together.
_JITTER = 0.15


def class_of(error: VademecumError) -> ErrorClass:
    """Which class of failure this is."""
    return next(kind for error_type, kind in _CLASSES if isinstance(error, error_type))


def wait_after(kind: ErrorClass, failures: int) -> timedelta:
    """How long a session waits after so many failures of one class, the last one included."""
    grown = min(_FIRST_WAITS[kind] * 2 ** min(max(failures - 1, 0), 16), _LONGEST_WAIT)
    return grown * random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311  spreads load, guards nothing


def room_for(input_tokens: int, overflows: int) -> int:
    """How much a learner is given to read after so many inputs that were too large for it."""
    return input_tokens >> overflows
