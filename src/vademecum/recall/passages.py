"""What is searched in: memory files and sessions cut into passages.

A memory file is cut at headings, blank lines and bullets, every passage with its file lines. A session gives one
passage per human or final message. Short messages ("yes, do that") say little by themselves, so the words of their
neighbours are indexed with them; for long messages that would only blur what they are about.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import msgspec

from vademecum.artifacts import HANDBOOK_PATH, Section, group_project, parse_sections, parse_time, strip_marks
from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import front_matter
from vademecum.sessions import Message, Role, Session

__all__ = ["Belonging", "Passage", "memory_passages", "session_passages"]

_BULLET = re.compile(r"(?:[-*+]|\d{1,3}[.)]) ")
#: A passage is closed at the next blank line or bullet once it has so many characters, and anyway at the second figure.
_ENOUGH_CHARS = 300
_MOST_CHARS = 1500
#: A message of at most so many characters is indexed with its neighbours, of which as many count.
_SHORT_CHARS = 400
_SPOKEN = (Role.HUMAN, Role.FINAL)


class Belonging(msgspec.Struct, frozen=True, kw_only=True):
    """Whom and what a passage belongs to; None where the source does not tell."""

    #: The project: a working directory.
    project: str | None = None
    #: The session that it is part of or tells of.
    session_id: str | None = None
    #: The host of that session.
    host: str | None = None
    #: When it was said or last brought up to date, aware UTC.
    at: datetime | None = None


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of text that can be a hit."""

    #: First and last file line (memory) or the turn (sessions, both the same), counted from 1.
    line_start: int
    line_end: int
    #: The words that are shown, as they stand in the source.
    body: str
    #: What the whole source is called; only on its first passage, so that it does not weigh on every hit.
    title: str = ""
    #: The headings above it.
    headings: str = ""
    #: Words of the messages next to a short message, and of those behind them.
    near: str = ""
    far: str = ""
    #: Whom and what it belongs to.
    belonging: Belonging


def memory_passages(path: str, text: str) -> Iterator[Passage]:
    """The passages of a memory file. A header that cannot be read counts as text."""
    document = _parse(strip_marks(text))
    belonging = _belonging(document.meta)
    title = str(document.meta.get("description", ""))
    sections = parse_sections(document.body)
    if title and not sections:
        yield Passage(line_start=1, line_end=max(1, document.body_line - 1), body=title, belonging=belonging)
    # Blank lines before the first heading belong to no section.
    leading = document.body.count("\n") + 1 - sum(len(section.lines) + bool(section.path) for section in sections)
    line = document.body_line + leading
    for section in sections:
        group = group_project(section.path) if path == HANDBOOK_PATH else None
        project = group or belonging.project
        for passage in _section_passages(section, line, msgspec.structs.replace(belonging, project=project)):
            yield msgspec.structs.replace(passage, title=title)
            title = ""
        line += len(section.lines) + bool(section.path)


def _section_passages(section: Section, first_line: int, belonging: Belonging) -> Iterator[Passage]:
    lines = (*section.path[-1:], *section.lines)
    headings = "\n".join(heading.lstrip("# ") for heading in section.path)
    for start, stop in _blocks(lines):
        yield Passage(
            line_start=first_line + start,
            line_end=first_line + stop - 1,
            body="\n".join(lines[start:stop]),
            headings=headings,
            belonging=belonging,
        )


def session_passages(session: Session, project: str) -> Iterator[Passage]:
    """The passages of a session: what the human said, and what the assistant said at the end of its turns.

    `project`: the one it belongs to; empty where none is known.
    """
    spoken = [message for message in session.messages if message.role in _SPOKEN and message.text.strip()]
    for index, message in enumerate(spoken):
        short = len(message.text) <= _SHORT_CHARS
        yield Passage(
            line_start=message.index,
            line_end=message.index,
            body=message.text,
            title="" if index else session.title,
            near=_neighbours(spoken, index, 1) if short else "",
            far=_neighbours(spoken, index, 2) if short else "",
            belonging=Belonging(
                project=project or None,
                session_id=session.id,
                host=session.host,
                at=message.at or session.updated_at,
            ),
        )


def _neighbours(messages: Sequence[Message], index: int, distance: int) -> str:
    places = (index - distance, index + distance)
    return "\n".join(messages[place].text[:_SHORT_CHARS] for place in places if 0 <= place < len(messages))


def _parse(text: str) -> front_matter.Document:
    try:
        return front_matter.parse(text)
    except FrontMatterInvalid:
        # A file that a person broke must still be found; `vade status` is where the break is reported.
        return front_matter.Document(meta={}, body=text)


def _belonging(meta: Mapping[str, object]) -> Belonging:
    """What the header tells: a rollout summary of its session, a note when it was made; most other files nothing."""
    names = ("project", "cwd", "session_id", "host", "updated_at")
    told = {name: str(value) for name in names if (value := meta.get(name))}
    return Belonging(
        project=told.get("project") or told.get("cwd"),
        session_id=told.get("session_id"),
        host=told.get("host"),
        at=parse_time(told.get("updated_at", "")) or parse_time(str(meta.get("created_at", ""))),
    )


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Ranges of lines that make a passage, blank ones at their ends left out."""
    start, size = 0, 0
    for index, line in enumerate(lines):
        is_border = not line.strip() or _BULLET.match(line) is not None
        if size and (size + len(line) > _MOST_CHARS or (is_border and size >= _ENOUGH_CHARS)):
            yield from _trimmed(lines, start, index)
            start, size = index, 0
        size += len(line)
    yield from _trimmed(lines, start, len(lines))


def _trimmed(lines: Sequence[str], start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop and not lines[start].strip():
        start += 1
    while start < stop and not lines[stop - 1].strip():
        stop -= 1
    if start < stop:
        yield start, stop
