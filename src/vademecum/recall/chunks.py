"""The summary in chunks: what it says under one heading on one project, completed from the handbook."""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from vademecum.artifacts import (
    INDEX,
    PREFERENCES,
    Bullet,
    HandbookGroup,
    SummaryDocument,
    SummarySection,
    is_merge_mark,
    more_mark,
    parse_bullet,
    render_bullet,
    strip_marks,
)
from vademecum.home import is_broad

__all__ = ["Chunk", "summary_chunks"]

_Preferences = dict[str, list[Bullet]]


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


def summary_chunks(summary: SummaryDocument, handbook: Sequence[HandbookGroup]) -> tuple[Chunk, ...]:
    """The chunks in file order. Both texts must be neutralised already.

    Preferences that found no room in the summary come from the handbook: the budget that counts is the context's. So do
    those that a person wrote into the handbook: what they add there holds at once, as in the summary. What they took
    out of it, the summary does not tell either.
    """
    preferences = _current_preferences(handbook)
    standing = {bullet.key for group in handbook for bullet in group.bullets if not bullet.superseded}
    chunks = [_chunk(section, preferences, standing) for section in summary.sections]
    if summary.hidden_projects:
        told = {chunk.project for chunk in chunks if chunk.heading == PREFERENCES}
        chunks += [
            Chunk(heading=PREFERENCES, project=project, broad=is_broad(project), lines=tuple(map(_line, bullets)))
            for project, bullets in preferences.items()
            if project and project not in told
        ]
    chunks += _added_by_hand(chunks, preferences)
    return tuple(chunk for chunk in chunks if chunk.lines)


def _added_by_hand(chunks: Sequence[Chunk], preferences: _Preferences) -> Iterator[Chunk]:
    shown = {line for chunk in chunks if chunk.heading == PREFERENCES for line in chunk.lines}
    for project, bullets in preferences.items():
        own = dict.fromkeys(_line(bullet) for bullet in bullets if not bullet.key)
        if lines := tuple(line for line in own if line not in shown):
            yield Chunk(heading=PREFERENCES, project=project, broad=is_broad(project), lines=lines)


def _current_preferences(handbook: Sequence[HandbookGroup]) -> _Preferences:
    current: _Preferences = {}
    for group in handbook:
        current.setdefault(group.project, []).extend(b for b in group.preferences if not b.superseded)
    return current


def _chunk(section: SummarySection, preferences: _Preferences, standing: Collection[str]) -> Chunk:
    # Whatever its form, a name that has a task group is a project: its rules must not stand in another one's context.
    project = section.name if section.is_project or section.name in preferences else ""
    own_heading = [f"### {section.name}"] if section.name and not project else []
    shown = [line for line in section.lines if _is_shown(line, standing)]
    return Chunk(
        heading=section.heading,
        project=project,
        broad=is_broad(project),
        brief=_brief(section) if project and section.heading == INDEX else "",
        lines=(*own_heading, *map(strip_marks, shown), *_rest(section, shown, preferences)),
    )


def _is_shown(line: str, standing: Collection[str]) -> bool:
    bullet = parse_bullet(line)
    # Without a handbook (it was lost, or cannot be read) nothing can be told from what it lacks.
    is_gone = bullet and bullet.key and standing and bullet.key not in standing
    return not is_merge_mark(line) and not is_gone and not (bullet and bullet.superseded)


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
    return f"- {section.name}: {section.topics} tasks{newest}"
