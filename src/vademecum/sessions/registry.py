"""Which hosts can be read, and the module that reads each. Modules are imported when a reader is first asked for."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from vademecum.errors import UsageError
from vademecum.sessions.model import SessionRef
from vademecum.sessions.reader import Reader

__all__ = ["HOSTS", "calling_session", "listed_at", "reader_for", "server_holds"]

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


def listed_at(address: str, skipped: Counter[str]) -> list[SessionRef]:
    """The sessions that the server of a host lists. Raises UsageError, SessionUnreadable."""
    from vademecum.sessions.opencode.api import discover

    return discover(address, skipped)


def server_holds(address: str, session: str = "") -> bool:
    """Whether the server of a host answers there, now; and has this session, where one is named."""
    from vademecum.sessions.opencode import api

    return api.holds(address, session)
