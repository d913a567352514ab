"""The extension that is written for Gemini CLI, and how it is taken away."""

from pathlib import Path
from typing import Any

from vademecum import __version__
from vademecum.hosts import jsonc
from vademecum.hosts.gemini.examining import examine
from vademecum.hosts.gemini.places import EXTENSION, NAME, extension_folder, settings_folder
from vademecum.hosts.hook_groups import hooks_of
from vademecum.hosts.owned_files import as_json, owned, owned_gone
from vademecum.hosts.plain import table_of
from vademecum.hosts.protocol import Command, FileEdit, Host, Places, Wiring
from vademecum.hosts.targets import read_text

__all__ = ["GEMINI"]

#: Its name of an event -> ours. `PreCompress` is left out: it comes before each request, whether anything is shortened
#: or not, and nothing tells afterwards.
_EVENTS = {
    "SessionStart": "session-start",
    "BeforeAgent": "prompt",
    "AfterAgent": "stop",
    "SessionEnd": "session-end",
}
#: It waits so long for a hook before it goes on without it; ours needs a tenth of a second.
_HOOK_MILLISECONDS = 10_000


def _manifest_path(places: Places) -> Path:
    return extension_folder(places) / "gemini-extension.json"


def _hooks_path(places: Places) -> Path:
    return extension_folder(places) / "hooks" / "hooks.json"


def _is_there(places: Places) -> bool:
    return settings_folder(places).is_dir() or places.program(NAME) is not None


def _installation(places: Places) -> tuple[FileEdit, ...]:
    return (
        owned(_hooks_path(places), "hooks that give the memory block to a session", as_json(_hooks(places))),
        # Last: a folder without its manifest is one that Gemini CLI complains of.
        owned(_manifest_path(places), "an extension with the memory tools", as_json(_manifest(places))),
    )


def _manifest(places: Places) -> dict[str, Any]:
    program, *arguments = places.mcp_command("--host", NAME)
    environ = places.server_environment()
    server = {"command": program, "args": arguments, **({"env": environ} if environ else {})}
    return {
        "name": EXTENSION,
        "version": __version__,
        "description": "One long-term memory for all of your coding agents",
        "mcpServers": {EXTENSION: server},
    }


def _hooks(places: Places) -> dict[str, Any]:
    return {
        "hooks": {
            event: [
                {
                    "hooks": [
                        {
                            "name": f"{EXTENSION}-{ours}",
                            "type": "command",
                            "command": places.hook_line(NAME, ours),
                            "timeout": _HOOK_MILLISECONDS,
                        }
                    ]
                }
            ]
            for event, ours in _EVENTS.items()
        }
    }


def _removal(places: Places) -> tuple[FileEdit, ...]:
    return (
        owned_gone(_manifest_path(places), "the extension of memory goes"),
        owned_gone(_hooks_path(places), "its hooks go"),
    )


def _own_folders(places: Places) -> tuple[Path, ...]:
    return (extension_folder(places), extension_folder(places) / "hooks")


def _wiring(places: Places) -> Wiring:
    manifest = table_of(jsonc.read(read_text(_manifest_path(places), places.user_home) or ""))
    return Wiring(
        server=Command.of_entry(table_of(manifest.get("mcpServers")).get(EXTENSION)),
        hooks=hooks_of(read_text(_hooks_path(places), places.user_home), NAME),
        block_event="prompt",
    )


GEMINI = Host(
    name=NAME,
    title="Gemini CLI",
    program=NAME,
    is_there=_is_there,
    installation=_installation,
    removal=_removal,
    own_folders=_own_folders,
    wiring=_wiring,
    next_steps=(
        "A running Gemini CLI has to be started anew: it loads extensions once.",
        "In a folder that you told Gemini CLI not to trust it loads neither the tools nor the hooks.",
    ),
    examine=examine,
)
