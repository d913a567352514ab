"""`vade note`: ask memory to remember something."""

import click

from vademecum.cli.edits import say_edit, text_or_stdin
from vademecum.cli.options import identity_option, json_option
from vademecum.engine import Memory
from vademecum.errors import UsageError

__all__ = ["command"]


@click.command("note")
@click.argument("text", required=False)
@click.option("--allow", is_flag=True, help="Store it although it looks like a secret.")
@click.option("--confirm", metavar="PATH", help="Take over a note that an agent wrote by itself.")
@identity_option
@json_option
def command(text: str | None, allow: bool, confirm: str | None, identity: str | None, as_json: bool) -> None:
    """Remember this. It stands in the very next context; no learner may change or delete it. `-` reads stdin.

    \b
    Examples:
      vade note "the staging database is rebuilt every Monday"
      vade note --confirm extensions/ad_hoc/notes/2026-11-30T18-49-23-deploy-on-fridays.md
    """
    memory = Memory.open(identity)
    if (text is None) == (confirm is None):
        raise UsageError("give the text of a note, or --confirm PATH", next_step="See `vade note --help`.")
    if confirm is not None:
        edit = memory.confirm_note(confirm.removeprefix(f"{memory.folder.memory}/"))
    else:
        edit = memory.note(text_or_stdin(text or ""), allow_secret=allow)
    say_edit(edit, as_json=as_json)
