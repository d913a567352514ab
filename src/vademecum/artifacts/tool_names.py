"""The names of our own tools: their answers are memory already and are never learned again."""

import re

__all__ = ["OUR_TOOLS", "is_our_command", "is_our_tool"]

OUR_TOOLS = frozenset(
    {
        "memory",
        "memory_add_note",
        "memory_apply_patch",
        "memory_inspect",
        "memory_list",
        "memory_mode",
        "memory_read",
        "memory_reflect",
        "memory_reset",
        "memory_search",
        "memory_why",
        "session_search",
    }
)

_COMMAND = re.compile(r"^\s*(?:\S*/)?(?:vade(?:-hook)?|python3? -m vademecum)\s")


def is_our_tool(name: str) -> bool:
    """Whether a host's tool name means one of ours, also with the host's server prefix (`mcp__vademecum__memory`)."""
    own = name.rpartition("vademecum")[2].lstrip("_")
    return name in OUR_TOOLS or own in OUR_TOOLS or ("__" in name and name.rpartition("__")[2] in OUR_TOOLS)


def is_our_command(command: str) -> bool:
    """Whether a shell command runs our own program."""
    return _COMMAND.match(command) is not None
