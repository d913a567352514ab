"""`vade init`: make the memory repository."""

import click

from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("init")
@identity_option
@json_option
def command(identity: str | None, as_json: bool) -> None:
    """Make the memory repository with its first files. Harmless where there is one.

    \b
    Example:
      vade init
    """
    memory = Memory.open(identity)
    created = memory.create()
    revision = memory.tree().revision
    if as_json:
        path = str(memory.folder.memory)
        echo_json({"identity": memory.folder.name, "path": path, "created": created, "revision": revision})
        return
    click.echo(f"{'made' if created else 'already there:'} {memory.folder.memory}")
    click.echo("Plain markdown under git: read, edit and commit in it as you like. Next: vade learn")
