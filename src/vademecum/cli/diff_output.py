"""How changed files look at a terminal: each line with its file line number, what came and what went."""

from collections.abc import Iterable, Iterator

from vademecum.artifacts import strip_marks
from vademecum.cli.printing import Style, flat, say, say_styled
from vademecum.memfs import ChangeKind, DiffLine, FileDiff, LineKind

__all__ = ["say_diffs", "summary"]

_WORDS = {ChangeKind.ADDED: "new", ChangeKind.DELETED: "deleted", ChangeKind.MODIFIED: ""}
_STYLES = {LineKind.ADDED: Style.ADDED, LineKind.REMOVED: Style.REMOVED, LineKind.CONTEXT: Style.PLAIN}
#: Between two hunks: lines that did not change are left out.
_GAP = f"{'...':>6}"


def say_diffs(diffs: Iterable[FileDiff]) -> None:
    """Print changed files one after the other.

    The number before a line is its number in the newer file; before a line that went, in the older one.
    """
    for number, diff in enumerate(diffs):
        if number:
            say()
        _say_diff(diff)


def _say_diff(diff: FileDiff) -> None:
    say_styled((flat(diff.path), Style.STRONG), (f"  {summary(diff)}", Style.PLAIN))
    for number, hunk in enumerate(diff.hunks):
        if number:
            say_styled((_GAP, Style.FAINT))
        for line in hunk.lines:
            say_styled(*_parts(line))


def summary(diff: FileDiff) -> str:
    """What became of a file, in a few words."""
    if diff.renamed_from:
        return f"renamed from {flat(diff.renamed_from)}"
    counts = flat(diff.unshown) if diff.unshown else f"+{diff.added} -{diff.removed}"
    return "  ".join(filter(None, (_WORDS[diff.kind], counts)))


def _parts(line: DiffLine) -> Iterator[tuple[str, Style]]:
    number = line.old_line if line.kind is LineKind.REMOVED else line.new_line
    words = strip_marks(line.text)
    yield f"{number:>6}", Style.FAINT
    yield f"  {line.kind} {words}" if words else f"  {line.kind}", _STYLES[line.kind]
    yield line.text[len(words) :], Style.FAINT
