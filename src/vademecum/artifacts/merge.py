"""The person has the last word: a new rendering is merged line by line with what a person made of the old one.

The ancestor is the baseline's copy (what the last consolidation left), so that every difference between it and HEAD is
a person's. A bullet that a person reworded keeps their words and is marked `edited`, one that they deleted stays away
and is reported, and lines that they added are kept under their heading, from then on between two marks:

    <!-- vade:yours -->
    - ask before adding a dependency
    <!-- /vade:yours -->

Because both marks stand in the file, a person's words also survive a lost database and reach other machines.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import msgspec

from vademecum.artifacts.bullets import Bullet, parse_bullet, render_bullet
from vademecum.artifacts.handbook import group_project
from vademecum.artifacts.plain import harmless
from vademecum.artifacts.sections import Section, parse_sections, render_sections

__all__ = [
    "HandEdits",
    "apply_hand_edits",
    "hand_edits",
    "is_merge_mark",
    "is_yours",
    "keyed_bullets",
    "opens_yours",
    "without_lines_of",
    "without_yours",
]

_OPEN = "<!-- vade:yours -->"
_CLOSE = "<!-- /vade:yours -->"


class HandEdits(msgspec.Struct, frozen=True, kw_only=True):
    """What a person changed in one artefact since it was generated."""

    #: Bullet key -> the person's wording.
    reworded: dict[str, str]
    #: Bullets that were there and are gone: key -> the old bullet.
    deleted: dict[str, Bullet]
    #: Heading path -> the lines a person added below it, in their order.
    added: dict[tuple[str, ...], tuple[str, ...]]


def is_merge_mark(line: str) -> bool:
    """Whether the line is one of the marks around a person's lines."""
    return line.strip() in (_OPEN, _CLOSE)


def opens_yours(line: str, is_open: bool) -> bool:
    """Whether a person's lines are open behind this line, given whether they were before it."""
    return line.strip() == _OPEN if is_merge_mark(line) else is_open


def hand_edits(ancestor: str, head: str) -> HandEdits:
    """The difference between the generated text and what stands at HEAD, read as a person's wishes."""
    before, after = keyed_bullets(ancestor), keyed_bullets(head)
    return HandEdits(
        reworded={
            key: bullet.text
            for key, bullet in after.items()
            if bullet.edited or (key in before and (before[key].edited or bullet.text != before[key].text))
        },
        deleted={key: bullet for key, bullet in before.items() if key not in after},
        added=_added_lines(ancestor, head),
    )


@lru_cache(maxsize=8)
def keyed_bullets(text: str) -> Mapping[str, Bullet]:
    """The generated bullets of an artefact, by key.

    Those of the last texts are kept: one pass asks for the same handbook a dozen times, and text decides alone.
    """
    bullets = (parse_bullet(line) for line in text.split("\n") if line.startswith("- "))
    return MappingProxyType({bullet.key: bullet for bullet in bullets if bullet and bullet.key})


def is_yours(lines: Sequence[str]) -> list[bool]:
    """For each line of an artefact whether its words are a person's: between the marks, or a bullet they reworded."""
    found: list[bool] = []
    yours = False
    for line in lines:
        bullet = parse_bullet(line)
        found.append(not is_merge_mark(line) and (yours or bool(bullet and bullet.edited)))
        if is_merge_mark(line):
            yours = line.strip() == _OPEN
    return found


