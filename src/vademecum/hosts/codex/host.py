"""What is written into Codex's files, and how it is taken out."""

from typing import Any

from vademecum.errors import CannotEdit
from vademecum.hosts import strict_json
from vademecum.hosts.codex.examining import examine
from vademecum.hosts.codex.places import EVENTS, NAME, config_file, guide_file, has_hooks, hooks_file
from vademecum.hosts.hook_groups import hooks_of, put_hooks, take_hooks
from vademecum.hosts.plain import table_of
from vademecum.hosts.protocol import Command, FileEdit, Host, Places, Wiring
from vademecum.hosts.targets import read_text
from vademecum.hosts.text_blocks import put_block, take_block
from vademecum.hosts.toml_tables import put_table, read_tables, take_table
from vademecum.learner_names import LEARNER_VARIABLE

__all__ = ["CODEX"]

_TITLE = "Codex CLI"
#: What may stand at the top of its file of hooks.
_KNOWN_KEYS = {"hooks", "description"}
_SERVER = ("mcp_servers", "vademecum")
_MARK = "# vademecum: written by `vade install codex`, taken out by `vade uninstall codex`"
#: Codex waits so long for a hook before it goes on without it; ours needs a tenth of a second.
_HOOK_SECONDS = 10
#: What a hook says is cut in its middle at about 2,500 tokens, which is less than the memory block, unless it says so.
_MOST_TOKENS = 50_000
_GUIDE = """\
## Memory

You have a long-term memory of this user and of their projects, kept by the tools of the server `vademecum`.
Before you begin with a task, call `memory_read` for `memory_summary.md`, and `memory_search` with words of the task.
When the user asks you to remember something, call `memory_add_note` with their words.
"""


def _is_there(places: Places) -> bool:
    folder = config_file(places).parent
    return folder.is_dir() or places.program(NAME) is not None


def _installation(places: Places) -> tuple[FileEdit, ...]:
    server = _server(places)
    tools = FileEdit(
        path=config_file(places),
        what="the server of the memory tools",
        change=lambda text: put_table(text, _SERVER, server, _MARK),
    )
    groups = {event: {"hooks": [_hook(places, ours)]} for event, ours in EVENTS.items()}
    hooks = FileEdit(
        path=hooks_file(places),
        what="hooks that give the memory block to a session and note which sessions there are",
        change=lambda text: put_hooks(_readable(text), NAME, groups),
    )
    if has_hooks(places):
        return (tools, hooks, _guide_gone(places))
    guide = FileEdit(
        path=guide_file(places),
        what="a pointer to the memory tools, because hooks are switched off in config.toml",
        change=lambda text: put_block(text, _GUIDE),
    )
    return (tools, _hooks_gone(places), guide)


def _server(places: Places) -> dict[str, Any]:
    session = ("--session-meta", "x-codex-turn-metadata.session_id")
    program, *arguments = places.mcp_command("--host", NAME, *session)
    return {
        "command": program,
        "args": arguments,
        "env": places.server_environment() or None,
        # Codex hands on no other variables; by this one a server knows that it serves a learner.
        "env_vars": [LEARNER_VARIABLE],
    }


def _hook(places: Places, event: str) -> dict[str, Any]:
    limit = {"additionalContextLimit": _MOST_TOKENS} if event == EVENTS["SessionStart"] else {}
    return {"type": "command", "command": places.hook_line(NAME, event), "timeout": _HOOK_SECONDS, **limit}


def _readable(text: str | None) -> str | None:
    """The hooks file as it is. Raises CannotEdit for one of which Codex 0.171 runs no hook, ours beside it included."""
    strict_json.refuse_unread(text, _TITLE)
    if unknown := table_of(strict_json.read(text)).keys() - _KNOWN_KEYS:
        raise CannotEdit(
            f"which holds {min(unknown)!r} beside `hooks`: {_TITLE} runs no hook of such a file",
            next_step="Take it out, then run the same command again.",
        )
    return text


def _removal(places: Places) -> tuple[FileEdit, ...]:
    tools = FileEdit(
        path=config_file(places),
        what="the server of the memory tools goes",
        change=lambda text: take_table(text, _SERVER, _MARK) if _our_server(text) else text,
    )
    return (tools, _hooks_gone(places), _guide_gone(places))


def _our_server(text: str | None) -> Command | None:
    return Command.of_our_server(table_of(read_tables(text).get(_SERVER[0])).get(_SERVER[1]))


def _hooks_gone(places: Places) -> FileEdit:
    return FileEdit(
        path=hooks_file(places),
        what="the hooks of memory go",
        change=lambda text: take_hooks(text, NAME),
        takes_out=True,
    )


def _guide_gone(places: Places) -> FileEdit:
    return FileEdit(
        path=guide_file(places), what="the pointer to the memory tools goes", change=take_block, takes_out=True
    )


def _wiring(places: Places) -> Wiring:
    return Wiring(
        server=_our_server(read_text(config_file(places), places.user_home)),
        hooks=hooks_of(read_text(hooks_file(places), places.user_home), NAME),
    )


CODEX = Host(
    name=NAME,
    title=_TITLE,
    program=NAME,
    is_there=_is_there,
    installation=_installation,
    removal=_removal,
    wiring=_wiring,
    next_steps=(
        "Codex runs hooks only after you have trusted them: start `codex` once and trust the new ones when it asks.",
    ),
    examine=examine,
)
