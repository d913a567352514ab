"""What Claude Code is given, in whichever form: the hooks, the server of the tools, a skill and two commands."""

from pathlib import Path
from typing import Any

from vademecum.hosts.claude_code.places import NAME
from vademecum.hosts.protocol import Places

__all__ = ["MEMORY", "REMEMBER", "SKILL", "TEXTS", "hook_groups", "server_entry", "text"]

#: The texts beside this module: how to use memory, and the two commands.
TEXTS = SKILL, MEMORY, REMEMBER = ("skill.md", "memory.md", "remember.md")
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


def server_entry(places: Places) -> dict[str, Any]:
    """The server of the tools, and what it has to know of its host."""
    told = ("--host", NAME, "--call-meta", "claudecode/toolUseId", "--everyday-meta", "anthropic/alwaysLoad")
    program, *arguments = places.mcp_command(*told)
    entry = {"type": "stdio", "command": program, "args": arguments, "env": places.server_environment()}
    return {key: value for key, value in entry.items() if value}


def hook_groups(places: Places) -> dict[str, dict[str, Any]]:
    """One group for each event, its command a shell-quoted line: separate words are younger than many installations."""
    return {
        event: {"hooks": [{"type": "command", "command": places.hook_line(NAME, ours), "timeout": _HOOK_SECONDS}]}
        for event, ours in _EVENTS.items()
    }


def text(name: str, *, tools: str, skill: str) -> str:
    """One of the texts. `tools`: what begins the full name of each tool. `skill`: the name of the skill."""
    text = (Path(__file__).parent / "texts" / name).read_text(encoding="utf-8")
    return text.replace("{tools}", tools).replace("{skill}", skill)
