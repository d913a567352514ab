"""What a person or a tool means by the name of something that is there: one file, or a folder with all that lies in it.

One rule for every command, whatever it looks at (the newest commit, two revisions, a proposal, all of history):

- blanks around the name, a leading `./`, an absolute path inside the repository, and one leading `memory/` where there
  is no such folder are understood as in `normalise`; `.` and the folder of the repository are all of it;
- a file is meant by its whole path, or without `.md`; a folder with or without a slash at its end;
- where both are there, the shorter name means neither, and a slash or `.md` says which.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from vademecum.errors import NotFound, UsageError
from vademecum.guesses import alike
from vademecum.memfs.pages.paths import is_root, refuse_folder, relative
from vademecum.memfs.pages.rules import masked_name

__all__ = [
    "Lines",
    "Meant",
    "find_meant",
    "near_ones",
    "require_file",
    "require_files",
    "require_meant",
    "split_lines",
]

_NEAR_ONES = 3
#: As search names a place. No memory path holds a colon.
_LINES = re.compile(r"(?P<path>[^:]+):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?")


class Meant(NamedTuple):
    """What a name stands for."""

    #: The file, or the folder without a slash at its end; empty for everything.
    path: str
    #: The file itself, or every file below the folder, in the order in which they are known.
    files: tuple[str, ...]
    is_folder: bool


class Lines(NamedTuple):
    """Lines of a file, as they were asked for: there may be no such file, and no such line."""

    path: str
    first: int
    last: int


def split_lines(text: str) -> Lines | None:
    """Take `PATH:20-29` or `PATH:20` apart; None where it names no lines."""
    match = _LINES.fullmatch(text)
    return match and Lines(match["path"], int(match["first"]), int(match["last"] or match["first"]))


def find_meant(text: str, known: Collection[str], *, root: Path) -> Meant | None:
    """Return what is meant among the known paths, or None where it is none of them.

    Parameters
    ----------
    root: the folder of the repository, or of the draft.

    Raises
    ------
    UsageError: a file and a folder could be meant.
    """
    name = text.strip()
    if not name:
        return None
    if is_root(name, root):
        return Meant("", tuple(known), is_folder=True)
    path = relative(name, root, lambda: known)
    folder = path.rstrip("/")
    file = folder if folder in known else f"{folder}.md"
    is_file = path == folder and file in known
    below = tuple(one for one in known if one.startswith(f"{folder}/")) if folder else ()
    if is_file and below and file != folder:
        raise UsageError(
            f"{folder} is a file and a folder",
            next_step=f"Name {file} or {folder}/.",
            paths=(file, f"{folder}/"),
        )
    if is_file:
        return Meant(file, (file,), is_folder=False)
    return Meant(folder, below, is_folder=True) if below else None


def require_meant(text: str, known: Collection[str], *, root: Path, missing: str) -> Meant:
    """Return what is meant among the known paths.

    Parameters
    ----------
    missing: what is said where it is none of them, with `{}` in the place of its name.

    Raises
    ------
    NotFound: it is none of them; those that are spelled like it are named.
    UnsafePath: no memory path can be or lie there.
    UsageError: as `find_meant`, or the text is blank.
    """
    if not text.strip():
        raise UsageError("a path is blank", next_step="Name a file or a folder; `vade ls` lists them.")
    meant = find_meant(text, known, root=root)
    if meant is None:
        refuse_folder(relative(text, root, lambda: known).removesuffix("/"), text)
        raise NotFound(missing.format(text.strip()), next_step=near_ones(text, known), paths=(text.strip(),))
    return meant


def require_file(text: str, known: Collection[str], *, root: Path) -> str:
    """Return the path of the file that is meant; raises as `require_meant`, and `NotFound` for a folder."""
    meant = require_meant(text, known, root=root, missing="there is no file {!r} in memory")
    if meant.is_folder:
        raise NotFound(f"{text.strip()!r} is a folder", next_step="Run `vade ls` with it to see its files.")
    return meant.path


def require_files(texts: Iterable[str], known: Collection[str], *, root: Path, missing: str) -> frozenset[str]:
    """Return every known path that is, or lies below, what any of the texts means; raises as `require_meant`."""
    return frozenset(path for text in texts for path in require_meant(text, known, root=root, missing=missing).files)


def near_ones(text: str, known: Iterable[str]) -> str | None:
    """Name the paths that may have been meant, as a next step; None where there are none."""
    found = list(dict.fromkeys(map(masked_name, _alike(text.strip().strip("/"), sorted(known)))))[:_NEAR_ONES]
    return f"Did you mean {' or '.join(found)}?" if found else None


def _alike(text: str, known: list[str]) -> Iterator[str]:
    name = text.rpartition("/")[2].removesuffix(".md")
    yield from (path for path in known if path.rpartition("/")[2].removesuffix(".md") == name)
    yield from alike(text, known, likeness=0.6)
