"""`vade note`: ask memory to remember something."""

import click

from vademecum.cli.edits import say_edit, text_or_stdin
from vademecum.cli.options import identity_option, json_option
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("note")
@click.argument("text")
@click.option("--allow", is_flag=True, help="Store it although it looks like a secret.")
@identity_option
@json_option
def command(text: str, allow: bool, identity: str | None, as_json: bool) -> None:
    """Remember this. It stands in the very next context; no learner may change or delete it. `-` reads stdin.

    \b
    Example:
      vade note "the staging database is rebuilt every Monday"
    """
    edit = Memory.open(identity).note(text_or_stdin(text), allow_secret=allow)
    say_edit(edit, as_json=as_json)
