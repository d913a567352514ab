"""The handbook cut into its parts and put together again, byte for byte: for who can be shown only some of it."""

import re
from collections.abc import Collection

import msgspec

from vademecum.artifacts.handbook import group_project
from vademecum.artifacts.merge import opens_yours

__all__ = ["HandbookPart", "handbook_parts", "with_hidden_parts", "without_parts"]

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class HandbookPart(msgspec.Struct, frozen=True, kw_only=True):
    """A heading of the first level with all that stands below it."""

    #: The project of a task group; empty: everywhere; None: a chapter of a person's own, or what stands above them all.
    project: str | None
    #: As it stands in the file, with the heading.
    text: str

    @property
    def heading(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0].rstrip()


def handbook_parts(text: str) -> list[HandbookPart]:
    """The parts in file order. A heading in fenced code, or among the lines of a person, begins none."""
    parts: list[list[str]] = []
    is_fenced = is_yours = False
    for line in _LINE.findall(text):
        if line.startswith("```"):
            is_fenced = not is_fenced
        is_yours = opens_yours(line, is_yours)
        if not parts or (line.startswith("# ") and not is_fenced and not is_yours):
            parts.append([])
        parts[-1].append(line)
    return [HandbookPart(project=group_project((lines[0].rstrip(),)), text="".join(lines)) for lines in parts]


def without_parts(text: str, hidden: Collection[str]) -> str:
    """The handbook without the task groups of these projects."""
    return "".join(part.text for part in handbook_parts(text) if part.project not in hidden)


def with_hidden_parts(written: str, whole: str, hidden: Collection[str]) -> str:
    """What became of a handbook without these groups, with each of them behind the part that it stood behind.

    `whole`: the handbook that they were taken out of. Those whose neighbour is gone come last.
    """
    if written == without_parts(whole, hidden):
        return whole
    above, behind = "", dict[str, list[str]]()
    for part in handbook_parts(whole):
        if part.project in hidden:
            behind.setdefault(above, []).append(part.text)
        else:
            above = part.heading
    pieces = behind.pop("", [])
    for part in handbook_parts(written):
        pieces += [part.text, *behind.pop(part.heading, [])]
    pieces += [text for texts in behind.values() for text in texts]
    return "\n".join(f"{piece.rstrip()}\n" for piece in pieces)
