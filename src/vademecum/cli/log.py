"""`vade log`: the history of memory."""

import click
import msgspec

from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("log")
@click.argument("path", required=False)
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="How many commits."
)
@identity_option
@json_option
def command(path: str | None, limit: int, identity: str | None, as_json: bool) -> None:
    """Show who changed memory, when and why.

    \b
    Example:
      vade log MEMORY.md
    """
    commits = Memory.open(identity, must_exist=True).log(path, limit=limit)
    if as_json:
        echo_json({"commits": msgspec.to_builtins(commits)})
        return
    for commit in commits:
        who = commit.provenance.writer
        click.echo(f"{commit.id[:10]}  {commit.at:%Y-%m-%d %H:%M}  {who:<12} {commit.subject}")
