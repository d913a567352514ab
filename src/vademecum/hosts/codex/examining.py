"""What only Codex can tell: whether it trusts our hooks, and which of our tools it sees."""

import shlex
from collections.abc import Iterator

from vademecum.amounts import plural
from vademecum.errors import NotFound
from vademecum.findings import Finding, fine, note, problem, warning
from vademecum.hosts.codex.app_server import Answers, ask
from vademecum.hosts.codex.places import NAME, config_file, has_hooks, hooks_file
from vademecum.hosts.hook_groups import hooks_of
from vademecum.hosts.plain import table_of
from vademecum.hosts.protocol import Places
from vademecum.hosts.targets import read_text
from vademecum.hosts.toml_tables import read_tables

__all__ = ["examine"]

_SERVER = "vademecum"


def examine(places: Places) -> Iterator[Finding]:
    """Say how hooks and tools stand. Raises CannotEdit where a file of its settings cannot be read."""
    if not has_hooks(places):
        yield warning(
            NAME,
            f"{config_file(places)} switches hooks off, so sessions are pointed to the tools and get no memory block",
            "Take `hooks` out of `[features]`, then run `vade install codex`.",
        )
    program = places.program(NAME)
    if program is None:
        yield note(NAME, "`codex` is not on the PATH, so it cannot be asked whether it trusts the hooks")
        return
    servers = table_of(read_tables(read_text(config_file(places), places.user_home)).get("mcp_servers"))
    others = [name for name in servers if name != _SERVER]
    try:
        answers = ask(program, places.environ, str(places.user_home), others)
    except NotFound as error:
        yield note(NAME, f"Codex could not be asked: {error}", "Run `codex mcp list` to see what it says.")
        return
    yield from _trust(places, answers)
    yield _tools(answers)


def _trust(places: Places, answers: Answers) -> Iterator[Finding]:
    ours = hooks_of(read_text(hooks_file(places), places.user_home), NAME)
    standing = {event: answers.hooks.get(shlex.join(command.words), "") for event, command in ours.items()}
    if not standing:
        return
    if not any(standing.values()):
        yield problem(NAME, "Codex does not know the hooks of memory", "Run `vade install codex`.")
    elif waiting := sorted(event for event, trust in standing.items() if trust not in {"trusted", "managed"}):
        yield problem(
            NAME,
            f"Codex does not run the hooks {', '.join(waiting)}: you have not trusted them yet",
            "Start `codex` and trust them when it asks, or open `/hooks` in it.",
        )
    else:
        yield fine(NAME, "Codex trusts the hooks of memory")


def _tools(answers: Answers) -> Finding:
    tools = answers.tools.get(_SERVER, ())
    if tools:
        return fine(NAME, f"Codex sees {plural(len(tools), 'memory tool')}")
    return problem(NAME, "Codex sees none of the memory tools", "Run `vade install codex`, then `codex mcp list`.")
