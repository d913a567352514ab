"""`vade install`: plug memory into the agents that are on this machine."""

import os

import click

from vademecum.cli.authority import writes
from vademecum.cli.host_choice import named_host, refuse_rest, served
from vademecum.cli.host_output import say_plan, shape_of
from vademecum.cli.learner_choice import choose_learner, refuse_unfit_learner
from vademecum.cli.options import confirmed, json_option, yes_option
from vademecum.cli.printing import flat, home_as_tilde, say, say_json
from vademecum.errors import NotFound, UsageError
from vademecum.home import Home
from vademecum.hosts import HOSTS, Host, Places, Plan, carry_out, plan_install
from vademecum.learner_names import LEARNERS

__all__ = ["command"]


@click.command("install")
@click.argument("host", required=False)
@click.option("--all", "every", is_flag=True, help="Every agent that is found on this machine.")
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@click.option(
    "--learner", type=click.Choice(LEARNERS), help="Who learns from now on; without it nothing that costs is begun."
)
@click.option(
    "--form",
    type=click.Choice([form for host in HOSTS for form in host.forms]),
    help="How, where an agent leaves a choice; without it the form stays that stands.",
)
@yes_option
@json_option
@writes
def command(
    host: str | None, every: bool, dry_run: bool, learner: str | None, form: str | None, yes: bool, as_json: bool
) -> None:
    """Plug memory into an agent: the tools of memory, and its block in every session.

    Shows the difference of each file that it changes, and asks. A copy of each lies beside it afterwards, and
    `vade uninstall` brings the bytes back. The agent's own memory is left as it is.

    \b
    Examples:
      vade install --all
      vade install HOST --dry-run
    """
    if form and every:
        raise UsageError("--form is for one agent", next_step="Name it: `vade install HOST --form FORM`.")
    places = Places.here(os.environ)
    hosts = _chosen(host, places, every=every)
    if learner:
        refuse_unfit_learner(learner)
    done, refused = served(hosts, lambda found: _install(found, places, form, dry_run=dry_run, yes=yes, quiet=as_json))
    if done and not dry_run:
        is_new = any(shape["written"] for shape in done)
        choose_learner(learner, asks=is_new and not yes and not as_json)
    refuse_rest(done, refused)
    if as_json:
        say_json({"hosts": done})


def _chosen(name: str | None, places: Places, *, every: bool) -> tuple[Host, ...]:
    if host := named_host(name, every=every):
        return (host,)
    found = tuple(host for host in HOSTS if host.is_there(places))
    if not found:
        titles = ", ".join(host.title for host in HOSTS)
        raise NotFound(
            f"none of the agents was found here: {titles}",
            next_step="Name the one that you will install: `vade install HOST` works without it.",
        )
    return found


def _install(
    host: Host, places: Places, form: str | None, *, dry_run: bool, yes: bool, quiet: bool
) -> dict[str, object]:
    plan = plan_install(host, places, form)
    if not plan.changes:
        if not quiet:
            say(f"{host.title}: nothing to change, memory is plugged in")
        return shape_of(plan, written=False)
    if not quiet:
        say_plan(plan)
    written = not dry_run and confirmed(
        f"Write this for {host.title}?", yes=yes, intact=f"nothing was changed for {host.title}"
    )
    backups = carry_out(plan, Home.find(places.environ), places.user_home) if written else ()
    if not quiet:
        _say_done(plan, backups, written=written)
    return shape_of(plan, written=written)


def _say_done(plan: Plan, backups: tuple[str, ...], *, written: bool) -> None:
    if not written:
        say(f"\n{plan.host.title}: nothing was written")
        return
    say(f"\n{plan.host.title}: memory is plugged in")
    for backup in backups:
        say(f"backup   {home_as_tilde(flat(backup))}")
    for step in plan.host.next_steps:
        say(f"next     {step}")
    say(f"check    vade doctor\nback     vade uninstall {plan.host.name}")
