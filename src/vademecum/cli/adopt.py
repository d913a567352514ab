"""`vade adopt`: commit hand edits as the person's own."""

import click

from vademecum.cli.boundary import PartlyDone
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, plural, say, say_json
from vademecum.engine import Memory
from vademecum.errors import RefusedError
from vademecum.memfs import Adoption

__all__ = ["command"]


@click.command("adopt")
@identity_option
@json_option
def command(identity: str | None, as_json: bool) -> None:
    """Commit what you edited in the memory repository, as your own words.

    A file with a broken header, a conflict marker or a secret is left as it is and named; the others are taken in,
    and the command ends with exit code 4.

    \b
    Example:
      vade adopt
    """
    adoption = Memory.open(identity, must_exist=True).adopt()
    if not as_json:
        _print(adoption)
    if adoption.refused:
        raise PartlyDone(_refusal(adoption), _shape(adoption))
    if as_json:
        say_json(_shape(adoption))


def _shape(adoption: Adoption) -> dict[str, object]:
    """The object of `--json`; where a file was refused, the error stands beside it."""
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
    if not adoption.commit and not adoption.refused:
        say("nothing was edited by hand since the last commit")


def _refusal(adoption: Adoption) -> RefusedError:
    path, reason = next(iter(adoption.refused.items()))
    more = len(adoption.refused) - 1
    others = f" (and {more} more)" if more else ""
    taken = len(adoption.commit.paths) if adoption.commit else 0
    return RefusedError(
        f"{path}: {reason}{others}",
        intact=f"What you wrote stays in the file; {plural(taken, 'other file')} taken in.",
        next_step="Correct the file in an editor, then run `vade adopt` again.",
    )
