"""`vade uninstall`: take memory out of an agent again."""

import os

import click

from vademecum.cli.authority import writes
from vademecum.cli.host_choice import named_host, refuse_rest, served
from vademecum.cli.host_output import say_plan, shape_of
from vademecum.cli.options import confirmed, json_option, yes_option
from vademecum.cli.printing import flat, home_as_tilde, say, say_json
from vademecum.home import Home
from vademecum.hosts import HOSTS, Host, Places, carry_out, plan_removal

__all__ = ["command"]


@click.command("uninstall")
@click.argument("host", required=False)
@click.option("--all", "every", is_flag=True, help="Every agent that memory is plugged into.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@yes_option
@json_option
@writes
def command(host: str | None, every: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Take memory out of an agent. Its files get their bytes of before back; what you edited since stays.

    Memory itself is not deleted.

    \b
    Examples:
      vade uninstall HOST --dry-run
      vade uninstall --all
    """
    places = Places.here(os.environ)
    home = Home.find(places.environ)
    chosen = named_host(host, every=every)
    hosts = HOSTS if chosen is None else (chosen,)
    done, refused = served(hosts, lambda found: _take_out(found, places, home, dry_run=dry_run, yes=yes, quiet=as_json))
    refuse_rest(done, refused)
    if as_json:
        say_json({"hosts": done} if every else done[0])
        return
    say(f"kept     memory itself, in {home_as_tilde(flat(str(home.root)))}")


def _take_out(host: Host, places: Places, home: Home, *, dry_run: bool, yes: bool, quiet: bool) -> dict[str, object]:
    plan = plan_removal(host, places, home)
    if plan.changes and not quiet:
        say_plan(plan)
    if dry_run or (plan.changes and not _agreed(plan.host, yes=yes)):
        say(f"{plan.host.title}: nothing was changed", err=True)
        return shape_of(plan, written=False)
    copies = carry_out(plan, home, places.user_home)
    if not quiet:
        done = "memory is taken out" if plan.changes else "nothing to change, memory is not plugged in"
        say(f"{plan.host.title}: {done}")
        for copy in copies:
            say(f"copy     {home_as_tilde(flat(copy))}: delete it once you have looked at it")
    return shape_of(plan, written=bool(plan.changes))


def _agreed(host: Host, *, yes: bool) -> bool:
    return confirmed(f"Take memory out of {host.title}?", yes=yes, intact=f"nothing was changed for {host.title}")
