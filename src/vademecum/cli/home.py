"""`vade home`: where everything lies."""

import os

import click

from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import say, say_json
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
        places = {"home": str(home.root), "identity": folder.name, "memory": str(folder.memory)}
        say_json({**places, "exists": folder.exists, "identities": names})
        return
    say(f"home        {home.root}")
    missing = "" if folder.exists else f"   (identity {folder.name} has no memory yet; vade init makes it)"
    say(f"memory      {folder.memory}{missing}")
    say(f"settings    {home.config}")
    say(f"identities  {', '.join(names) or 'none yet'}")
