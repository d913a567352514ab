"""What changed, as a person reads it: per file the hunks with their file line numbers, and as unified text.

No line leaves this module unmasked: what a person committed with plain git was never scanned.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

import msgspec
import pygit2

from vademecum.errors import FrontMatterInvalid
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.pages.rules import masked_name
from vademecum.memfs.pages.text import decode
from vademecum.memfs.records import ChangeKind
from vademecum.secrets import mask_lines

__all__ = ["DiffLine", "FileDiff", "Hunk", "LineKind", "changed_hunks", "diff_edits", "diff_trees"]

_CONTEXT_LINES = 3
_NO_NEWLINE = "\\ No newline at end of file"
_SIGNS = frozenset(" +-")

Contents = tuple[bytes | None, bytes | None]


class LineKind(StrEnum):
    """What became of a line; the value is its sign in unified text."""

    CONTEXT = " "  #: it stands on both sides
    ADDED = "+"  #: only the newer side has it
    REMOVED = "-"  #: only the older side has it


class DiffLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a hunk."""

    kind: LineKind
    #: Without its line end; secrets are masked.
    text: str
    #: File line on the older side, from 1; None where it is not there.
    old_line: int | None
    #: File line on the newer side, from 1; None where it is not there.
    new_line: int | None
    #: It is the last one of its file and has no line end.
    unended: bool = False


class Hunk(msgspec.Struct, frozen=True, kw_only=True):
    """Changed lines that stand together, with the lines around them."""

    #: First file line on the older side; the line before it where the hunk has none there.
    old_start: int
    old_count: int
    #: First file line on the newer side; as `old_start`.
    new_start: int
    new_count: int
    lines: tuple[DiffLine, ...]


class FileDiff(msgspec.Struct, frozen=True, kw_only=True):
    """One path that changed."""

    #: As it may be told: what looks like a secret in it is masked.
    path: str
    kind: ChangeKind
    #: The path that the same bytes had before, else empty. Such a file is `ADDED` and has no hunks.
    renamed_from: str = ""
    #: Lines that came and went.
    added: int = 0
    removed: int = 0
    #: Why no lines are shown (it is no text), else empty.
    unshown: str = ""
    hunks: tuple[Hunk, ...] = ()

    def unified(self) -> str:
        """The change in the form that `diff -u` and `git` write, each line with its line end."""
        return "".join(f"{line}\n" for line in _unified(self))


def diff_trees(old: Tree | None, new: Tree) -> list[FileDiff]:
    """What changed between two committed states, by path. `old` None: the empty one."""
    paths = new.paths() if old is None else [change.path for change in old.diff(new)]
    return _diff({path: (None if old is None else old.content(path), new.content(path)) for path in paths})


def diff_edits(base: Tree, edits: Mapping[str, bytes | None], *, shows_moved: bool = False) -> list[FileDiff]:
    """What edits of a committed state (path -> the whole new content, None: deleted) would change, by path.

    `shows_moved`: a file that moves is shown line by line, as one that goes and one that comes.
    """
    return _diff({path: (base.content(path), data) for path, data in edits.items()}, shows_moved=shows_moved)


def changed_hunks(old: bytes, new: bytes) -> list[tuple[range, range]]:
    """Where two texts differ: the lines (from 0) on the older side and those that took their place on the newer one."""
    patch = pygit2.Patch.create_from(old, new, context_lines=0)
    # Git names the line before an empty range, where others name the one behind it.
    return [(_range(hunk.old_start, hunk.old_lines), _range(hunk.new_start, hunk.new_lines)) for hunk in patch.hunks]


def _range(start: int, count: int) -> range:
    first = start - 1 if count else start
    return range(first, first + count)


def _diff(contents: Mapping[str, Contents], *, shows_moved: bool = False) -> list[FileDiff]:
    changed = {path: sides for path, sides in sorted(contents.items()) if sides[0] != sides[1]}
    renamed = {} if shows_moved else _renames(changed)
    gone = set(renamed.values())
    return [
        FileDiff(path=masked_name(path), kind=ChangeKind.ADDED, renamed_from=masked_name(renamed[path]))
        if path in renamed
        else _file_diff(path, *sides)
        for path, sides in changed.items()
        if path not in gone
    ]


def _renames(contents: Mapping[str, Contents]) -> dict[str, str]:
    """New path -> old path, of files whose bytes moved as they were."""
    gone = {old: path for path, (old, new) in contents.items() if old and new is None}
    found: dict[str, str] = {}
    for path, (old, new) in contents.items():
        if old is None and new in gone:
            found[path] = gone.pop(new)
    return found


def _file_diff(path: str, old: bytes | None, new: bytes | None) -> FileDiff:
    name = masked_name(path)
    kind = ChangeKind.ADDED if old is None else ChangeKind.DELETED if new is None else ChangeKind.MODIFIED
    try:
        texts = [_text(path, side) for side in (old, new)]
    except FrontMatterInvalid as error:
        return FileDiff(path=name, kind=kind, unshown=str(error).replace(path, name))
    patch = pygit2.Patch.create_from(old, new, context_lines=_CONTEXT_LINES)
    before, after = map(mask_lines, texts)
    hunks = tuple(_hunk(hunk, before, after) for hunk in patch.hunks)
    _, added, removed = patch.line_stats
    return FileDiff(path=name, kind=kind, added=added, removed=removed, hunks=hunks)


def _text(path: str, data: bytes | None) -> str:
    if data is None:
        return ""
    text = decode(data, path)
    if "\0" in text:
        raise FrontMatterInvalid(f"{path} holds NUL characters: it is no text", paths=(path,))
    return text


def _hunk(hunk: pygit2.DiffHunk, before: Sequence[str], after: Sequence[str]) -> Hunk:
    return Hunk(
        old_start=hunk.old_start,
        old_count=hunk.old_lines,
        new_start=hunk.new_start,
        new_count=hunk.new_lines,
        lines=tuple(_lines(hunk.lines, before, after)),
    )


def _lines(lines: Iterable[pygit2.DiffLine], before: Sequence[str], after: Sequence[str]) -> Iterator[DiffLine]:
    for line in lines:
        if line.origin not in _SIGNS:
            continue  # git's remark that the line above has no end
        old = line.old_lineno if line.old_lineno > 0 else None
        new = line.new_lineno if line.new_lineno > 0 else None
        text = before[old - 1] if new is None and old else after[(new or 1) - 1]
        yield DiffLine(
            kind=LineKind(line.origin),
            text=text,
            old_line=old,
            new_line=new,
            unended=not line.raw_content.endswith(b"\n"),
        )


def _unified(diff: FileDiff) -> Iterator[str]:
    if diff.renamed_from:
        yield f"rename from {diff.renamed_from}"
        yield f"rename to {diff.path}"
        return
    yield "--- " + ("/dev/null" if diff.kind is ChangeKind.ADDED else f"a/{diff.path}")
    yield "+++ " + ("/dev/null" if diff.kind is ChangeKind.DELETED else f"b/{diff.path}")
    if diff.unshown:
        yield diff.unshown
    for hunk in diff.hunks:
        yield f"@@ -{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count} @@"
        for line in hunk.lines:
            yield f"{line.kind}{line.text}"
            if line.unended:
                yield _NO_NEWLINE
