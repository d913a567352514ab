"""`vade hook`: an event of a host, answered by the process that hosts start themselves."""

import os
import sys

import click

from vademecum import hook

__all__ = ["command"]


@click.command("hook")
@click.argument("host", type=click.Choice(tuple(hook.HOSTS)))
@click.argument("event", type=click.Choice(hook.EVENTS))
def command(host: str, event: str) -> None:
    """Answer an event of an agent: its JSON on stdin, the answer on stdout.

    An agent's settings name a faster command of the same effect; this one is for trying it.

    \b
    Example:
      echo '{"session_id": "try-1", "source": "startup"}' | vade hook HOST session-start
    """
    os.execv(sys.executable, [sys.executable, "-I", "-S", hook.__file__, host, event])  # noqa: S606  no shell
