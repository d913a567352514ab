"""What is written into Codex's files, and how it is taken out."""

import shutil
from pathlib import Path
from typing import Any

from vademecum.hosts.hook_groups import hooks_of, put_hooks, take_hooks
from vademecum.hosts.plain import table_of, text_of, words_of
from vademecum.hosts.protocol import Command, FileEdit, Host, Places, Wiring
from vademecum.hosts.targets import read_text
from vademecum.hosts.toml_tables import put_table, read_tables, take_table

__all__ = ["CODEX"]

_NAME = "codex"
_SERVER = ("mcp_servers", "vademecum")
_MARK = "# vademecum: written by `vade install codex`, taken out by `vade uninstall codex`"
#: Codex's name of an event -> ours.
_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compact",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
#: Codex waits so long for a hook before it goes on without it; ours needs a tenth of a second.
_HOOK_SECONDS = 10


def _folder(places: Places) -> Path:
    return places.folder("CODEX_HOME", ".codex")


def _is_there(places: Places) -> bool:
    return _folder(places).is_dir() or shutil.which(_NAME, path=places.environ.get("PATH", "")) is not None


def _installation(places: Places) -> tuple[FileEdit, ...]:
    folder = _folder(places)
    server = _server(places)
    groups = {
        event: {"hooks": [{"type": "command", "command": places.hook_line(_NAME, ours), "timeout": _HOOK_SECONDS}]}
        for event, ours in _EVENTS.items()
    }
    return (
        FileEdit(
            path=folder / "config.toml",
            what="the server of the memory tools",
            change=lambda text: put_table(text, _SERVER, server, _MARK),
        ),
        FileEdit(
            path=folder / "hooks.json",
            what="hooks that give the memory block to a session and note which sessions there are",
            change=lambda text: put_hooks(text, _NAME, groups),
        ),
    )


def _server(places: Places) -> dict[str, Any]:
    program, *arguments = places.mcp_command("--host", _NAME)
    return {"command": program, "args": arguments, "env": places.server_environment() or None}


def _removal(places: Places) -> tuple[FileEdit, ...]:
    folder = _folder(places)
    return (
        FileEdit(
            path=folder / "config.toml",
            what="the server of the memory tools goes",
            change=lambda text: take_table(text, _SERVER, _MARK),
        ),
        FileEdit(
            path=folder / "hooks.json", what="the hooks of memory go", change=lambda text: take_hooks(text, _NAME)
        ),
    )


def _wiring(places: Places) -> Wiring:
    folder = _folder(places)
    servers = table_of(read_tables(read_text(folder / "config.toml", places.user_home)).get(_SERVER[0]))
    return Wiring(
        server=_command(table_of(servers.get(_SERVER[1]))),
        hooks=hooks_of(read_text(folder / "hooks.json", places.user_home), _NAME),
    )


def _command(entry: dict[str, Any]) -> Command | None:
    words = (text_of(entry.get("command")), *words_of(entry.get("args")))
    return Command(words=words, environ=table_of(entry.get("env"))) if words[0] else None


CODEX = Host(
    name=_NAME,
    title="Codex CLI",
    program="codex",
    is_there=_is_there,
    installation=_installation,
    removal=_removal,
    wiring=_wiring,
    next_steps=(
        "Codex runs hooks only after you have trusted them: start `codex` once and choose to trust the new ones.",
    ),
)
