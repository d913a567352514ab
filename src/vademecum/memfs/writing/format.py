"""The format of a repository's content: a number at `.vademecum/format`, and the steps that lead to the present one.

No memory path can name that file: tools, drafts, hand edits and readers never see it, and a clone carries it. A
repository without it has format 0, which is what the program wrote before it counted. A step is a pure function from a
committed tree to edits; `Repository` makes each its own commit under the write lock, so a killed process leaves the
format before or after a step, and the next write goes on from there.
"""

from collections.abc import Callable, Mapping

import msgspec

from vademecum.errors import FormatTooNew, StorageError
from vademecum.memfs.commits.tree import OWN_FOLDER, Tree

__all__ = ["FORMAT_PATH", "PRESENT", "STEPS", "Step", "format_file", "known_format", "next_step"]

FORMAT_PATH = f"{OWN_FOLDER}format"

_MAX_DIGITS = 9

Edits = Mapping[str, bytes | None]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """From one format to the next."""

    #: Subject of the commit.
    subject: str
    #: Path -> the whole next content, None where it goes. Called with the tree of the format before.
    edits: Callable[[Tree], Edits]


def _count_formats(_: Tree) -> Edits:
    return {}  # format 1 is format 0 that says so


#: Step n leads from format n to format n + 1. A step that was released never changes.
STEPS = (Step(subject="Name the format of the memory: 1", edits=_count_formats),)

#: What this version writes.
PRESENT = len(STEPS)


def known_format(data: bytes | None) -> int:
    """Return the format that the content of the file names; None: there is no such file.

    Raises
    ------
    FormatTooNew: a newer version wrote it.
    StorageError: it holds no number.
    """
    found = 0 if data is None else _number(data)
    if found > PRESENT:
        raise FormatTooNew(f"the memory has format {found}; this version of vademecum knows formats up to {PRESENT}")
    return found


def format_file(number: int) -> bytes:
    """Return the content of the file for a format."""
    return f"{number}\n".encode()


def next_step(tree: Tree) -> tuple[str, Edits] | None:
    """Return subject and edits of the step that `tree` needs next, or None at the present format.

    Raises as `known_format`.
    """
    found = known_format(tree.read_own(FORMAT_PATH))
    if found == PRESENT:
        return None
    step = STEPS[found]
    return step.subject, {**step.edits(tree), FORMAT_PATH: format_file(found + 1)}


def _number(data: bytes) -> int:
    text = data.decode("ascii", errors="replace").strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS):
        raise StorageError(
            f"{FORMAT_PATH} in the memory repository holds no number of a format",
            next_step=f"Run `git log -- {FORMAT_PATH}` in the memory folder, and commit the file as it was before.",
        )
    return int(text)
