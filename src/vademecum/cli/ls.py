"""`vade ls`: what is in the memory repository."""

import click
import msgspec

from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json, size
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("ls")
@click.argument("path", default="")
@identity_option
@json_option
def command(path: str, identity: str | None, as_json: bool) -> None:
    """List a folder of the memory repository.

    \b
    Example:
      vade ls rollout_summaries
    """
    entries = Memory.open(identity, must_exist=True).ls(path)
    if as_json:
        say_json({"path": path, "entries": msgspec.to_builtins(entries)})
        return
    for entry in entries:
        amount = "" if entry.path.endswith("/") else size(entry.size_bytes)
        say(f"{amount:>8}  {flat(entry.path)}")
