"""Which hosts can be read, and the module that reads each. Modules are imported when a reader is first asked for."""

from functools import cache
from importlib import import_module
from typing import cast

from vademecum.errors import UsageError
from vademecum.sessions.reader import Reader

__all__ = ["HOSTS", "reader_for"]

_MODULES = {
    "claude-code": "vademecum.sessions.claude_code",
    "codex": "vademecum.sessions.codex",
    "opencode": "vademecum.sessions.opencode",
    "pi": "vademecum.sessions.pi",
    "gemini": "vademecum.sessions.gemini",
}

#: Every host whose sessions can be read, in the order in which they are looked for.
HOSTS: tuple[str, ...] = tuple(_MODULES)


@cache
def reader_for(host: str) -> Reader:
    """The reader of this host's sessions. Raises UsageError where there is none."""
    if host not in _MODULES:
        raise UsageError(f"no reader for the host {host!r}", next_step=f"Use one of: {', '.join(HOSTS)}.")
    return cast("Reader", cast("object", import_module(_MODULES[host])))
