"""Memory as plain entries: hooks in the settings, a server of the user, a skill and two commands in the user's folders.

For people whom their organisation forbids plugins, and for those who keep what agents read among their dotfiles.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from vademecum.hosts import jsonc, strict_json
from vademecum.hosts.claude_code import contents
from vademecum.hosts.claude_code.places import NAME, TITLE, settings_folder, user_file
from vademecum.hosts.hook_groups import hooks_of, put_hooks, take_hooks
from vademecum.hosts.owned_files import owned, owned_gone
from vademecum.hosts.plain import table_of
from vademecum.hosts.protocol import Command, FileEdit, Places, Wiring
from vademecum.hosts.targets import naming, read_text

__all__ = ["SERVER", "edits", "folders", "has_server", "removal", "switched_off", "switched_on", "wiring"]

#: The name of our server.
SERVER = "vademecum"

_PATH = ("mcpServers", SERVER)
_SKILL = "vademecum-memory"
#: Where each text lies below the folder of settings. A folder in `commands` begins the names of the commands in it, so
#: these are called as those of the plugin: `/vademecum:memory`, `/vademecum:remember`.
_TEXTS = {
    f"skills/{_SKILL}/SKILL.md": contents.SKILL,
    "commands/vademecum/memory.md": contents.MEMORY,
    "commands/vademecum/remember.md": contents.REMEMBER,
}


def edits(places: Places) -> tuple[FileEdit, ...]:
    """The server, and the texts."""
    entry = contents.server_entry(places)

    def served(text: str | None) -> str:
        strict_json.refuse_unread(text, TITLE)
        return jsonc.set_at(text or "", _PATH, entry)

    return (
        FileEdit(path=user_file(places), what="the server of the memory tools", change=served),
        *(owned(path, "how to use memory", _text(name)) for path, name in _texts(places).items()),
    )


def removal(places: Places) -> Iterator[FileEdit]:
    """What of it is there goes."""
    file = user_file(places)
    if strict_json.tells_of_us(file):
        yield FileEdit(path=file, what="the server of the memory tools goes", change=_unserved, takes_out=True)
    for path in _texts(places):
        if os.path.lexists(path):
            yield owned_gone(path, "how to use memory goes")


def switched_on(text: str | None, places: Places) -> str:
    """The settings with our hooks behind those of the person. Raises CannotEdit."""
    return put_hooks(text, NAME, contents.hook_groups(places))


def switched_off(text: str | None) -> str | None:
    """The settings without them. Raises CannotEdit."""
    return take_hooks(text, NAME)


def folders(places: Places) -> set[Path]:
    """The folders that are wholly ours."""
    return {path.parent for path in _texts(places)}


def has_server(places: Places) -> bool:
    """Whether our server stands among those of the user. Raises CannotEdit."""
    return _server(places) is not None


def wiring(places: Places, settings: str | None) -> Wiring:
    """What Claude Code finds in these settings and among the servers of the user. Raises CannotEdit."""
    return Wiring(server=_server(places), hooks=hooks_of(settings, NAME))


def _server(places: Places) -> Command | None:
    file = user_file(places)
    if not strict_json.tells_of_us(file):
        return None
    with naming(file):
        return _ours(read_text(file, places.user_home))


def _ours(text: str | None) -> Command | None:
    """Our server; one of the same name that a person wrote is none."""
    servers = table_of(table_of(strict_json.read(text)).get(_PATH[0]))
    return Command.of_our_server(servers.get(SERVER))


def _unserved(text: str | None) -> str | None:
    return jsonc.unset_at(text, _PATH, prune=True) if text and _ours(text) else text


def _text(name: str) -> str:
    return contents.text(name, tools=f"mcp__{SERVER}__", skill=_SKILL)


def _texts(places: Places) -> dict[Path, str]:
    return {settings_folder(places) / path: name for path, name in _TEXTS.items()}
