"""What a client may ask for, by the name of the method."""

from collections.abc import Mapping
from typing import Any

from vademecum.mcp.asked import Asked, Method
from vademecum.mcp.extensions import EXTENSIONS
from vademecum.mcp.instructions import instructions
from vademecum.mcp.tools import call, listing
from vademecum.mcp.versions import HANDSHAKE_VERSIONS, MODERN_VERSIONS, SERVER_INFO, Dialect
from vademecum.toolbox import Access, tools_for

__all__ = ["QUICK", "SLOW", "greeting"]


def greeting(dialect: Dialect, environ: Mapping[str, str]) -> dict[str, Any]:
    """The answer to `initialize`."""
    return {"protocolVersion": dialect.version, "serverInfo": SERVER_INFO, **_about_us(environ)}


def _discover(asked: Asked) -> dict[str, Any]:
    versions = [*MODERN_VERSIONS, *HANDSHAKE_VERSIONS]
    about_us = _about_us(asked.environ)
    return asked.dialect.dressed({"supportedVersions": versions, **about_us}, may_be_kept=True)


def _about_us(environ: Mapping[str, str]) -> dict[str, Any]:
    extensions = {"vademecum": {"methods": list(EXTENSIONS)}}
    may_write = any(tool.access is not Access.READ for tool in tools_for(environ))
    told = instructions(may_write=may_write)
    return {"capabilities": {"tools": {}, "experimental": extensions}, "instructions": told}


def _ping(asked: Asked) -> dict[str, Any]:
    return asked.dialect.dressed({})


#: Answered at once, between two messages.
QUICK: Mapping[str, Method] = {"ping": _ping, "server/discover": _discover, "tools/list": listing}

#: Answered beside the reading of messages.
SLOW: Mapping[str, Method] = {"tools/call": call, **EXTENSIONS}
