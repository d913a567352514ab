"""`vade sessions`: what memory knows of sessions."""

from collections.abc import Callable
from typing import Any

import click
import msgspec

from vademecum.cli.options import Commands, identity_option, json_option
from vademecum.cli.printing import clipped, flat, home_as_tilde, say, say_json
from vademecum.cli.words import AFTER_RESET, short_ids
from vademecum.engine import FIRST_STEP, Memory, SessionRow
from vademecum.sessions import Rendering, Session, render

__all__ = ["command"]

_SHOW_BYTES = 64 * 1024
_COLUMNS = 80
_SHORTEST_PATH = 12

verbose_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "-v", "--verbose", is_flag=True, help="Whole ids, times and paths, however wide."
)


all_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--all", "everything", is_flag=True, help="Also those that were never learned, or are kept out."
)


@click.group("sessions", cls=Commands, invoke_without_command=True)
@all_option
@verbose_option
@identity_option
@json_option
@click.pass_context
def command(context: click.Context, everything: bool, verbose: bool, identity: str | None, as_json: bool) -> None:
    """List the sessions that memory holds a record of, or show one.

    Each has the first words that were kept of what you said in it, and, where memory has nothing of it, the reason.
    With --all every session of your agents is read, which takes a while where there are thousands.

    \b
    Examples:
      vade sessions
      vade sessions --all
      vade sessions show 0199a000
    """
    context.obj = identity
    if context.invoked_subcommand is None:
        _list(identity, everything=everything, verbose=verbose, as_json=as_json)


@command.command("list")
@all_option
@verbose_option
@identity_option
@json_option
@click.pass_obj
def list_command(outer: str | None, everything: bool, verbose: bool, identity: str | None, as_json: bool) -> None:
    """List the sessions that memory holds a record of, newest first."""
    _list(identity or outer, everything=everything, verbose=verbose, as_json=as_json)


def _list(identity: str | None, *, everything: bool, verbose: bool, as_json: bool) -> None:
    memory = Memory.open(identity, must_exist=True)
    rows = memory.sessions(titled=True) + (memory.unlearned_sessions() if everything else [])
    if as_json:
        say_json({"sessions": msgspec.to_builtins(rows)})
        return
    short = short_ids(row.id for row in rows)
    for row in rows:
        say(_whole_line(row) if verbose else _line(row, short[row.id]))
        for told in filter(None, (row.title, row.kept_out and f"kept out: {row.kept_out}")):
            say(f"{'':<10}{flat(told) if verbose else clipped(flat(told), _COLUMNS - 10)}")
    if not rows:
        say(AFTER_RESET if memory.status().is_after_reset else f"Memory holds no sessions yet. {FIRST_STEP}")


def _line(row: SessionRow, short: str) -> str:
    """One row in 80 columns, unless its id needs more of them to be told from others."""
    state = (row.reason or row.state).replace("_", " ")
    head = f"{flat(short):<8}  {flat(row.host):<11}  {row.updated_at:%Y-%m-%d}  {state:<10}  "
    return head + clipped(home_as_tilde(flat(row.cwd)), max(_COLUMNS - len(head), _SHORTEST_PATH))


def _whole_line(row: SessionRow) -> str:
    state = row.state if not row.reason else f"{row.state}: {row.reason}"
    return f"{row.updated_at:%Y-%m-%d %H:%M}  {flat(row.host):<11}  {state:<10}  {flat(row.id)}  {flat(row.cwd)}"


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
@json_option
@click.pass_obj
def show_command(outer: str | None, session_id: str, budget: int, identity: str | None, as_json: bool) -> None:
    """Show a session as a learner reads it: masked, with numbered turns. A beginning of its ID will do."""
    session = Memory.open(identity or outer, must_exist=True).session(session_id)
    rendering = render(session, budget)
    if as_json:
        say_json(_shape(session, rendering))
        return
    say(rendering.text)


def _shape(session: Session, rendering: Rendering) -> dict[str, object]:
    """The object of `show --json`; `omitted` counts the rows left out, by role."""
    return {
        "id": session.id,
        "host": session.host,
        "cwd": session.cwd,
        "branch": session.branch,
        "started_at": session.started_at,
        "updated_at": session.updated_at,
        "text": rendering.text,
        "omitted": rendering.omitted,
    }
