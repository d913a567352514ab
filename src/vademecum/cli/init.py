"""`vade init`: make the memory repository."""

import click

from vademecum.cli.authority import writes
from vademecum.cli.options import json_option, new_identity_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("init")
@new_identity_option
@json_option
@writes
def command(identity: str | None, as_json: bool) -> None:
    """Make the memory repository with its first files. Harmless where there is one.

    \b
    Example:
      vade init
    """
    memory = Memory.open(identity)
    created = memory.begin()
    revision = memory.tree().revision
    if as_json:
        path = str(memory.folder.memory)
        say_json({"identity": memory.folder.name, "path": path, "created": created, "revision": revision})
        return
    say(f"{'made' if created else 'already there:'} {flat(str(memory.folder.memory))}")
    say("Plain markdown under git: read, edit and commit in it as you like. Next: vade learn")
