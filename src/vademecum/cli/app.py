"""The group of commands; a command's module is imported when the command is called or its help is shown."""

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from vademecum import __version__
from vademecum.cli.boundary import ReaderGone, error_boundary
from vademecum.cli.options import Commands
from vademecum.errors import UsageError

__all__ = [
    "COMMANDS",
    "cli",
]

#: Each is a module below `vademecum.cli`, in the order in which a newcomer meets them.
COMMANDS = (
    "init",
    "learn",
    "context",
    "search",
    "read",
    "ls",
    "log",
    "show",
    "diff",
    "blame",
    "why",
    "note",
    "memory",
    "patch",
    "adopt",
    "undo",
    "proposals",
    "forget",
    "reset",
    "sessions",
    "mode",
    "cite",
    "status",
    "doctor",
    "mcp",
    "runs",
    "usage",
    "install",
    "uninstall",
    "home",
    "config",
    "hook",
)


#: How Python stands in for bytes of an argument that are not UTF-8.
_FOREIGN = re.compile("[\ud800-\udfff]")


class _Commands(Commands):
    # The parameters and types of these are click's.
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  as above
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as above
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"vademecum.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  as above
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGone from error  # click would end with exit 1 for it

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **_: Any) -> Any:  # noqa: ANN401  # pyright: ignore[reportIncompatibleMethodOverride]
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        if words[0] == "help":  # as other programs have it
            words = [*words[1:], "--help"]
        with error_boundary(as_json="--json" in words):
            _refuse_foreign_bytes(words)
            # Outside of its standalone mode click gives back the code that a command asked for, and goes on.
            if code := super().main(words, prog_name or "vade", standalone_mode=False):
                raise click.exceptions.Exit(code)


def _refuse_foreign_bytes(words: Sequence[str]) -> None:
    """Refuse what memory could not store; a folder may have any name."""
    for word in words:
        if _FOREIGN.search(word) and not os.path.lexists(word.partition("=")[2] or word):
            raise UsageError(f"{word!r} is not UTF-8", next_step="Give the same text in UTF-8.")


@click.command(
    "vade", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="vade", message="%(prog)s %(version)s")
def cli() -> None:
    """One long-term memory for all of your coding agents.

    \b
    vade learn      learn from the finished sessions of every agent on this machine
    vade context    show the block that the next session gets
    vade search     find anything that was learned or said
    """
