"""`vade uninstall`: take memory out of an agent again."""

import os

import click

from vademecum.cli.host_output import say_plan, shape_of
from vademecum.cli.options import confirmed, json_option, yes_option
from vademecum.cli.printing import flat, home_as_tilde, say, say_json
from vademecum.home import Home
from vademecum.hosts import Places, carry_out, host_named, plan_removal

__all__ = ["command"]


@click.command("uninstall")
@click.argument("host")
@yes_option
@json_option
def command(host: str, yes: bool, as_json: bool) -> None:
    """Take memory out of an agent. Its files get their bytes of before back; what you edited since stays.

    Memory itself is not deleted.

    \b
    Example:
      vade uninstall HOST
    """
    places = Places.here(os.environ)
    home = Home.find(places.environ)
    plan = plan_removal(host_named(host), places, home)
    if plan.changes and not as_json:
        say_plan(plan)
    if plan.changes and not confirmed(f"Take memory out of {plan.host.title}?", yes=yes):
        say("nothing was changed", err=True)
        return
    copies = carry_out(plan, home, places.user_home)
    if as_json:
        say_json(shape_of(plan, written=bool(plan.changes)))
        return
    done = "memory is taken out" if plan.changes else "nothing to change, memory is not plugged in"
    say(f"{plan.host.title}: {done}")
    for copy in copies:
        say(f"copy     {home_as_tilde(flat(copy))}")
    say(f"kept     memory itself, in {home_as_tilde(flat(str(home.root)))}")
