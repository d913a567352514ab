"""What the plugin is made of: four files that are rendered, and the texts beside this module."""

from pathlib import Path
from typing import Any

from vademecum import __version__
from vademecum.hosts.claude_code.places import MARKETPLACE, NAME, PLUGIN
from vademecum.hosts.protocol import Places

__all__ = ["HOOKS_FILE", "MANIFEST_FILE", "SERVER_FILE", "TEXTS", "hooks", "manifest", "marketplace", "server", "text"]

MANIFEST_FILE = ".claude-plugin/plugin.json"
HOOKS_FILE = "hooks/hooks.json"
SERVER_FILE = ".mcp.json"
#: What needs no rendering, by its path in the plugin.
TEXTS = ("skills/memory/SKILL.md", "commands/remember.md", "commands/memory.md")

_DESCRIPTION = "One long-term memory for all of your coding agents"
#: Claude Code's name of an event -> ours.
_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compact",
    "Stop": "stop",
    "SessionEnd": "session-end",
}
#: Claude Code waits so long for a hook before it goes on without it; ours needs a tenth of a second.
_HOOK_SECONDS = 10


def marketplace() -> dict[str, Any]:
    """The list of what the marketplace offers."""
    plugin = {"name": PLUGIN, "source": "./plugin", "description": _DESCRIPTION}
    return {"name": MARKETPLACE, "owner": {"name": "vademecum"}, "plugins": [plugin]}


def manifest() -> dict[str, Any]:
    """What the plugin says of itself."""
    return {"name": PLUGIN, "version": __version__, "description": _DESCRIPTION}


def server(places: Places) -> dict[str, Any]:
    """The server of the tools, and what it has to know of its host."""
    told = ("--host", NAME, "--call-meta", "claudecode/toolUseId", "--everyday-meta", "anthropic/alwaysLoad")
    program, *arguments = places.mcp_command(*told)
    entry = {"type": "stdio", "command": program, "args": arguments, "env": places.server_environment()}
    return {"mcpServers": {PLUGIN: {key: value for key, value in entry.items() if value}}}


def hooks(places: Places) -> dict[str, Any]:
    """The hooks, each a shell-quoted line: the form with separate words is younger than many installations."""
    return {
        "hooks": {
            event: [{"hooks": [{"type": "command", "command": places.hook_line(NAME, ours), "timeout": _HOOK_SECONDS}]}]
            for event, ours in _EVENTS.items()
        }
    }


def text(path: str) -> str:
    """One of the texts."""
    return (Path(__file__).parent / "plugin" / path).read_text(encoding="utf-8")
