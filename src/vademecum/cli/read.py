"""`vade read`: lines of one memory file."""

import click
import msgspec

from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("read")
@click.argument("path")
@click.option("--offset", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="First line.")
@click.option(
    "--limit",
    type=click.IntRange(min=1, max=10_000),
    default=400,
    show_default=True,
    metavar="N",
    help="How many lines.",
)
@identity_option
@json_option
def command(path: str, offset: int, limit: int, identity: str | None, as_json: bool) -> None:
    """Show a memory file with its line numbers.

    \b
    Example:
      vade read MEMORY.md --offset 20 --limit 10
    """
    reading = Memory.open(identity, must_exist=True).read(path, offset=offset, limit=limit)
    if as_json:
        echo_json(msgspec.to_builtins(reading))
        return
    for number, line in enumerate(reading.content.split("\n"), reading.start_line):
        click.echo(f"{number:>6}  {line}")
    if reading.truncated:
        click.echo(f"(of {reading.total_lines} lines; go on with --offset)", err=True)
