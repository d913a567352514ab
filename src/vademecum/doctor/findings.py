"""How findings are made, and how a room that fails becomes one."""

from collections.abc import Iterable, Iterator

from vademecum.errors import VademecumError
from vademecum.memfs import Finding, Level

__all__ = ["finding", "fine", "guarded"]


def finding(level: Level, area: str, what: str, next_step: str | None = None) -> Finding:
    """One thing that was looked at."""
    return Finding(level=level, area=area, what=what, next=next_step)


def fine(area: str, what: str) -> Finding:
    """Something is in order."""
    return finding(Level.OK, area, what)


def guarded(area: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """What a room says; where it fails, that is what is found, and the other rooms are asked all the same."""
    try:
        yield from findings
    except VademecumError as error:
        yield finding(Level.PROBLEM, area, str(error), error.next_step)
    except OSError as error:
        what = f"{error.filename or area} cannot be examined: {error.strerror}"
        yield finding(Level.PROBLEM, area, what, "Check its owner and permissions.")
