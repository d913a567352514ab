"""`vade ls`: what is in the memory repository."""

import click
import msgspec

from vademecum.cli.options import echo_json, identity_option, json_option
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
        echo_json({"path": path, "entries": msgspec.to_builtins(entries)})
        return
    for entry in entries:
        size = "" if entry.path.endswith("/") else f"{entry.size_bytes:>8}"
        click.echo(f"{size:>8}  {entry.path}")
