"""The plugin that is written for Claude Code, its entry in the settings, and how both are taken away."""

import json
from pathlib import Path

from vademecum.errors import CannotEdit
from vademecum.hosts import jsonc
from vademecum.hosts.claude_code import plugin_files
from vademecum.hosts.claude_code.examining import examine
from vademecum.hosts.claude_code.places import (
    MARKETPLACE,
    NAME,
    PLUGIN,
    PLUGIN_ID,
    PROGRAM,
    marketplace_folder,
    plugin_folder,
    settings_folder,
)
from vademecum.hosts.hook_groups import hooks_of
from vademecum.hosts.owned_files import as_json, owned, owned_gone
from vademecum.hosts.plain import table_of
from vademecum.hosts.protocol import Command, FileEdit, Host, Places, Wiring
from vademecum.hosts.targets import read_text

__all__ = ["CLAUDE_CODE"]

_KNOWN = ("extraKnownMarketplaces", MARKETPLACE)
_ENABLED = ("enabledPlugins", PLUGIN_ID)
#: Claude Code's own notes of what it took in; entries of a plugin that is gone would be complained of.
_NOTES = {
    "known_marketplaces.json": (MARKETPLACE,),
    "installed_plugins.json": ("plugins", PLUGIN_ID),
}


def _is_there(places: Places) -> bool:
    return settings_folder(places).is_dir() or places.program(PROGRAM) is not None


def _files(places: Places) -> dict[Path, tuple[str, str]]:
    """Every file that is wholly ours: what it is, and its content."""
    plugin = plugin_folder(places)
    return {
        marketplace_folder(places) / ".claude-plugin" / "marketplace.json": (
            "a marketplace that offers our plugin only",
            as_json(plugin_files.marketplace()),
        ),
        plugin / plugin_files.MANIFEST_FILE: ("the plugin", as_json(plugin_files.manifest())),
        plugin / plugin_files.SERVER_FILE: ("the server of the memory tools", as_json(plugin_files.server(places))),
        plugin / plugin_files.HOOKS_FILE: (
            "hooks that give the memory block to a session and note which sessions there are",
            as_json(plugin_files.hooks(places)),
        ),
        **{plugin / path: ("how to use memory", plugin_files.text(path)) for path in plugin_files.TEXTS},
    }


def _installation(places: Places) -> tuple[FileEdit, ...]:
    source = {"source": {"source": "directory", "path": str(marketplace_folder(places))}}

    def named(text: str | None) -> str:
        _refuse_unread(text or "")
        return jsonc.set_at(jsonc.set_at(text or "", _KNOWN, source), _ENABLED, value=True)

    # The settings last: they name what lies there by then.
    return (
        *(owned(path, what, content) for path, (what, content) in _files(places).items()),
        FileEdit(path=settings_folder(places) / "settings.json", what="the plugin is switched on", change=named),
    )


def _refuse_unread(text: str) -> None:
    """Claude Code drops the whole file over a comment, and so would not load what we write into it."""
    try:
        json.loads(text or "{}")
    except ValueError:
        jsonc.read(text)  # where it is worse than that, this says so
        raise CannotEdit(
            "which holds a comment or a comma too many: Claude Code reads nothing of such a file",
            next_step="Take the comments and the comma before a closing bracket out of it, then run the same command "
            "again.",
        ) from None


def _removal(places: Places) -> tuple[FileEdit, ...]:
    folder = settings_folder(places)

    def unnamed(text: str | None) -> str | None:
        return text and jsonc.unset_at(jsonc.unset_at(text, _ENABLED, prune=True), _KNOWN, prune=True)

    return (
        FileEdit(path=folder / "settings.json", what="the plugin of memory goes", change=unnamed),
        *(_forgotten(folder / "plugins" / name, keys) for name, keys in _NOTES.items()),
        *(owned_gone(path, f"{what} goes") for path, (what, _) in _files(places).items()),
    )


def _forgotten(path: Path, keys: tuple[str, ...]) -> FileEdit:
    return FileEdit(
        path=path,
        what="what Claude Code noted of the plugin goes",
        change=lambda text: text and jsonc.unset_at(text, keys),
    )


def _own_folders(places: Places) -> tuple[Path, ...]:
    top = marketplace_folder(places)
    return tuple({folder for path in _files(places) for folder in path.parents if folder.is_relative_to(top)})


def _wiring(places: Places) -> Wiring:
    settings = jsonc.read(read_text(settings_folder(places) / "settings.json", places.user_home) or "")
    if table_of(table_of(settings).get(_ENABLED[0])).get(PLUGIN_ID) is not True:
        return Wiring()
    plugin = plugin_folder(places)
    servers = table_of(jsonc.read(read_text(plugin / plugin_files.SERVER_FILE, places.user_home) or ""))
    return Wiring(
        server=Command.of_entry(table_of(servers.get("mcpServers")).get(PLUGIN)),
        hooks=hooks_of(read_text(plugin / plugin_files.HOOKS_FILE, places.user_home), NAME),
    )


CLAUDE_CODE = Host(
    name=NAME,
    title="Claude Code",
    program=PROGRAM,
    is_there=_is_there,
    installation=_installation,
    removal=_removal,
    own_folders=_own_folders,
    wiring=_wiring,
    next_steps=(
        "Sessions that run already do not have it: begin a new one.",
        "`/vademecum:memory` shows what is remembered, `/vademecum:remember WORDS` adds to it.",
    ),
    examine=examine,
)
