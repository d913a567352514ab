"""What a person removed stays away, in whatever words it comes back, unless they have said it again since.

A statement is known again by its key, by what it rests on, or by what it says where the removed one stood. The built-in
learner holds to the same rule while it writes; here it is asked of what others wrote, a model or another process.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from vademecum.artifacts import Bullet
from vademecum.learners import Removed, says_the_same

__all__ = ["Removals"]


class Removals:
    """The removed statements.

    Parameters
    ----------
    said_at: when a source was said; None where nobody knows.
    """

    def __init__(self, removed: Iterable[Removed], said_at: Callable[[str], datetime | None]) -> None:
        self._removed, self._said_at = tuple(removed), said_at

    def __bool__(self) -> bool:
        return bool(self._removed)

    def brings_back(self, bullet: Bullet, scope: str) -> bool:
        """Whether a statement is one that a person removed, and has not said again since."""
        return any(not self._is_newer(bullet, item) for item in self._alike(bullet, scope))

    def is_said_again(self, bullet: Bullet, scope: str) -> bool:
        """Whether a statement is one that a person removed, and has said again since."""
        return any(self._is_newer(bullet, item) for item in self._alike(bullet, scope))

    def _alike(self, bullet: Bullet, scope: str) -> Iterator[Removed]:
        for item in self._removed:
            is_same = item.key == bullet.key or not set(item.sources).isdisjoint(bullet.sources)
            if is_same or (item.scope in {scope, ""} and says_the_same(item.text, bullet.text)):
                yield item

    def _is_newer(self, bullet: Bullet, item: Removed) -> bool:
        first_said = self._said_at(bullet.sources[0]) if bullet.sources else None
        return first_said is not None and first_said > item.until
