"""Options that many commands share, and a group that knows what was meant."""

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from vademecum.cli.interrupts import Unanswered
from vademecum.errors import UsageError
from vademecum.guesses import did_you_mean
from vademecum.home import Home
from vademecum.routes import require_identity

__all__ = [
    "Commands",
    "confirmed",
    "identity_option",
    "is_at_terminal",
    "json_option",
    "new_identity_option",
    "yes_option",
]


def _known(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """The name as it was given, once it is sure that there is such an identity."""
    require_identity(name, Home.find(os.environ), os.environ)
    return name


_WHOSE = "Whose memory (default: $VADEMECUM_IDENTITY, else that of this folder)."
identity_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--identity", metavar="NAME", callback=_known, help=_WHOSE
)
#: Of the commands that make an identity, or tell where it would lie.
new_identity_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--identity", metavar="NAME", help=_WHOSE
)
json_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)

yes_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--yes", is_flag=True, help="Do not ask before."
)


def is_at_terminal() -> bool:
    """Whether a person is there who can be asked."""
    return sys.stdin.isatty()


def confirmed(question: str, *, yes: bool, intact: str = "nothing was changed") -> bool:
    """Whether a person agrees; raises UsageError where there is nobody to ask and `--yes` was not given.

    `intact`: how things stand for one who goes away from the question.
    """
    if yes:
        return True
    if not is_at_terminal():
        raise UsageError("this needs a person's yes, and nobody is there to ask", next_step="Add --yes.")
    try:
        return click.confirm(question, err=True)
    except click.Abort as abort:
        raise Unanswered(intact) from abort


class Commands(click.Group):
    """A group of commands that answers a mistyped one with those that it may have meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; raises UsageError for a command that is not there."""
        name, known = args[0], self.list_commands(ctx)
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            raise UsageError(
                f"`{ctx.command_path}` has no command {name!r}{did_you_mean(name, known)}",
                next_step=f"Run `{ctx.command_path} --help`; its commands are {', '.join(known)}.",
            )
        return super().resolve_command(ctx, args)
