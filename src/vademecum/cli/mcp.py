"""`vade mcp`: the tools of memory over the Model Context Protocol, for a host that starts this command."""

import os

import click

__all__ = ["command"]


@click.command("mcp", context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(options: tuple[str, ...]) -> None:
    """Serve the tools of memory over standard input and output, until the other side hangs up.

    Hosts start it; `vade install` writes the command into their settings. Any MCP client may do the same.
    Options: --host NAME, --identity NAME, --session-meta KEYS, --call-meta KEY, --everyday-meta KEY.

    \b
    Example:
      vade mcp --identity work
    """
    from vademecum.mcp import run

    run(options, os.environ)
