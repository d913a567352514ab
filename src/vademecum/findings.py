"""What an examination found: how serious, where, what, and what to do about it."""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import islice

import msgspec

from vademecum.errors import VademecumError

__all__ = ["Finding", "Level", "capped", "fine", "guarded", "note", "problem", "warning"]

#: Most findings of one kind that are told; a memory with a thousand of them has one cause.
_MOST = 10


class Level(StrEnum):
    """How serious a finding is, the most serious first."""

    PROBLEM = "problem"  #: something does not work, or memory is wrong
    WARNING = "warning"  #: it works, but not as the person would want
    NOTE = "note"  #: good to know
    OK = "ok"  #: looked at, and in order


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    level: Level
    #: Where: `repository`, `memory`, `hooks`, ...
    area: str
    #: One sentence without a full stop.
    what: str
    #: What to do; None where there is nothing to do.
    next: str | None = None


def problem(area: str, what: str, next_step: str) -> Finding:
    """Something does not work."""
    return Finding(level=Level.PROBLEM, area=area, what=what, next=next_step)


def warning(area: str, what: str, next_step: str) -> Finding:
    """Something works, but not as the person would want."""
    return Finding(level=Level.WARNING, area=area, what=what, next=next_step)


def note(area: str, what: str, next_step: str | None = None) -> Finding:
    """Something is good to know."""
    return Finding(level=Level.NOTE, area=area, what=what, next=next_step)


def fine(area: str, what: str) -> Finding:
    """Something was looked at, and is in order."""
    return Finding(level=Level.OK, area=area, what=what)


def capped(findings: Iterable[Finding], more: Callable[[int], str]) -> Iterator[Finding]:
    """Yield the first findings of one kind, and one that counts the rest. `more`: its sentence."""
    rest = iter(findings)
    last = None
    for last in islice(rest, _MOST):
        yield last
    left = sum(1 for _ in rest)
    if last and left:
        yield msgspec.structs.replace(last, what=more(left))


def guarded(area: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """What a room says; where it fails, that is what is found, and the other rooms are asked all the same."""
    try:
        yield from findings
    except VademecumError as error:
        yield Finding(level=Level.PROBLEM, area=area, what=str(error), next=error.next_step)
    except OSError as error:
        yield problem(
            area, f"{error.filename or area} cannot be examined: {error.strerror}", "Check its owner and permissions."
        )
