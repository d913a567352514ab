"""Who may learn, and so spend: asked once when memory is plugged in, and never answered for the person."""

import os

import click

from vademecum.cli.options import is_at_terminal
from vademecum.cli.printing import say
from vademecum.config import find_setting, load_config, store_setting
from vademecum.home import Home
from vademecum.learner_names import BUILT_IN, LEARNERS
from vademecum.routes import publish_routes

__all__ = ["choose_learner"]

_KEY = "memories.learner"


def choose_learner(named: str | None, *, asks: bool) -> None:
    """Store who learns: the one that was named, else the one that a person at a terminal chooses."""
    home = Home.find(os.environ)
    now = getattr(load_config(home.config, os.environ), find_setting(_KEY).name)
    chosen = named or (_asked() if asks and now == BUILT_IN and is_at_terminal() else now)
    if chosen == now:
        return
    store_setting(home.config, _KEY, chosen)
    publish_routes(home, os.environ)
    say(f"learner  {chosen} learns from now on (vade config set {_KEY} {BUILT_IN} takes that back)", err=True)


def _asked() -> str:
    say(
        f"\nWho may learn from your sessions? {BUILT_IN} is built in and costs nothing; "
        "every other one spends what you pay for: an account at a model's maker, or the plan of an agent.",
        err=True,
    )
    return click.prompt("Learner", type=click.Choice(LEARNERS), default=BUILT_IN, err=True)
