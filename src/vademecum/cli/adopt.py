"""`vade adopt`: commit hand edits as the person's own."""

import click

from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("adopt")
@identity_option
@json_option
def command(identity: str | None, as_json: bool) -> None:
    """Commit what you edited in the memory repository, as your own words.

    A file with a broken header, a conflict marker or a secret is reported and left as it is.

    \b
    Example:
      vade adopt
    """
    adoption = Memory.open(identity, must_exist=True).adopt()
    commit = adoption.commit
    if as_json:
        refused = [{"path": path, "reason": reason} for path, reason in adoption.refused.items()]
        paths = list(commit.paths) if commit else []
        echo_json({"commit": commit.id if commit else None, "paths": paths, "refused": refused})
        return
    for path in commit.paths if commit else ():
        click.echo(f"adopted  {path}")
    for path, reason in adoption.refused.items():
        click.echo(f"left     {path}: {reason}")
    if not commit and not adoption.refused:
        click.echo("nothing was edited by hand since the last commit")
