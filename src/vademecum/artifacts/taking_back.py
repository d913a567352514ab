"""Take one run's statements out of a generated file that later runs have written anew.

Line by line that fails: tasks are renumbered, lists grow, whole groups move. So it is done by what the lines are:
bullets by their key, other list items by their words, and headings that came with the run and then hold no item.
"""

import re
from collections import Counter
from collections.abc import Iterator

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
    #: All list items in file order.
    order: tuple[tuple[_Place, str], ...]


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
    sections: list[Section] = []
    for section in parse_sections(present):
        lines = _without(section, {key: before.bullets.get(key) for key in changed}, came)
        sections.append(Section(path=section.path, lines=(*lines,)))
    gone = {line for key, (_, line) in before.bullets.items() if key not in after.bullets and key not in now.bullets}
    for place, line in before.order:
        if line in gone or went[place, line]:
            went[place, line] -= 1
            _append(sections, place, line)
    new = after.places - before.places
    return render_sections([section for section in sections if _place(section) not in new or _holds(section, sections)])


def _version(text: str) -> _Version:
    sections = parse_sections(text)
    order = tuple((_place(section), line) for section in sections for line in section.lines if line.startswith("- "))
    bullets = {line: parse_bullet(line) for _, line in order}
    keyed = {line: bullet for line, bullet in bullets.items() if bullet and bullet.key}
    return _Version(
        bullets={bullet.key: (bullet, line) for line, bullet in keyed.items()},
        items=Counter(item for item in order if item[1] not in keyed),
        places=frozenset(map(_place, sections)),
        order=order,
    )


def _without(
    section: Section, changed: dict[str, tuple[Bullet, str] | None], came: Counter[tuple[_Place, str]]
) -> Iterator[str]:
    """The lines of a section that stay; a changed bullet becomes what it was, or goes. Counts down what came."""
    place = _place(section)
    for line in section.lines:
        bullet = parse_bullet(line)
        if bullet and bullet.key in changed:
            earlier = changed[bullet.key]
            if earlier:
                yield earlier[1]
        elif came[place, line]:
            came[place, line] -= 1
        else:
            yield line


def _append(sections: list[Section], place: _Place, line: str) -> None:
    """Put an item at the end of its place, where that still stands."""
    for position, section in enumerate(sections):
        if _place(section) == place:
            body = "\n".join(section.lines).rstrip("\n")
            sections[position] = Section(path=section.path, lines=(*body.split("\n"), line))
            return


def _holds(section: Section, sections: list[Section]) -> bool:
    """Whether any item stands below a heading, or below one under it."""
    depth = len(section.path)
    below = (other for other in sections if other.path[:depth] == section.path)
    return any(line.startswith("- ") for other in below for line in other.lines)


def _says(bullet: Bullet) -> tuple[str, str]:
    """What a statement says; that it was said again since adds a source only."""
    return bullet.text, bullet.superseded


def _place(section: Section) -> _Place:
    return tuple(_TASK_NUMBER.sub(r"\1", heading) for heading in section.path)
