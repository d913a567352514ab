"""Take one run's statements out of a generated file that later runs have written anew.

Line by line that fails: tasks are renumbered, lists grow, whole groups move. So it is done by what the lines are:
bullets by their key, other list items by their words, and headings that came with the run and then hold no item.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import msgspec

from vademecum.artifacts.bullets import Bullet, parse_bullet
from vademecum.artifacts.sections import Section, parse_sections, render_sections

__all__ = ["take_back"]

#: Every run counts the tasks of a group anew.
_TASK_NUMBER = re.compile(r"^(#+ Task )\d+(?=:)")

_Place = tuple[str, ...]


class _Version(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a generated file, as items at their places."""

    #: Key -> the bullet, and its line.
    bullets: dict[str, tuple[Bullet, str]]
    #: How often each list item without a key stands at a place.
    items: Counter[tuple[_Place, str]]
    #: Every heading, with those above it.
    places: frozenset[_Place]


def take_back(taken: str, present: str, former: str) -> str | None:
    """Return the present text without what came with `taken`, and with what went then.

    Parameters
    ----------
    taken: the file as the run left it.
    former: as it was before that run; empty where there was none.

    Returns None where such a statement has other words by now: whoever gave it those has to say what holds.
    """
    after, now, before = (_version(text) for text in (taken, present, former))
    changed = {key for key, (bullet, _) in after.bullets.items() if bullet != before.bullets.get(key, (None, ""))[0]}
    if any(_says(now.bullets[key][0]) != _says(after.bullets[key][0]) for key in changed & now.bullets.keys()):
        return None
    came, went = after.items - before.items, before.items - after.items
    sections = [
        Section(path=section.path, lines=tuple(_without(section, before, changed, came)))
        for section in parse_sections(present)
    ]
    gone = {line for key, (_, line) in before.bullets.items() if key not in after.bullets and key not in now.bullets}
    for section in parse_sections(former):
        place = _place(section)
        lines = [line for line in section.lines if line in gone or went[place, line]]
        if place not in after.places | now.places:
            _insert(sections, section, [line for line in section.lines if line in lines or not line.startswith("- ")])
        elif lines:
            _append(sections, place, lines)
    emptied = {place for place in after.places - before.places if _holds(place, parse_sections(present), taken)}
    return render_sections([s for s in sections if _place(s) not in emptied or _holds(_place(s), sections, taken)])


def _version(text: str) -> _Version:
    sections = parse_sections(text)
    items = [(_place(section), line) for section in sections for line in section.lines if line.startswith("- ")]
    bullets = {line: parse_bullet(line) for _, line in items}
    keyed = {line: bullet for line, bullet in bullets.items() if bullet and bullet.key}
    return _Version(
        bullets={bullet.key: (bullet, line) for line, bullet in keyed.items()},
        items=Counter(item for item in items if item[1] not in keyed),
        places=frozenset(map(_place, sections)),
    )


def _without(
    section: Section, before: _Version, changed: Collection[str], came: Counter[tuple[_Place, str]]
) -> Iterator[str]:
    """The lines of a section that stay; a changed bullet becomes what it was, or goes. Counts down what came."""
    place = _place(section)
    for line in section.lines:
        bullet = parse_bullet(line)
        if bullet and bullet.key in changed:
            if bullet.key in before.bullets:
                yield before.bullets[bullet.key][1]
        elif came[place, line]:
            came[place, line] -= 1
        else:
            yield line


def _append(sections: list[Section], place: _Place, lines: Sequence[str]) -> None:
    """Put items at the end of their place, where it still stands."""
    for position, section in enumerate(sections):
        if _place(section) == place:
            body = "\n".join(section.lines).rstrip("\n")
            sections[position] = Section(path=section.path, lines=(*body.split("\n"), *lines))
            return


def _insert(sections: list[Section], old: Section, lines: Sequence[str]) -> None:
    """Put a heading that had gone behind the last one of its parent."""
    above = _place(old)[:-1]
    behind = [number for number, section in enumerate(sections, 1) if _place(section)[: len(above)] == above]
    sections.insert(max(behind, default=len(sections)), Section(path=old.path, lines=tuple(lines)))


def _holds(place: _Place, sections: Sequence[Section], taken: str) -> bool:
    """Whether anything stands below a heading, or below one under it, but prose that came with the run."""
    prose = set(taken.split("\n"))
    below = (section for section in sections if _place(section)[: len(place)] == place)
    return any(line.startswith("- ") or line not in prose for section in below for line in section.lines if line)


def _says(bullet: Bullet) -> tuple[str, str]:
    """What a statement says; that it was said again since adds a source only."""
    return bullet.text, bullet.superseded


def _place(section: Section) -> _Place:
    return tuple(_TASK_NUMBER.sub(r"\1", heading) for heading in section.path)
