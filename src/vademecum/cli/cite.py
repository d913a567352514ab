"""`vade cite`: an answer without its citation block, counted."""

from typing import BinaryIO

import click
import msgspec

from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import say_exactly, say_json
from vademecum.engine import Memory

__all__ = ["command"]


@click.command("cite")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--session", metavar="ID", help="The session that the answer was given in.")
@click.option("--message", metavar="ID", help="The answer's own id; it counts once, however often it is given.")
@identity_option
@json_option
def command(file: BinaryIO, session: str | None, message: str | None, identity: str | None, as_json: bool) -> None:
    """Print an answer (a file, or stdin) without the block in which the agent says what it used of memory.

    Everything else stays as it is, byte by byte. With --session and --message the citations are counted: what is used
    stays in memory, and is found first. An agent that learns for memory counts nothing.

    \b
    Example:
      vade cite --session 0199a000 --message m12 < answer.md
    """
    # What is no UTF-8 is handed on as it came: a filter that stops would lose the answer.
    answer = file.read().decode(errors="surrogateescape")
    cited = Memory.open(identity).cite(answer, session=session, message=message)
    if as_json:
        say_json(msgspec.to_builtins(msgspec.structs.replace(cited, text=_shown(cited.text))))
    else:
        say_exactly(cited.text)


def _shown(text: str) -> str:
    """JSON holds text only: bytes that are none are told by a sign."""
    return text.encode(errors="surrogateescape").decode(errors="replace")
