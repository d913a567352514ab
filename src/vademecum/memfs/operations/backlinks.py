"""Which links lead to files that move or go, and the texts in which they lead to the new place."""

import posixpath
import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from vademecum.amounts import plural
from vademecum.errors import VademecumError
from vademecum.memfs.pages.files import Files
from vademecum.memfs.pages.links import Link, find_links, with_links
from vademecum.memfs.pages.rules import text_before

__all__ = ["Backlink", "links_to", "relinked", "told"]

_TOLD = 20
_PLAIN = re.compile("[A-Za-z0-9_-]+")
_ESCAPED = frozenset(" %()#?")


class Backlink(NamedTuple):
    """A link in one file to another."""

    path: str
    #: File line, from 1.
    line: int
    link: Link

    def __str__(self) -> str:
        shown = f"({self.link.written})" if self.link.relative else f"[[{self.link.written}]]"
        return f"{self.path}:{self.line} links to {shown}"


def links_to(files: Files, targets: Collection[str]) -> list[Backlink]:
    """List every link to one of the paths, sorted by place. Files that are no text have none."""
    hints = {_hint(target) for target in targets}
    texts = ((path, text_before(files, path) or "") for path in files.paths() if path.endswith(".md"))
    return [
        Backlink(path, text.count("\n", 0, link.start) + 1, link)
        for path, text in texts
        if any(hint in text for hint in hints)
        for link in find_links(text, path)
        if link.target in targets
    ]


def _hint(target: str) -> str:
    """What stands in every text that links there, however its link is written: most texts need no closer look."""
    name = target.rpartition("/")[2].removesuffix(".md")
    return max(_PLAIN.findall(name), key=len, default="")


def told(links: list[Backlink], what: str) -> tuple[str, ...]:
    """Return a line for each of the first links, with `what` there is to say of it, and how many more there are."""
    lines = [f"{link}, {what}" for link in links[:_TOLD]]
    more = [f"{plural(len(links) - _TOLD, 'more link')}: the same"] if len(links) > _TOLD else []
    return (*lines, *more)


def relinked(
    files: Files, moved: Mapping[str, str], editable: Callable[[str], str]
) -> tuple[dict[str, str], list[Backlink]]:
    """Rewrite links to what moved, and the relative links inside of what moved.

    Parameters
    ----------
    files: the state before the move.
    moved: old path -> new path.
    editable: returns the text of a file that may be edited; raises where it may not.

    Returns
    -------
    The next text of each file that changes, by its path after the move; and the links that had to stay.
    """
    texts: dict[str, str] = {}
    left: list[Backlink] = []
    pointing: dict[str, list[Backlink]] = {}
    for link in links_to(files, moved.keys()):
        pointing.setdefault(link.path, []).append(link)
    for path in sorted(pointing.keys() | moved.keys()):
        try:
            text = editable(path)
        except VademecumError:
            left += pointing.get(path, [])  # read-only, or the person's: they are told, and stay as they are
            continue
        written = with_links(text, path, _Rewriting(files, moved, path))
        if written != text:
            texts[moved.get(path, path)] = written
    return texts, left


class _Rewriting:
    """How a link in the file `path` is written after the move."""

    def __init__(self, files: Files, moved: Mapping[str, str], path: str) -> None:
        self._files, self._moved, self._path = files, moved, path

    def __call__(self, link: Link) -> str:
        target = self._moved.get(link.target, link.target)
        if not link.relative:
            return link.written if target == link.target else _wiki(target, link.written)
        here = self._moved.get(self._path, self._path)
        is_touched = target != link.target or here != self._path
        return _relative(target, here) if is_touched and self._files.has(link.target) else link.written


def _wiki(target: str, before: str) -> str:
    return target if before.endswith(".md") else target.removesuffix(".md")


def _relative(target: str, path: str) -> str:
    # A blank, the percent sign itself and what would end the link are written as in a URL; letters stay readable.
    plain = posixpath.relpath(target, posixpath.dirname(path) or ".")
    return "".join(f"%{ord(character):02X}" if character in _ESCAPED else character for character in plain)
