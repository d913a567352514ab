"""`vade sessions`: what memory knows of sessions."""

import click
import msgspec

from vademecum.cli.options import echo_json, identity_option, json_option
from vademecum.engine import Memory
from vademecum.sessions import render

__all__ = ["command"]

_SHOW_BYTES = 64 * 1024


@click.group("sessions", invoke_without_command=True)
@identity_option
@json_option
@click.pass_context
def command(context: click.Context, identity: str | None, as_json: bool) -> None:
    """List the sessions that memory holds a record of, or show one.

    \b
    Examples:
      vade sessions
      vade sessions show 0199a000-0000-7000-8000-000000000001
    """
    context.obj = identity
    if context.invoked_subcommand is None:
        _list(identity, as_json=as_json)


@command.command("list")
@identity_option
@json_option
@click.pass_obj
def list_command(outer: str | None, identity: str | None, as_json: bool) -> None:
    """List the sessions that memory holds a record of, newest first."""
    _list(identity or outer, as_json=as_json)


def _list(identity: str | None, *, as_json: bool) -> None:
    rows = Memory.open(identity, must_exist=True).sessions()
    if as_json:
        echo_json({"sessions": msgspec.to_builtins(rows)})
        return
    for row in rows:
        state = row.state if not row.reason else f"{row.state}: {row.reason}"
        click.echo(f"{row.updated_at:%Y-%m-%d %H:%M}  {row.host:<12} {state:<10} {row.id}  {row.cwd}")
    if not rows:
        click.echo("Memory holds no sessions yet. Next: vade learn")


@command.command("show")
@click.argument("session_id", metavar="ID")
@click.option(
    "--bytes",
    "budget",
    type=click.IntRange(min=1_000),
    default=_SHOW_BYTES,
    show_default=True,
    metavar="N",
    help="At most so many bytes.",
)
@identity_option
@click.pass_obj
def show_command(outer: str | None, session_id: str, budget: int, identity: str | None) -> None:
    """Show a session as a learner reads it: masked, with numbered turns."""
    session = Memory.open(identity or outer, must_exist=True).session(session_id)
    click.echo(render(session, budget).text)
