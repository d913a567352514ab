"""Why memory says what it says: from a line to what it rests on, told from the repository and the state alone."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    GENERATED,
    HANDBOOK_PATH,
    NOTES_FOLDER,
    ROLLOUT_FOLDER,
    SUMMARY_PATH,
    Bullet,
    Removal,
    format_day,
    is_yours,
    parse_archive,
    parse_bullet,
    parse_evidence,
    session_source,
    strip_marks,
)
from vademecum.learning.footing import Footing, footing_of
from vademecum.learning.last_word import scopes_of
from vademecum.learning.said import Said, Sayings
from vademecum.learning.sources import text_of
from vademecum.memfs import Tree
from vademecum.state import RecordState, RetiredReason, State

__all__ = ["Explained", "Explainer"]

#: How a recap names the turn that a line of it was seen in.
_TURN = re.compile(r"\[t([0-9]{1,7})")


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """One line of memory with what it rests on."""

    path: str
    #: File line, from 1; 0: words that stand in no file any more.
    line: int
    #: Without the mark.
    text: str
    #: The project that a bullet holds in; empty: everywhere, or no bullet.
    scope: str = ""
    #: Ten hex digits; empty for a line that no learner wrote.
    key: str = ""
    #: Where the handbook says it, where that is another line.
    handbook_line: int = 0
    #: The day on which a newer statement took its place, else empty.
    superseded: str = ""
    #: That statement, where only one of the same scope was said on that day.
    superseded_by: str = ""
    #: A person wrote these words.
    is_yours: bool = False
    #: The words of the newest source that has any: what a person reworded.
    learned: str = ""
    #: What a person removed: in which way, and on which day.
    removed: str = ""
    removed_on: str = ""
    #: Oldest first, as the bullet names them.
    said: tuple[Said, ...] = ()


class Explainer:
    """Explains lines of one state of the memory."""

    def __init__(self, state: State | None, tree: Tree) -> None:
        self._state, self._tree = state, tree
        self._lines = cache(self._read)
        self._yours = cache(self._which_are_yours)
        self._sayings = Sayings(state, tree)

    def _read(self, path: str) -> list[str]:
        return text_of(self._tree, path).split("\n")

    def _which_are_yours(self, path: str) -> list[bool]:
        return is_yours(self._lines(path))

    def line(self, path: str, number: int) -> Explained:
        """What this line rests on."""
        text = self._lines(path)[number - 1]
        if path == ARCHIVE_PATH:
            return self._removal(number, text)
        if path.startswith(NOTES_FOLDER):
            return Explained(path=path, line=number, text=text, said=(self._sayings.note(path),))
        if path.startswith(ROLLOUT_FOLDER):
            return Explained(path=path, line=number, text=text, said=self._in_rollout(path, text))
        return self._generated(path, number) if path in GENERATED else Explained(path=path, line=number, text=text)

    def bullets(self, path: str) -> list[Explained]:
        """Every line of the file that says something by itself, in file order."""
        lines = enumerate(self._lines(path), 1)
        if path.startswith(ROLLOUT_FOLDER):
            return [self.line(path, number) for number, text in lines if parse_evidence(text)]
        if path in GENERATED:
            found = [self.line(path, number) for number, text in lines if parse_bullet(text)]
            return [one for one in found if one.key or one.is_yours or (path == SUMMARY_PATH and one.said)]
        return [self.line(path, number) for number, text in lines if text.strip()][:1]

    def words(self, wanted: str) -> list[Explained]:
        """The lines that hold these words: in the handbook or the summary, the archive, the notes; else at rest."""
        sought = _folded(wanted)
        once: dict[str, Explained] = {}
        for path in (HANDBOOK_PATH, SUMMARY_PATH, ARCHIVE_PATH, *self._notes()) if sought else ():
            for number, text in enumerate(self._lines(path), 1):
                if sought in _folded(strip_marks(text)):
                    item = self.line(path, number)
                    if name := _name_of_statement(item):
                        once.setdefault(name, item)
        return list(once.values()) or list(self._at_rest(sought) if sought else ())

    def _notes(self) -> Iterable[str]:
        return (path for path in self._tree.paths() if path.startswith(NOTES_FOLDER))

    def _at_rest(self, sought: str) -> Iterator[Explained]:
        """Of what a person took out, nothing is told: it is out of memory."""
        retired = self._state.records.all(RecordState.RETIRED) if self._state else ()
        for record in (one for one in retired if one.retired_reason is RetiredReason.UNUSED):
            for line in record.raw_memory.split("\n"):
                item = parse_evidence(line)
                if item and sought in _folded(item.text):
                    said = self._sayings.statement(session_source(record.session_id, item.turn, item.ordinal))
                    yield Explained(path=said.path, line=said.line, text=item.text, scope=said.project, said=(said,))

    def _generated(self, path: str, number: int) -> Explained:
        lines = self._lines(path)
        footing = footing_of(path, lines, number)
        bullet = footing.bullet
        if bullet is None or not bullet.key:
            said = tuple(map(self._sayings.whole, footing.rollouts))
            yours = self._yours(path)[number - 1]
            return Explained(path=path, line=number, text=lines[number - 1], is_yours=yours, said=said)
        said = self._said_under(footing)
        place = self._handbook_lines.get(bullet.key, 0)
        return Explained(
            path=path,
            line=number,
            text=bullet.text,
            key=bullet.key,
            scope=self._scopes.get(bullet.key, ""),
            handbook_line=0 if path == HANDBOOK_PATH else place,
            superseded=bullet.superseded,
            superseded_by=self._successor(bullet) if bullet.superseded else "",
            is_yours=bullet.edited,
            learned=next((one.quote for one in reversed(said) if one.quote), ""),
            said=said,
        )

    def _successor(self, old: Bullet) -> str:
        """What took the place of a statement: the one of its scope that was said on the day of which its mark tells."""
        found = [
            bullet.text
            for bullet in filter(None, map(parse_bullet, self._lines(HANDBOOK_PATH)))
            if bullet.key and not bullet.superseded and self._scopes.get(bullet.key) == self._scopes.get(old.key)
            if any(self._was_said_on(source, old.superseded) for source in bullet.sources)
        ]
        return found[0] if len(found) == 1 else ""

    def _was_said_on(self, source: str, day: str) -> bool:
        at = None if source.startswith(NOTES_FOLDER) else self._sayings.statement(source).at
        return at is not None and format_day(at) == day

    def _said_under(self, footing: Footing) -> tuple[Said, ...]:
        return tuple(
            self._sayings.note(one) if one.startswith(NOTES_FOLDER) else self._sayings.statement(one)
            for one in footing.sources
        )

    def _removal(self, number: int, text: str) -> Explained:
        bullet = parse_bullet(text)
        entry = self._removals.get(bullet.key) if bullet else None
        if bullet is None or entry is None:
            return Explained(path=ARCHIVE_PATH, line=number, text=text)
        said = self._said_under(Footing(bullet=bullet, sources=entry.sources))
        return Explained(
            path=ARCHIVE_PATH,
            line=number,
            text=entry.text,
            key=entry.key,
            scope=entry.scope,
            removed=entry.reason,
            removed_on=entry.day,
            said=said,
        )

    def _in_rollout(self, path: str, text: str) -> tuple[Said, ...]:
        whole = self._sayings.whole(path)
        if item := parse_evidence(text):
            return (self._sayings.statement(session_source(whole.session, item.turn, item.ordinal)),)
        turns = dict.fromkeys(map(int, _TURN.findall(text)))
        return tuple(msgspec.structs.replace(whole, turn=turn) for turn in turns) or (whole,)

    @cached_property
    def _handbook_lines(self) -> dict[str, int]:
        bullets = ((number, parse_bullet(line)) for number, line in enumerate(self._lines(HANDBOOK_PATH), 1))
        return {bullet.key: number for number, bullet in bullets if bullet and bullet.key}

    @cached_property
    def _scopes(self) -> dict[str, str]:
        return scopes_of(text_of(self._tree, HANDBOOK_PATH))

    @cached_property
    def _removals(self) -> dict[str, Removal]:
        return {entry.key: entry for entry in parse_archive(text_of(self._tree, ARCHIVE_PATH))}


def _name_of_statement(item: Explained) -> str:
    """What makes it one statement, wherever it stands; empty for titles, keywords and pointers."""
    if item.path.startswith(NOTES_FOLDER):
        return item.path
    own_line = f"{item.path}:{item.line}" if parse_bullet(item.text) and not item.said else ""
    return item.key or own_line


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
