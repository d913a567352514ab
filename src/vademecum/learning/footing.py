"""What a line of a generated file rests on, told from the file: sources of a bullet, rollout summaries of a task."""

import re
from collections.abc import Sequence

import msgspec

from vademecum.artifacts import HANDBOOK_PATH, ROLLOUT_FOLDER, Bullet, parse_bullet

__all__ = ["Footing", "footing_of"]

_ROLLOUT = re.compile(rf"{re.escape(ROLLOUT_FOLDER)}[^\s()<>]+\.md")
_TASK = "## Task "


class Footing(msgspec.Struct, frozen=True, kw_only=True):
    """What one line rests on; nothing where it is a person's own, or says nothing."""

    bullet: Bullet | None = None
    #: As bullets name them: a statement of a session, or the path of a note.
    sources: tuple[str, ...] = ()
    #: Rollout summaries that the line, or the task it stands in, points to.
    rollouts: tuple[str, ...] = ()


def footing_of(path: str, lines: Sequence[str], number: int) -> Footing:
    """What the line of this number (from 1) rests on."""
    line = lines[number - 1]
    bullet = parse_bullet(line)
    if bullet and bullet.key:
        return Footing(bullet=bullet, sources=bullet.sources)
    pointed = tuple(_ROLLOUT.findall(line))
    if not pointed and line.strip() and path == HANDBOOK_PATH:
        pointed = tuple(dict.fromkeys(_ROLLOUT.findall("\n".join(_task_around(lines, number)))))
    return Footing(bullet=bullet, rollouts=pointed)


def _task_around(lines: Sequence[str], number: int) -> Sequence[str]:
    """The lines of the handbook's task that this line stands in; none where it stands in no task."""
    first = next((at for at in range(number - 1, -1, -1) if lines[at].startswith(("# ", "## "))), None)
    if first is None or not lines[first].startswith(_TASK):
        return ()
    following = range(first + 1, len(lines))
    return lines[first : next((at for at in following if lines[at].startswith(("# ", "## "))), len(lines))]
