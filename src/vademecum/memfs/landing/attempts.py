"""Try again where a person committed with plain git while something was built on the commit before."""

from collections.abc import Callable
from typing import TypeVar

from vademecum.errors import HeadMoved

__all__ = ["again_when_moved"]

_Result = TypeVar("_Result")
#: Each one more means that a person committed while the one before was built.
_ATTEMPTS = 20


def again_when_moved(action: Callable[[], _Result]) -> _Result:
    """Do it, anew on each new commit; raises `HeadMoved` where a person commits faster than we do."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return action()
        except HeadMoved:
            continue
    return action()
