"""What a client may ask for, by the name of the method."""

from collections.abc import Mapping
from typing import Any

from vademecum.mcp.asked import Asked, Method
from vademecum.mcp.extensions import EXTENSIONS
from vademecum.mcp.instructions import INSTRUCTIONS
from vademecum.mcp.tools import call, listing
from vademecum.mcp.versions import HANDSHAKE_VERSIONS, MODERN_VERSIONS, SERVER_INFO, Dialect

__all__ = ["QUICK", "SLOW", "greeting"]


def greeting(dialect: Dialect) -> dict[str, Any]:
    """The answer to `initialize`."""
    return {"protocolVersion": dialect.version, "serverInfo": SERVER_INFO, **_about_us()}


def _discover(asked: Asked) -> dict[str, Any]:
    versions = [*MODERN_VERSIONS, *HANDSHAKE_VERSIONS]
    return asked.dialect.dressed({"supportedVersions": versions, **_about_us()}, may_be_kept=True)


def _about_us() -> dict[str, Any]:
    extensions = {"vademecum": {"methods": list(EXTENSIONS)}}
    return {"capabilities": {"tools": {}, "experimental": extensions}, "instructions": INSTRUCTIONS}


def _ping(asked: Asked) -> dict[str, Any]:
    return asked.dialect.dressed({})


#: Answered at once, between two messages.
QUICK: Mapping[str, Method] = {"ping": _ping, "server/discover": _discover, "tools/list": listing}

#: Answered beside the reading of messages.
SLOW: Mapping[str, Method] = {"tools/call": call, **EXTENSIONS}
