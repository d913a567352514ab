"""The keys of bullets: a statement keeps the one it has, and what a person removed is known again.

By its sources, whatever became of its words; and by its words, whoever said them: a session that said the same before
the removal is no second word.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime

import msgspec

from vademecum.artifacts import Bullet, Note, bullet_key
from vademecum.learners.extractive.similarity import Meaning, meaning, same_statement
from vademecum.learners.extractive.statements import Cluster, Statement
from vademecum.learners.protocol import ConsolidationTask, Removed

__all__ = ["Keys"]

#: What a bullet says beside the words of its statement: how often it was asked for, that it is a note, how often a file
#: was edited.
_FRAME = re.compile(r"^Asked in \d+ sessions: |(?: \.\.\.)? \[note\]$| edited .*$")


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
        #: What the bullets of the present handbook rest on.
        self.sources = frozenset(source for _, source in self._known)
        self._words = _RemovedWords(task.removed)
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

    def is_removed(self, scope: str, items: Sequence[Statement]) -> bool:
        """Whether a person removed what rests on any of these statements, or says the same."""
        sources = [statement.source for statement in items]
        meanings = [statement.meaning for statement in items]
        return self._until(scope, sources) is not None or self._words.until({scope}, meanings) is not None

    def standing(self, item: Cluster) -> Cluster | None:
        """What a person said after they had last removed it: all of it where they never did, None where nothing."""
        scopes = {"", *(statement.project for statement in item.statements)}
        sources = [statement.source for statement in item.statements]
        known = [self._until(scope, sources) for scope in scopes]
        known.append(self._words.until(scopes, [statement.meaning for statement in item.statements]))
        until = max(filter(None, known), default=None)
        if until is None:
            return item
        again = tuple(statement for statement in item.statements if statement.evidence.at > until)
        self._said_again.update(statement.source for statement in again)
        return msgspec.structs.replace(item, statements=again) if again else None

    def standing_notes(self, notes: Sequence[Note]) -> Sequence[Note]:
        """As `standing`, of notes that say the same."""
        known = self._until("", [note.path for note in notes])
        said = self._words.until({""}, [meaning(note.text) for note in notes])
        until = max(filter(None, (known, said)), default=None)
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


class _RemovedWords:
    """The words of what a person removed, to be found by what a statement says."""

    def __init__(self, removed: Iterable[Removed]) -> None:
        #: Scope -> content word -> what was removed and holds it.
        self._by_word: dict[str, dict[str, list[tuple[Meaning, datetime]]]] = defaultdict(lambda: defaultdict(list))
        for item in removed:
            # The whole words too: a rule may happen to look like a frame.
            for words in {item.text, _FRAME.sub("", item.text)}:
                said = meaning(words)
                for word in said.content:
                    self._by_word[item.scope][word].append((said, item.until))

    def until(self, scopes: AbstractSet[str], said: Iterable[Meaning]) -> datetime | None:
        """When something of these scopes that says the same was last removed; None where it never was."""
        found = (
            until
            for one in said
            for scope in scopes & self._by_word.keys()
            for word in one.content & self._by_word[scope].keys()
            for removed, until in self._by_word[scope][word]
            if same_statement(removed, one)
        )
        return max(found, default=None)
