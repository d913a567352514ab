"""Whose word a command is: the person's, or that of an agent that types into a shell of its own.

In the shell of an agent program, which says of itself in the environment that it is one, a command is the person's word
where they say so with `--yes`; without it an edit counts as an agent's, and what only a person may decide is refused.
What learns for us changes nothing, whoever says yes. None of this is a wall: see `docs/security.md`, "An agent's own
shell". That there is no terminal tells nothing: the person's own scripts have none.
"""

import os
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from vademecum.cli.printing import say
from vademecum.errors import RefusedError
from vademecum.learner_names import AGENT_VARIABLES, LEARNER_VARIABLE

if TYPE_CHECKING:
    from vademecum.engine import AskedBy

__all__ = ["own_word_option", "require_person", "tell_whose", "who_asks", "writes"]

own_word_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--yes", is_flag=True, help="This is your own word, though an agent runs the shell."
)


def writes(function: Callable[..., Any]) -> Callable[..., Any]:
    """A command that changes something, whoever gives it. Raises RefusedError where an agent that learns calls it."""

    @wraps(function)
    def guarded(*words: Any, **options: Any) -> Any:  # noqa: ANN401 (the arguments of any command)
        _refuse_learner()
        return function(*words, **options)

    return guarded


def require_person(*, yes: bool) -> None:
    """Raises RefusedError where it seems that no person gave the command."""
    _refuse_learner()
    if doubt := _doubt(yes=yes):
        path = click.get_current_context().command_path
        raise RefusedError(
            f"`{path}` is for the person to decide, and {doubt}",
            next_step="Ask the user to run it in a shell of their own, or to add --yes here.",
        )


def who_asks(*, yes: bool) -> "AskedBy":
    """Whose edit it is. Raises RefusedError for an agent that learns."""
    from vademecum.engine import AskedBy  # settings and routes are changed without the engine
    from vademecum.sessions import Origin

    _refuse_learner()
    return AskedBy(origin=Origin.MODEL if _doubt(yes=yes) else Origin.HUMAN)


def tell_whose(asked_by: "AskedBy") -> None:
    """Tell, beside the answer, that an edit was not taken for the person's."""
    if asked_by.origin != "human":
        say(f"taken for an agent's, because {_doubt(yes=False)}; with --yes it is the person's own", err=True)


def _refuse_learner() -> None:
    if os.environ.get(LEARNER_VARIABLE):
        raise RefusedError(
            f"an agent that learns for memory changes nothing ({LEARNER_VARIABLE} is set)",
            next_step="Write into the draft; what lands of it is decided afterwards.",
        )


def _doubt(*, yes: bool) -> str | None:
    """Why this may not be a person's word, or None."""
    if yes:
        return None
    named = next((name for name in AGENT_VARIABLES if os.environ.get(name)), None)
    return f"an agent runs this shell ({named} is set)" if named else None
