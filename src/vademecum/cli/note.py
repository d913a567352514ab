"""`vade note`: ask memory to remember something."""

import click

from vademecum.cli.authority import own_word_option, require_person, who_asks
from vademecum.cli.edits import say_edit, text_or_stdin
from vademecum.cli.options import identity_option, json_option
from vademecum.engine import Memory
from vademecum.errors import UsageError

__all__ = ["command"]


@click.command("note")
@click.argument("text", required=False)
@click.option("--allow", is_flag=True, help="Store it although it looks like a secret.")
@click.option("--confirm", metavar="PATH", help="Take over a note that an agent wrote by itself.")
@own_word_option
@identity_option
@json_option
def command(text: str | None, allow: bool, confirm: str | None, yes: bool, identity: str | None, as_json: bool) -> None:
    """Remember this. It stands in the very next context; no learner may change or delete it. `-` reads stdin.

    In the shell of an agent it counts as an agent's, which waits for you; --yes says that it is yours.

    \b
    Examples:
      vade note "the staging database is rebuilt every Monday"
      vade note --confirm extensions/ad_hoc/notes/2026-11-30T18-49-23-deploy-on-fridays.md
    """
    memory = Memory.open(identity)
    if (text is None) == (confirm is None):
        raise UsageError("give the text of a note, or --confirm PATH", next_step="See `vade note --help`.")
    if confirm is not None or allow:
        require_person(yes=yes)
    asked_by = who_asks(yes=yes)
    if confirm is not None:
        edit = memory.confirm_note(confirm.removeprefix(f"{memory.folder.memory}/"))
    else:
        edit = memory.note(text_or_stdin(text or ""), origin=asked_by.origin, allow_secret=allow)
    say_edit(edit, asked_by, as_json=as_json)
