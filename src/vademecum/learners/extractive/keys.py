"""The keys of bullets: a statement keeps the one it has, and what a person removed is known again by its sources."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from vademecum.artifacts import Bullet, Note, bullet_key
from vademecum.learners.extractive.statements import Cluster
from vademecum.learners.protocol import ConsolidationTask

__all__ = ["Keys"]


class Keys:
    """What the present handbook and the person's removals say about keys."""

    def __init__(self, task: ConsolidationTask) -> None:
        #: Key, or source of a bullet that was removed -> until when.
        self._removed: dict[str, datetime] = {}
        for removed in task.removed:
            for name in (removed.key, *removed.sources):
                self._removed[name] = max(removed.until, self._removed.get(name, removed.until))
        self._known = {
            (scope, source): bullet
            for scope, bullets in task.known_bullets.items()
            for bullet in bullets
            if bullet.key not in self._removed
            for source in bullet.sources
        }
        #: What was said again after its removal and stands in no handbook yet.
        self.came_back: list[str] = []
        self._said_again: set[str] = set()

    def bullet(self, scope: str, text: str, sources: Sequence[str], superseded: str = "") -> Bullet:
        """The bullet for these sources, oldest first, under the key that they have in the handbook already."""
        former = next((self._known[scope, source] for source in sources if (scope, source) in self._known), None)
        first = former.sources[0] if former else sources[0]
        key = former.key if former else bullet_key(scope, first)
        ordered = (first, *(source for source in sources if source != first))
        if former is None and not self._said_again.isdisjoint(sources):
            self.came_back.append(text)
        return Bullet(text=text, key=key, sources=ordered, superseded=superseded)

    def is_removed(self, scope: str, sources: Iterable[str]) -> bool:
        """Whether a person removed what rests on any of these sources."""
        return self._until(scope, sources) is not None

    def standing(self, item: Cluster) -> Cluster | None:
        """What a person said after they had last removed it: all of it where they never did, None where nothing."""
        scopes = ("", *(statement.project for statement in item.statements))
        sources = [statement.source for statement in item.statements]
        until = max(filter(None, (self._until(scope, sources) for scope in set(scopes))), default=None)
        if until is None:
            return item
        again = tuple(statement for statement in item.statements if statement.evidence.at > until)
        self._said_again.update(statement.source for statement in again)
        return msgspec.structs.replace(item, statements=again) if again else None

    def standing_notes(self, notes: Sequence[Note]) -> Sequence[Note]:
        """As `standing`, of notes that say the same."""
        until = self._until("", [note.path for note in notes])
        if until is None:
            return notes
        again = [note for note in notes if note.created_at > until]
        self._said_again.update(note.path for note in again)
        return again

    def _until(self, scope: str, sources: Iterable[str]) -> datetime | None:
        """When it was last removed, whichever of its sources the key was made of; None where it never was."""
        if not self._removed:
            return None
        names = (name for source in sources for name in (source, bullet_key(scope, source)))
        return max((self._removed[name] for name in names if name in self._removed), default=None)
