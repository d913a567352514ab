"""Which hosts can be read, and the module that reads each. Modules are imported when a reader is first asked for."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from vademecum.errors import UsageError
from vademecum.sessions.reader import Reader

__all__ = ["HOSTS", "calling_session", "reader_for"]

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


def calling_session(host: str, call: str, *, environ: Mapping[str, str], home: Path) -> str | None:
    """The session that makes a call of a tool just now, by the id of the call; None where its host has it nowhere."""
    if host != "claude-code":
        return None
    from vademecum.sessions.claude_code.calling import calling_session as calling

    return calling(call, environ=environ, home=home)
