"""Prints the help of every command as markdown; `docs/cli.md` is made of it by cog."""

from collections.abc import Iterator

import click

from vademecum.cli import cli


def sections() -> Iterator[str]:
    """One section per command and sub-command."""
    context = click.Context(cli, info_name="vade", terminal_width=100, max_content_width=100)
    yield from _section(cli, context)


def _section(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## {context.command_path}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from _section(
                child, click.Context(child, info_name=name, parent=context, terminal_width=100, max_content_width=100)
            )


def reference() -> str:
    """The whole reference."""
    return "\n".join(sections())
