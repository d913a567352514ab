"""`vade blame`: who wrote each line of a memory file."""

import re
from collections.abc import Sequence

import click
import msgspec

from vademecum.amounts import plural
from vademecum.artifacts import strip_marks
from vademecum.cli.commit_lines import commit_line, short_id, who
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import Style, say, say_json, say_styled
from vademecum.engine import Memory
from vademecum.errors import UsageError
from vademecum.memfs import BlamedLine, Writer

__all__ = ["command"]

_PLACE = re.compile(r"(?P<path>.+):(?P<line>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?")
_NOBODY = "not committed"
_YOURS = "you"


@click.command("blame")
@click.argument("path")
@identity_option
@json_option
def command(path: str, identity: str | None, as_json: bool) -> None:
    """Show who wrote each line of a file, when, and in which commit; the commits stand below, the newest first.

    PATH may name one line (PATH:6) or some (PATH:6-9).

    The file is taken as it lies in the memory folder: lines that you edited and did not commit are named so. Lines keep
    their commit when their file is renamed, and your lines in MEMORY.md and memory_summary.md when a run moves them.
    Secrets are shown masked.

    \b
    Examples:
      vade blame MEMORY.md
      vade blame MEMORY.md:6
    """
    place = _PLACE.fullmatch(path)
    path = place["path"] if place else path
    lines = Memory.open(identity, must_exist=True).blame(path)
    if place:
        lines = _chosen(lines, path, int(place["line"]), int(place["last"] or place["line"]))
    if as_json:
        say_json({"path": path, "lines": msgspec.to_builtins(lines)})
        return
    _print(lines)


def _chosen(lines: Sequence[BlamedLine], path: str, first: int, last: int) -> list[BlamedLine]:
    found = [line for line in lines if first <= line.line <= last]
    if not found:
        raise UsageError(
            f"{path} has {plural(len(lines), 'line')}, and none is {first}", next_step=f"See `vade blame {path}`."
        )
    return found


def _print(lines: Sequence[BlamedLine]) -> None:
    for line in lines:
        say_styled((f"{line.line:>6}  {_origin(line):<38}  ", Style.FAINT), (strip_marks(line.text), Style.PLAIN))
    commits = {line.commit.id: line.commit for line in lines if line.commit}
    if commits:
        say()
    for commit in sorted(commits.values(), key=lambda commit: commit.at, reverse=True):
        say(commit_line(commit))


def _origin(line: BlamedLine) -> str:
    if line.commit is None:
        return _NOBODY
    by_learning = line.commit.provenance.writer is Writer.LEARN
    # Reworded in another file, or so long ago that history does not tell: the run brought your words here.
    hand = _YOURS if line.is_yours and by_learning else who(line.commit)
    return f"{short_id(line.commit.id)}  {line.commit.at:%Y-%m-%d}  {hand}"
