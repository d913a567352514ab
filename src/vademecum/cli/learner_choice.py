"""Who may learn, and so spend: asked once when memory is plugged in, and never answered for the person."""

import os

import click

from vademecum.cli.interrupts import Unanswered
from vademecum.cli.options import is_at_terminal
from vademecum.cli.printing import flat, say, warn
from vademecum.config import find_setting, load_config, store_setting
from vademecum.errors import UsageError, VademecumError
from vademecum.home import Home
from vademecum.learner_names import BUILT_IN, HOST_LEARNERS, LEARNERS, MODEL
from vademecum.learners import learner_named
from vademecum.routes import publish_routes

__all__ = ["LEARNER_KEY", "choose_learner", "lack_of_learner", "refuse_unfit_learner"]

LEARNER_KEY = "memories.learner"
_COSTS = {
    BUILT_IN: "built in: keeps what was said in so many words; costs nothing",
    MODEL: "a model at its maker's, or on a server of your own; costs what the provider takes",
    ", ".join(HOST_LEARNERS): "the agent that you have, which learns for you; costs what your plan takes",
}


def lack_of_learner(name: str) -> VademecumError | None:
    """Why this learner could not begin by the settings of this home; None where it could."""
    try:
        learner_named(name, load_config(Home.find(os.environ).config, os.environ))
    except VademecumError as error:
        return error
    return None


def refuse_unfit_learner(name: str) -> None:
    """Raise UsageError where this learner could not begin, with what it lacks: before anything is written."""
    if (error := lack_of_learner(name)) is not None:
        raise UsageError(
            f"{name} cannot learn yet: {error}",
            intact=f"Nothing was changed: {_present(Home.find(os.environ))} goes on learning.",
            next_step=error.next_step,
        ) from error


def choose_learner(named: str | None, *, asks: bool) -> None:
    """Store who learns: the one that was named, else the one that a person at a terminal chooses.

    One that could not begin is not stored: `named` is refused before (`refuse_unfit_learner`), a choice is told so.
    """
    home = Home.find(os.environ)
    now = _present(home)
    chosen = named or (_asked() if asks and now == BUILT_IN and is_at_terminal() else now)
    if chosen == now:
        return
    store_setting(home.config, LEARNER_KEY, chosen)
    publish_routes(home, os.environ)
    say(f"learner  {chosen} learns from now on (vade config set {LEARNER_KEY} {BUILT_IN} takes that back)", err=True)


def _present(home: Home) -> str:
    return getattr(load_config(home.config, os.environ), find_setting(LEARNER_KEY).name)


def _asked() -> str:
    """The learner of the person's choice; the built-in one where that could not begin."""
    say("\nWho may learn from your sessions?", err=True)
    width = max(map(len, _COSTS))
    for names, costs in _COSTS.items():
        say(f"  {names:<{width}}  {costs}", err=True)
    try:
        chosen = click.prompt("Learner", type=click.Choice(LEARNERS), default=BUILT_IN, err=True)
    except click.Abort as abort:
        raise Unanswered(f"memory is plugged in, and {BUILT_IN} goes on learning") from abort
    try:
        refuse_unfit_learner(chosen)
    except UsageError as error:
        warn(f"{error}. Memory is plugged in, and {BUILT_IN} goes on learning")
        say(f"next: {flat(error.next_step)}\nthen: vade config set {LEARNER_KEY} {chosen}", err=True)
        return BUILT_IN
    return chosen
