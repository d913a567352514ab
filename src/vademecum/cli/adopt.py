"""`vade adopt`: commit hand edits as the person's own."""

import click

from vademecum.cli.authority import writes
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json
from vademecum.engine import Memory
from vademecum.memfs import Adoption

__all__ = ["command"]


@click.command("adopt")
@identity_option
@json_option
@writes
def command(identity: str | None, as_json: bool) -> None:
    """Commit what you edited in the memory repository, as your own words.

    A file with a broken header, a conflict marker or a secret is left as it is and named with the reason; the others
    are taken in. Correct what was left in an editor, then run the command again.

    \b
    Example:
      vade adopt
    """
    adoption = Memory.open(identity, must_exist=True).adopt()
    if as_json:
        say_json(_shape(adoption))
    else:
        _print(adoption)


def _shape(adoption: Adoption) -> dict[str, object]:
    """The object of `--json`."""
    commit = adoption.commit
    return {
        "commit": commit.id if commit else None,
        "paths": list(commit.paths) if commit else [],
        "refused": [{"path": path, "reason": reason} for path, reason in adoption.refused.items()],
    }


def _print(adoption: Adoption) -> None:
    for path in adoption.commit.paths if adoption.commit else ():
        say(f"adopted  {flat(path)}")
    for path, reason in adoption.refused.items():
        say(f"left     {flat(path)}: {flat(reason)}")
    if adoption.refused:
        say("Correct what was left in an editor, then run `vade adopt` again.")
    if not adoption.commit and not adoption.refused:
        say("nothing was edited by hand since the last commit")
