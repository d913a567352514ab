"""`vade log`: the history of memory."""

import click
import msgspec

from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import Memory
from vademecum.memfs import Commit

__all__ = ["command"]

_WRITERS = {
    "user": "you (edit)",
    "learn": "learned",
    "reflect": "reflected",
    "import": "imported",
    "sync": "synced",
    "undo": "undone",
}


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
        say_json({"commits": msgspec.to_builtins(commits)})
        return
    for commit in commits:
        say(f"{commit.id[:10]}  {commit.at:%Y-%m-%d %H:%M}  {_writer(commit):<12} {flat(commit.subject)}")


def _writer(commit: Commit) -> str:
    """Who wrote it, as the person at the terminal sees it."""
    provenance = commit.provenance
    if provenance.writer == "memory-tool":
        return "you (note)" if provenance.origin == "human" else "vade"
    return _WRITERS[provenance.writer]
