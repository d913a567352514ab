"""`vade note`: ask memory to remember something."""

import sys

import click
import msgspec

from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import say, say_json
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
    words = sys.stdin.read() if text == "-" else text
    edit = Memory.open(identity).note(words, allow_secret=allow)
    if as_json:
        say_json(msgspec.to_builtins(edit))
        return
    say(edit.message)
