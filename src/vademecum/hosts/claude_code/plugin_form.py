"""Memory as a plugin: a marketplace that is a folder of ours, and two entries in the settings that switch it on."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vademecum import __version__
from vademecum.hosts import jsonc, strict_json
from vademecum.hosts.claude_code import contents
from vademecum.hosts.claude_code.places import (
    MARKETPLACE,
    NAME,
    PLUGIN,
    PLUGIN_ID,
    marketplace_folder,
    plugin_folder,
    settings_folder,
)
from vademecum.hosts.hook_groups import hooks_of
from vademecum.hosts.owned_files import as_json, owned, owned_gone
from vademecum.hosts.plain import table_of
from vademecum.hosts.protocol import Command, FileEdit, Places, Wiring
from vademecum.hosts.targets import read_text

__all__ = ["ENABLED", "KNOWN", "SERVER", "edits", "folders", "removal", "switched_off", "switched_on", "wiring"]

KNOWN = ("extraKnownMarketplaces", MARKETPLACE)
ENABLED = ("enabledPlugins", PLUGIN_ID)
#: As Claude Code calls a server of a plugin.
SERVER = f"plugin:{PLUGIN}:{PLUGIN}"

_DESCRIPTION = "One long-term memory for all of your coding agents"
_SERVER_FILE = ".mcp.json"
_HOOKS_FILE = "hooks/hooks.json"
#: Not that of a command: Claude Code offers a model only one of two that are called the same.
_SKILL = "long-term-memory"
#: Where each text lies in the plugin.
_TEXTS = {
    f"skills/{_SKILL}/SKILL.md": contents.SKILL,
    "commands/memory.md": contents.MEMORY,
    "commands/remember.md": contents.REMEMBER,
}
#: Claude Code's own notes of what it took in; entries of a plugin that is gone would be complained of.
_NOTES = {
    "known_marketplaces.json": (MARKETPLACE,),
    "installed_plugins.json": ("plugins", PLUGIN_ID),
}


def edits(places: Places) -> tuple[FileEdit, ...]:
    """Every file of the plugin."""
    return tuple(owned(path, what, content) for path, (what, content) in _files(places).items())


def removal(places: Places) -> Iterator[FileEdit]:
    """What of the plugin is there goes, and what Claude Code noted of it."""
    for name, keys in _NOTES.items():
        notes = settings_folder(places) / "plugins" / name
        if strict_json.tells_of_us(notes):
            yield _forgotten(notes, keys)
    for path, (what, _) in _files(places).items():
        if os.path.lexists(path):
            yield owned_gone(path, f"{what} goes")


def switched_on(text: str | None, places: Places) -> str:
    """The settings with the plugin named in them. Raises CannotEdit."""
    source = {"source": {"source": "directory", "path": str(marketplace_folder(places))}}
    return jsonc.set_at(jsonc.set_at(text or "", KNOWN, source), ENABLED, value=True)


def switched_off(text: str | None) -> str | None:
    """The settings without it. Raises CannotEdit."""
    return text and jsonc.unset_at(jsonc.unset_at(text, ENABLED, prune=True), KNOWN, prune=True)


def folders(places: Places) -> set[Path]:
    """The folders that are wholly ours."""
    top = marketplace_folder(places)
    return {folder for path in _files(places) for folder in path.parents if folder.is_relative_to(top)}


def wiring(places: Places, settings: object) -> Wiring:
    """What Claude Code finds in the plugin; nothing where these settings do not switch it on."""
    if table_of(table_of(settings).get(ENABLED[0])).get(PLUGIN_ID) is not True:
        return Wiring()
    folder = plugin_folder(places)
    servers = table_of(jsonc.read(read_text(folder / _SERVER_FILE, places.user_home) or ""))
    return Wiring(
        server=Command.of_entry(table_of(servers.get("mcpServers")).get(PLUGIN)),
        hooks=hooks_of(read_text(folder / _HOOKS_FILE, places.user_home), NAME),
    )


def _files(places: Places) -> dict[Path, tuple[str, str]]:
    """Every file that is wholly ours: what it is, and its content."""
    plugin = plugin_folder(places)
    hooks = {"hooks": {event: [group] for event, group in contents.hook_groups(places).items()}}
    return {
        marketplace_folder(places) / ".claude-plugin" / "marketplace.json": (
            "a marketplace that offers our plugin only",
            as_json(_marketplace()),
        ),
        plugin / ".claude-plugin/plugin.json": ("the plugin", as_json(_manifest())),
        plugin / _SERVER_FILE: (
            "the server of the memory tools",
            as_json({"mcpServers": {PLUGIN: contents.server_entry(places)}}),
        ),
        plugin / _HOOKS_FILE: (
            "hooks that give the memory block to a session and note which sessions there are",
            as_json(hooks),
        ),
        **{plugin / path: ("how to use memory", _text(name)) for path, name in _TEXTS.items()},
    }


def _text(name: str) -> str:
    return contents.text(name, tools=f"mcp__plugin_{PLUGIN}_{PLUGIN}__", skill=_SKILL)


def _marketplace() -> dict[str, Any]:
    plugin = {"name": PLUGIN, "source": "./plugin", "description": _DESCRIPTION}
    return {"name": MARKETPLACE, "owner": {"name": "vademecum"}, "plugins": [plugin]}


def _manifest() -> dict[str, Any]:
    return {"name": PLUGIN, "version": __version__, "description": _DESCRIPTION}


def _forgotten(path: Path, keys: tuple[str, ...]) -> FileEdit:
    return FileEdit(
        path=path,
        what="what Claude Code noted of the plugin goes",
        change=lambda text: text and jsonc.unset_at(text, keys),
        takes_out=True,
    )