def _added_lines(ancestor: str, head: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Unkeyed lines that are not the ancestor's, and all lines between the marks."""
    if ancestor == head and _OPEN not in head:
        return {}
    known = Counter(_generated_lines(ancestor))
    added: dict[tuple[str, ...], tuple[str, ...]] = {}
    for section in parse_sections(head):
        lines: list[str] = []
        yours = False
        for line in section.lines:
            if is_merge_mark(line):
                yours = line.strip() == _OPEN
            elif yours or _is_new(line, known):
                lines.append(harmless(line))
        if any(line.strip() for line in lines):
            added[section.path] = (*added.get(section.path, ()), *lines)
    return added


def _generated_lines(ancestor: str) -> Iterator[str]:
    """The ancestor's lines but a person's: those stay theirs also when they take the marks away."""
    yours = False
    for line in ancestor.split("\n"):
        if is_merge_mark(line):
            yours = line.strip() == _OPEN
        elif not yours:
            yield line.rstrip()


def without_lines_of(marked: str, text: str) -> str:
    """The text without the lines that stand between a person's marks in another version of it."""
    yours = Counter(line.rstrip() for line in marked.split("\n")) - Counter(_generated_lines(marked))
    kept: list[str] = []
    for line in text.split("\n"):
        if line.strip() and not is_merge_mark(line) and yours[line.rstrip()]:
            yours[line.rstrip()] -= 1
        else:
            kept.append(line)
    return "\n".join(kept)


def without_yours(text: str, former: str) -> str:
    """The text without a person's part: lines between their marks and headings, where they stood in it before.

    What is between the marks and did not stand there is nobody's word: it stays in, without the marks.
    """
    before = {harmless(line).rstrip() for line in former.split("\n")}
    sections: list[Section] = []
    for section in parse_sections(text):
        lines: list[str] = []
        yours = False
        for line in section.lines:
            if is_merge_mark(line):
                yours = line.strip() == _OPEN
            elif not (yours and line.rstrip() in before):
                lines.append(line)
        if any(map(str.strip, lines)) or not _is_chapter_of(section, before):
            sections.append(Section(path=section.path, lines=tuple(lines)))
    return render_sections(sections)


def _is_chapter_of(section: Section, before: Collection[str]) -> bool:
    """Whether the heading is one that a person had put in, outside of everything that is generated."""
    is_own = bool(section.path) and section.path[0].startswith("# ") and group_project(section.path) is None
    return is_own and section.path[-1] in before


def _is_new(line: str, known: Counter[str]) -> bool:
    bullet = parse_bullet(line)
    if not line.strip() or (bullet and bullet.key):
        return False
    known[line.rstrip()] -= 1
    return known[line.rstrip()] < 0


def apply_hand_edits(text: str, edits: HandEdits, *, buried: frozenset[str]) -> str:
    """The new rendering as the person wants it. `buried`: keys that may not come back (tombstones)."""
    sections = [_apply_to_section(section, edits.reworded, buried) for section in parse_sections(text)]
    for path, lines in edits.added.items():
        _add_lines(sections, path, lines)
    return render_sections(sections)


def _apply_to_section(section: Section, reworded: dict[str, str], buried: frozenset[str]) -> Section:
    lines: list[str] = []
    for line in section.lines:
        bullet = parse_bullet(line)
        if bullet is None or not bullet.key:
            lines.append(line)
        elif bullet.key in reworded:
            lines.append(render_bullet(msgspec.structs.replace(bullet, text=reworded[bullet.key], edited=True)))
        elif bullet.key not in buried:
            lines.append(line)
    return Section(path=section.path, lines=tuple(lines))


def _add_lines(sections: list[Section], path: tuple[str, ...], lines: tuple[str, ...]) -> None:
    """Put a person's lines at the end of their section; a heading that is gone comes back for them."""
    block = (_OPEN, *lines, _CLOSE)
    for position, section in enumerate(sections):
        if section.path == path:
            kept = "\n".join(section.lines).rstrip("\n").split("\n")
            sections[position] = Section(path=path, lines=(*(line for line in kept if line or kept != [""]), *block))
            return
    if not path:  # above the first heading, in a file that had nothing there
        sections.insert(0, Section(path=path, lines=block))
    for depth in range(1, len(path) + 1):
        if not any(section.path == path[:depth] for section in sections):
            sections.append(Section(path=path[:depth], lines=block if depth == len(path) else ()))
