"""`vade home`: where everything lies."""

import os

import click

from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.home import Home

__all__ = ["command"]


@click.command("home")
@identity_option
@json_option
def command(identity: str | None, as_json: bool) -> None:
    """Print the folder of the memory repository, and which identities there are.

    \b
    Example:
      cd "$(vade home --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["memory"])')"
    """
    home = Home.find(os.environ)
    folder = home.identity(identity, os.environ)
    names = [found.name for found in home.identities()]
    if as_json:
        echo_json({"home": str(home.root), "identity": folder.name, "memory": str(folder.memory), "identities": names})
        return
    click.echo(f"home        {home.root}")
    click.echo(f"memory      {folder.memory}")
    click.echo(f"settings    {home.config}")
    click.echo(f"identities  {', '.join(names) or 'none yet'}")
