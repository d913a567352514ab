"""The summary in chunks: what it says under one heading on one project, completed from the handbook."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec

from vademecum.amounts import plural
from vademecum.artifacts import (
    INDEX,
    PREFERENCES,
    Bullet,
    HandbookGroup,
    SummaryDocument,
    SummarySection,
    is_memory_heading,
    is_merge_mark,
    more_mark,
    parse_bullet,
    render_bullet,
    strip_marks,
)
from vademecum.home import is_broad

__all__ = ["Chunk", "summary_chunks"]

_Preferences = dict[str, list[Bullet]]
_MOST_MARKS = 6
_HEADING = re.compile(rf"(#{{1,{_MOST_MARKS}}}) ")


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that stand together, or not at all, in the context of a place."""

    #: The heading as it stands in the summary.
    heading: str
    #: The lines hold there and below; empty: everywhere.
    project: str = ""
    #: The project is a folder of many projects: the lines hold in exactly that folder.
    broad: bool = False
    #: The one line that stands for a chunk of the index in other places.
    brief: str = ""
    #: As they are shown: without marks, nothing superseded.
    lines: tuple[str, ...]


def summary_chunks(
    summary: SummaryDocument,
    handbook: Sequence[HandbookGroup],
    *,
    own_words: Collection[str] = (),
    is_baseless: Callable[[Bullet], bool] = lambda _bullet: False,
) -> tuple[Chunk, ...]:
    """The chunks in file order. Both texts must be neutralised already.

    Preferences that found no room in the summary come from the handbook: the budget that counts is the context's. So do
    those that a person wrote into the handbook: what they add or reword there holds at once, as in the summary. What
    they took out of it, the summary does not tell either.

    Parameters
    ----------
    own_words: keys of bullets that a person reworded in the summary itself.
    is_baseless: whether what a bullet rested on was taken out of memory.
    """
    current = [bullet for group in handbook for bullet in group.bullets if not bullet.superseded]
    standing = {bullet.key: bullet.text for bullet in current if not is_baseless(bullet)}
    preferences = {
        project: [bullet for bullet in bullets if not is_baseless(bullet)]
        for project, bullets in _current_preferences(handbook).items()
    }
    # Without a handbook (it was lost, or cannot be read) nothing can be told from what it lacks.
    reader = _Reader(standing=standing if current else None, own_words=own_words, is_baseless=is_baseless)
    sections = _at_home(summary.sections, {b.key: group.project for group in handbook for b in group.preferences})
    chunks = [_chunk(section, preferences, reader) for section in sections]
    if summary.hidden_projects:
        told = {chunk.project for chunk in chunks if chunk.heading == PREFERENCES}
        chunks += [
            Chunk(heading=PREFERENCES, project=project, broad=is_broad(project), lines=tuple(map(_line, bullets)))
            for project, bullets in preferences.items()
            if project and project not in told
        ]
    chunks += _added_by_hand(chunks, preferences)
    return tuple(chunk for chunk in chunks if chunk.lines)


def _at_home(sections: Sequence[SummarySection], projects: Mapping[str, str]) -> Iterator[SummarySection]:
    """The sections, with the rules of a project where the handbook has them. `projects`: key -> the project of a rule.

    A heading that somebody put above them in the summary makes none of them hold everywhere.
    """
    for section in sections:
        strayed: dict[str, list[str]] = {}
        for line in () if section.name else section.lines:
            bullet = parse_bullet(line)
            if bullet and bullet.key and (project := projects.get(bullet.key)):
                strayed.setdefault(project, []).append(line)
        left = tuple(line for line in section.lines if not any(line in lines for lines in strayed.values()))
        yield msgspec.structs.replace(section, lines=left)
        for project, lines in strayed.items():
            yield SummarySection(heading=PREFERENCES, name=project, lines=tuple(lines))


def _added_by_hand(chunks: Sequence[Chunk], preferences: _Preferences) -> Iterator[Chunk]:
    shown = {line for chunk in chunks if chunk.heading == PREFERENCES for line in chunk.lines}
    for project, bullets in preferences.items():
        own = dict.fromkeys(_line(bullet) for bullet in bullets if not bullet.key)
        if lines := tuple(line for line in own if line not in shown):
            yield Chunk(heading=PREFERENCES, project=project, broad=is_broad(project), lines=lines)


def _current_preferences(handbook: Sequence[HandbookGroup]) -> _Preferences:
    current: _Preferences = {}
    for group in handbook:
        said = (b for b in group.preferences if not (b.superseded or is_memory_heading(b.text)))
        current.setdefault(group.project, []).extend(said)
    return current


class _Reader(msgspec.Struct, frozen=True, kw_only=True):
    """Reads lines of the summary as what the handbook has become."""

    #: Key -> words of every bullet that stands in the handbook; None where there is none.
    standing: dict[str, str] | None
    own_words: Collection[str]
    is_baseless: Callable[[Bullet], bool]

    def read(self, line: str) -> str | None:
        """The line as it is shown; None where it is not."""
        bullet = parse_bullet(line)
        if is_merge_mark(line) or is_memory_heading(bullet.text if bullet else line):
            return None
        if bullet and (bullet.superseded or self.is_baseless(bullet)):
            return None
        if bullet is None or not bullet.key or self.standing is None:
            return line
        words = self.standing.get(bullet.key)
        if words is None or bullet.key in self.own_words or words == bullet.text:
            return None if words is None else line
        return render_bullet(msgspec.structs.replace(bullet, text=words))


def _chunk(section: SummarySection, preferences: _Preferences, reader: _Reader) -> Chunk:
    # Whatever its form, a name that has a task group is a project: its rules must not stand in another one's context.
    project = section.name if section.is_project or section.name in preferences else ""
    own_heading = [f"### {section.name}"] if section.name and not project else []
    shown = [line for line in map(reader.read, section.lines) if line is not None]
    lines = (*own_heading, *map(strip_marks, shown), *_rest(section, shown, preferences))
    return Chunk(
        heading=section.heading,
        project=project,
        broad=is_broad(project),
        brief=_brief(section) if project and section.heading == INDEX else "",
        lines=tuple(_with_something_below(lines)),
    )


def _with_something_below(lines: Sequence[str]) -> Iterator[str]:
    """The lines without the headings that stand above nothing but headings."""
    kept: list[str] = []
    #: Headings of fewer marks than these have something below them.
    marks = 0
    for line in reversed(lines):
        heading = _HEADING.match(line)
        if heading is None:
            marks = _MOST_MARKS + 1
        elif len(heading[1]) < marks:
            marks = len(heading[1])
        else:
            continue
        kept.append(line)
    return reversed(kept)


def _rest(section: SummarySection, shown: Sequence[str], preferences: _Preferences) -> list[str]:
    """What found no room in this section; where the handbook does not tell, how much that is."""
    if not section.more:
        return []
    if section.heading != PREFERENCES or section.name not in preferences:
        return [more_mark(section.more)]
    told = {bullet.key or bullet.text for bullet in map(parse_bullet, shown) if bullet}
    return [_line(bullet) for bullet in preferences[section.name] if (bullet.key or bullet.text) not in told]


def _line(bullet: Bullet) -> str:
    return strip_marks(render_bullet(bullet))


def _brief(section: SummarySection) -> str:
    newest = f", newest {section.newest_day}" if section.newest_day else ""
    return f"- {section.name}: {plural(section.topics, 'task')}{newest}"
