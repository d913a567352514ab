"""`vade home`: where everything lies, and which folder belongs to which identity."""

import os
from pathlib import Path

import click
import msgspec

from vademecum.cli.authority import own_word_option, require_person
from vademecum.cli.options import Commands, json_option, new_identity_option
from vademecum.cli.printing import flat, home_as_tilde, say, say_json
from vademecum.cli.words import why_chosen
from vademecum.config import store_route, unset_route
from vademecum.engine import Memory
from vademecum.home import Home
from vademecum.routes import Chosen, Route, publish_routes, refuse_reserved

__all__ = ["command"]


@click.group("home", cls=Commands, invoke_without_command=True)
@new_identity_option
@json_option
@click.pass_context
def command(context: click.Context, identity: str | None, as_json: bool) -> None:
    """Print the folder of the memory repository, which identities there are, and which folders belong to them.

    \b
    Examples:
      cd "$(vade home --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["memory"])')"
      vade home route ~/clients/acme acme
    """
    if context.invoked_subcommand is not None:
        return
    memory = Memory.open(identity)
    routes = memory.routes.all()
    names = [found.name for found in memory.home.identities()]
    if as_json:
        places = {"home": str(memory.home.root), "identity": memory.folder.name, "memory": str(memory.folder.memory)}
        chosen = {"chosen": memory.route.chosen, "exists": memory.folder.exists, "identities": names}
        say_json({**places, **chosen, "scope": memory.config.scope, "routes": msgspec.to_builtins(routes)})
        return
    say(f"home        {flat(str(memory.home.root))}")
    missing = (
        "" if memory.folder.exists else f"   (identity {memory.folder.name} has no memory yet; vade init makes it)"
    )
    say(f"memory      {flat(str(memory.folder.memory))}{missing}")
    say(f"identity    {memory.folder.name}   ({why_chosen(memory.route)})")
    say(f"settings    {flat(str(memory.home.config))}")
    say(f"scope       {memory.config.scope}")
    _print_identities(names, routes)


def _print_identities(names: list[str], routes: list[Route]) -> None:
    """One line per identity, and one more for every further folder of it."""
    every = sorted({*names, *(route.identity for route in routes)})
    width = max(map(len, every), default=0)
    lines: list[str] = []
    for name in every:
        told = [_told(route) for route in routes if route.identity == name] or [""]
        told[0] += "" if name in names else "   (no memory yet)"
        lines += [f"{'' if at else name:<{width}}  {folder}".rstrip() for at, folder in enumerate(told)]
    for at, line in enumerate(lines or ["none yet"]):
        say(f"{'' if at else 'identities':<10}  {line}")


def _told(route: Route) -> str:
    by_hand = " and all below (by hand)" if route.chosen is Chosen.BY_HAND else ""
    return f"{home_as_tilde(flat(route.folder))}{by_hand}"


@command.command("route")
@click.argument("folder", metavar="DIR", type=click.Path())
@click.argument("identity", metavar="IDENTITY")
@own_word_option
@json_option
def route_command(folder: str, identity: str, yes: bool, as_json: bool) -> None:
    """Give a folder and all below it to an identity, in every scope. The folder may be gone.

    What was learned there before stays where it is; what comes is learned into IDENTITY. So a project that you moved
    finds its memory again, and a client's folder gets a memory of its own.

    \b
    Examples:
      vade home route ~/clients/acme acme
      vade home route ~/src/shop-renamed shop-1a2b3c4d
    """
    require_person(yes=yes)
    home = Home.find(os.environ)
    name = refuse_reserved(home.identity(identity)).name
    place = _absolute(folder)
    store_route(home.config, place, name)
    publish_routes(home, os.environ)
    if as_json:
        say_json({"folder": place, "identity": name})
        return
    say(f"{home_as_tilde(flat(place))} and all below belong to {name} from now on")


@command.command("unroute")
@click.argument("folder", metavar="DIR", type=click.Path())
@own_word_option
@json_option
def unroute_command(folder: str, yes: bool, as_json: bool) -> None:
    """Take back what `vade home route` gave; the memory of the identity stays.

    \b
    Example:
      vade home unroute ~/clients/acme
    """
    require_person(yes=yes)
    home = Home.find(os.environ)
    place = _absolute(folder)
    removed = unset_route(home.config, place)
    publish_routes(home, os.environ)
    if as_json:
        say_json({"folder": place, "removed": removed})
        return
    shown = home_as_tilde(flat(place))
    say(f"{shown} has no route by hand any more" if removed else f"{shown} had no route by hand")


def _absolute(folder: str) -> str:
    return os.path.normpath(Path(folder).expanduser().absolute())
