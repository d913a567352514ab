"""`vade context`: the block that the next session gets."""

import click
import msgspec

from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import flat, say, say_json, warn
from vademecum.engine import FIRST_STEP, Memory
from vademecum.sessions import HOSTS

__all__ = ["command"]


@click.command("context")
@click.option("--host", type=click.Choice(HOSTS), help="Which agent it is for; all get the same text.")
@click.option("--cwd", metavar="DIR", help="For which working directory (default: this one).")
@click.option("--session", metavar="ID", help="With --host: what this session was given, byte for byte.")
@click.option("--rev", metavar="REV", help="From which revision of the memory (default: the newest).")
@identity_option
@json_option
def command(
    host: str | None,
    cwd: str | None,
    session: str | None,
    rev: str | None,
    identity: str | None,
    as_json: bool,
) -> None:
    """Print the block that a session in this directory gets. Same memory, same bytes.

    A session that is named together with its agent keeps what it was given until the agent compacts it.

    Where nothing was written yet, nothing is printed but a line on stderr, and that is no error.

    \b
    Example:
      vade context --cwd ~/src/demo
    """
    memory = Memory.open(identity, cwd=cwd, must_exist=True)
    if not memory.config.use_memories:
        _say_nothing("the setting memories.use_memories is off: agents get nothing", as_json=as_json)
        return
    # An agent runs this at the start of each session, also in a project that is new to memory.
    if memory.folder.is_blank and not memory.route.is_by_name and rev is None:
        _say_nothing(f"identity {memory.folder.name} has no memory yet. {FIRST_STEP}", as_json=as_json)
        return
    given = memory.given(host=host, session=session) if host and session and rev is None else None
    context = given or memory.context(cwd=cwd, revision=rev)
    if as_json:
        say_json(msgspec.to_builtins(context))
        return
    say(context.text)
    for warning in context.warnings:
        warn(warning)


def _say_nothing(why: str, *, as_json: bool) -> None:
    say(flat(why), err=True)
    if as_json:
        say_json({"revision": None, "text": "", "tokens": 0, "bytes": 0, "sections": [], "warnings": []})
