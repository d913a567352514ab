"""`vade log`: the history of memory."""

import click
import msgspec

from vademecum.cli.commit_lines import commit_line
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import say, say_json
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("log")
@click.argument("path", required=False)
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="How many commits."
)
@click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Pass over the newest N.")
@identity_option
@json_option
def command(path: str | None, limit: int, offset: int, identity: str | None, as_json: bool) -> None:
    """Show who changed memory, when and why, the newest first.

    PATH is a file, or a folder with all that lies in it. A renamed file has its earlier history under its old name;
    `vade blame` follows it.

    \b
    Examples:
      vade log MEMORY.md
      vade log --limit 50 --offset 50
    """
    commits = Memory.open(identity, must_exist=True).log(path, limit=limit, offset=offset)
    if as_json:
        say_json({"commits": msgspec.to_builtins(commits)})
        return
    for commit in commits:
        say(commit_line(commit))
    if len(commits) == limit:
        say(f"(older ones: --offset {offset + limit})", err=True)
    elif not commits:
        say("no older commits")
