"""`vade read`: lines of one memory file."""

import click
import msgspec

from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import say, say_json
from vademecum.engine import Memory
from vademecum.errors import UsageError
from vademecum.memfs import split_lines

__all__ = ["command"]

_LINES = 400
_MAX_LINES = 10_000


@click.command("read")
@click.argument("path")
@click.option("--offset", type=click.IntRange(min=1), metavar="N", help="First line (default: 1).")
@click.option(
    "--limit",
    type=click.IntRange(min=1, max=_MAX_LINES),
    metavar="N",
    help=f"How many lines (default: {_LINES}).",
)
@identity_option
@json_option
def command(path: str, offset: int | None, limit: int | None, identity: str | None, as_json: bool) -> None:
    """Show a memory file with its line numbers. PATH:20-29 and PATH:20 are lines of it, as `vade search` names them.

    \b
    Examples:
      vade read MEMORY.md --offset 20 --limit 10
      vade read MEMORY.md:20-29
    """
    name, first, count = _place(path, offset, limit)
    reading = Memory.open(identity, must_exist=True).read(name, offset=first, limit=count)
    if as_json:
        say_json(msgspec.to_builtins(reading))
        return
    for number, line in enumerate(reading.content.split("\n"), reading.start_line):
        say(f"{number:>6}  {line}")
    if reading.truncated:
        last = reading.start_line + reading.content.count("\n")
        say(f"(of {reading.total_lines} lines; go on with --offset {last + 1})", err=True)


def _place(path: str, offset: int | None, limit: int | None) -> tuple[str, int, int]:
    """Which file, from which line, how many. Raises UsageError where lines are named twice, or backwards."""
    lines = split_lines(path)
    if lines is None:
        return path, offset or 1, limit or _LINES
    if offset is not None or limit is not None:
        raise UsageError(f"{path!r} names lines already", next_step="Leave out --offset and --limit, or the lines.")
    if not 1 <= lines.first <= lines.last:
        raise UsageError(f"{path!r} names no lines", next_step="Lines are counted from 1, as in MEMORY.md:20-29.")
    return lines.path, lines.first, min(lines.last - lines.first + 1, _MAX_LINES)
