"""`vade why`: where a line of memory comes from."""

import click
import msgspec

from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import say, say_json
from vademecum.cli.why_output import say_why
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("why")
@click.argument("what", metavar="PATH[:LINE]|WORDS")
@click.option("--all", "everything", is_flag=True, help="Of several lines too, all that each rests on.")
@identity_option
@json_option
def command(what: str, everything: bool, identity: str | None, as_json: bool) -> None:
    """Show where a line of memory comes from: the session, the turn, and your very words, read again from the agent.

    Works for every file: the summary and the handbook, rollout summaries, notes, pages, and the archive of what you
    removed. Without a line it goes through the whole file, shortly. A few words of a statement do instead of its place.

    \b
    Examples:
      vade why MEMORY.md:12
      vade why memory_summary.md
      vade why "never npm"
      vade why "npm" --all
    """
    why = Memory.open(identity, must_exist=True).why(what)
    if as_json:
        say_json(msgspec.to_builtins(why))
        return
    if not why.lines:
        say(f"{why.path} says nothing that has a source.")
    if say_why(why, everything=everything):
        say("Next: add --all for all that these lines rest on.")
