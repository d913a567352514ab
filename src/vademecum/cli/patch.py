"""`vade patch`: change several memory files at once."""

from typing import BinaryIO

import click

from vademecum.cli.authority import who_asks
from vademecum.cli.edits import decoded, edit_options, reason_or, say_edit
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("patch")
@click.argument("file", type=click.File("rb"), default="-")
@edit_options
def command(file: BinaryIO, reason: str | None, yes: bool, identity: str | None, as_json: bool) -> None:
    """Apply a patch to memory: all of it in one commit, or nothing. Without FILE it is read from stdin.

    \b
    A patch looks like this:
      *** Begin Patch
      *** Add File: reference/new.md
      +the first line
      *** Update File: reference/deploy.md
      @@
       a line that stays
      -a line that goes
      +a line that comes
      *** Delete File: reference/old.md
      *** End Patch

    \b
    Example:
      vade patch changes.patch --reason "How we deploy now"
    """
    text = decoded(file.read(), "the patch")
    asked_by = who_asks(yes=yes)
    edit = Memory.open(identity).edit.patch(text, reason=reason_or(reason, "Apply a patch"), asked_by=asked_by)
    say_edit(edit, asked_by, as_json=as_json)
