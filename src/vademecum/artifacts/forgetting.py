"""What forgetting leaves of an artefact: a line that rests on nothing else goes, any other loses what was forgotten.

The same pure function is asked of the present artefacts and of every former version of them. A bullet keeps its words
only where one of its other sources said them; else it gets the words of the newest of those.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec

from vademecum.artifacts.bullets import Bullet, parse_bullet, render_bullet, session_of, spelled_session
from vademecum.artifacts.evidence import parse_evidence
from vademecum.artifacts.handbook import group_project
from vademecum.artifacts.sections import Section, parse_sections
from vademecum.artifacts.summary import HEADINGS

__all__ = ["Forgotten", "Remainder", "statements_in", "without"]

#: Tells the words of a source, or None where nobody knows them.
Words = Callable[[str], str | None]

_FILES = "### rollout_summary_files"
#: What the head of a task group says of itself.
_GROUP_HEAD = ("scope:", "applies_to:")
#: Lines of our grammars that say nothing of their own; every other file of the kind holds the like.
_FORM = re.compile(
    r"(?:session_id|host|cwd|project|branch|started_at|updated_at|created_at|outcome|learner|keywords|origin|kind|name"
    r"|aliases|read_only|scope|applies_to):|Outcome: |Session of .+ in .+|.*:$",
)
_TASK = re.compile(r"#+ (?:Task \d+: )?")
_QUOTE = re.compile(r"- \"?(?P<text>.+?)\"? \[t\d+(?:\.\d+)?\]$")
#: A shorter piece is found everywhere; scripts that write no blanks say more with fewer characters.
_SHORTEST = 12
_SHORTEST_WIDE = 6


class Forgotten(msgspec.Struct, frozen=True, kw_only=True):
    """What a person asked to forget; make it with `of`."""

    #: Memory paths.
    paths: frozenset[str]
    #: Session ids as the sources of bullets spell them.
    sessions: frozenset[str]

    @classmethod
    def of(cls, *, paths: Iterable[str] = (), sessions: Iterable[str] = ()) -> "Forgotten":
        """Take these paths and session ids."""
        return cls(paths=frozenset(paths), sessions=frozenset(map(spelled_session, sessions)))

    def rest(self, sources: Iterable[str]) -> tuple[str, ...]:
        """The sources that are not forgotten."""
        return tuple(one for one in sources if one not in self.paths and session_of(one) not in self.sessions)


class Remainder(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of one artefact."""

    text: str
    #: Bullets that rested on nothing else, in file order.
    gone: tuple[Bullet, ...]
    #: How many others lost a source.
    thinned: int


def without(text: str, forgotten: Forgotten, words: Words) -> Remainder:
    """The artefact without what was forgotten; a text that holds nothing of it comes back as it is."""
    if _names(forgotten).search(text) is None:
        return Remainder(text=text, gone=(), thinned=0)  # most former versions are of this kind
    cleaning = _Cleaning(forgotten, words)
    sections = parse_sections(text)
    kept = cleaning.over(sections)
    if not cleaning.touched:
        return Remainder(text=text, gone=(), thinned=0)
    lines = [line for section in kept for line in (*section.path[-1:], *section.lines)]
    rest = "\n".join(lines).strip("\n")
    return Remainder(text=f"{rest}\n" if rest else "", gone=tuple(cleaning.gone), thinned=cleaning.thinned)


@cache
def _names(forgotten: Forgotten) -> re.Pattern[str]:
    """Finds what every line has that is concerned: few are, and the others need no closer look."""
    return re.compile("|".join(map(re.escape, sorted(forgotten.sessions | forgotten.paths))) or "(?!)")


def statements_in(text: str) -> set[str]:
    """What a memory file says, piece by piece, as the same words would stand in any other file."""
    return {piece for piece in map(_statement, text.split("\n")) if len(piece) >= _shortest(piece)}


def _shortest(piece: str) -> int:
    return _SHORTEST if piece.isascii() else _SHORTEST_WIDE


def _statement(line: str) -> str:
    if evidence := parse_evidence(line):
        return evidence.text
    if quote := _QUOTE.match(line):
        return quote["text"]
    if bullet := parse_bullet(line):
        return bullet.text
    if line.startswith("description:"):
        return line.removeprefix("description:").strip().strip("\"'")
    return "" if _FORM.match(line.strip()) else _TASK.sub("", line.strip(), count=1)


class _Cleaning:
    """One pass over the sections of one text."""

    def __init__(self, forgotten: Forgotten, words: Words) -> None:
        self._forgotten, self._words, self._names = forgotten, words, _names(forgotten)
        self.gone: list[Bullet] = []
        self.thinned = 0
        self.touched = False

    def over(self, sections: list[Section]) -> list[Section]:
        """The sections that are left; a heading goes with the last line below it, a task with its last file."""
        cleaned = [Section(path=one.path, lines=tuple(self._lines(one.lines))) for one in sections]
        if not self.touched:
            return sections
        pairs = list(zip(sections, cleaned, strict=True))
        tasks = {new.path[:-1] for old, new in pairs if new.path[-1:] == (_FILES,) and _emptied(old, new)}
        in_tasks = [any(new.path[:depth] in tasks for depth in range(1, len(new.path) + 1)) for new in cleaned]
        parents = {above for one in sections for above in _above(one.path)}
        still_parents: set[tuple[str, ...]] = set()
        kept: list[Section] = []
        # Backwards: what stands below a heading is decided before the heading is.
        for (old, new), in_task in reversed(list(zip(pairs, in_tasks, strict=True))):
            bare = _emptied(old, new) or (new.path in parents and not _says(new))
            needed = new.path in still_parents or _is_required(new.path)
            if not in_task and (needed or not bare):
                kept.append(new)
                still_parents.update(_above(new.path))
        return kept[::-1]

    def _lines(self, lines: tuple[str, ...]) -> Iterator[str]:
        for line in lines:
            left = self._line(line)
            self.touched |= left != line
            if left is not None:
                yield left

    def _line(self, line: str) -> str | None:
        bullet = parse_bullet(line) if self._names.search(line) else None
        if bullet is None:
            return line
        kept = self._forgotten.rest(bullet.sources)
        if bullet.key and len(kept) < len(bullet.sources):
            return self._thinned(bullet, kept)
        return None if self._names_a_path(bullet.text) else line

    def _thinned(self, bullet: Bullet, kept: tuple[str, ...]) -> str | None:
        said = [words for words in map(self._words, kept) if words]
        if not said:
            self.gone.append(bullet)
            return None
        self.thinned += 1
        text = bullet.text if bullet.edited or any(words in bullet.text for words in said) else said[-1]
        return render_bullet(msgspec.structs.replace(bullet, text=text, sources=kept))

    def _names_a_path(self, text: str) -> bool:
        """Whether it is the line of a task or of the index that leads to a file which is gone."""
        paths = self._forgotten.paths
        return text.partition(" ")[0] in paths or text.rpartition(": ")[2] in paths


def _above(path: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [path[:depth] for depth in range(1, len(path))]


def _is_required(path: tuple[str, ...]) -> bool:
    """Whether it is a heading of the summary, which has all of them; the handbook has some of the same name."""
    return path[-1:] != () and path[-1] in HEADINGS and group_project(path) is None


def _emptied(old: Section, new: Section) -> bool:
    return _says(old) and not _says(new)


def _says(section: Section) -> bool:
    is_group = len(section.path) == 1 and group_project(section.path) is not None
    return any(line.strip() and not (is_group and line.startswith(_GROUP_HEAD)) for line in section.lines)
