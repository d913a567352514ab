"""Versions of the Model Context Protocol, and what differs between them.

Two ways to open a connection are served side by side, as the specification of 2026-07-28 describes it for servers that
know both. Up to 2025-11-25 a client says `initialize` once, and what was agreed holds for the process. From 2026-07-28
on every request carries its version and the client's capabilities, and nothing is remembered between two of them.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from vademecum import __version__
from vademecum.mcp.messages import INVALID_PARAMS, RpcError, as_object

__all__ = ["HANDSHAKE_VERSIONS", "MODERN_VERSIONS", "SERVER_INFO", "Dialect", "agree", "dialect_of", "first_dialect"]

HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MODERN_VERSIONS = ("2026-07-28",)
SERVER_INFO = {"name": "vademecum", "version": __version__}

_UNSUPPORTED_VERSION = -32022
_PREFIX = "io.modelcontextprotocol/"
#: The tools of a process never change, and are the user's own.
_CACHING = {"ttlMs": 3_600_000, "cacheScope": "private"}
#: The one version in which a line may hold several messages.
_WITH_BATCHES = "2025-03-26"
_WITHOUT_QUESTIONS = ("2025-03-26", "2024-11-05")


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """How one request is to be answered."""

    version: str
    #: What the client can do.
    capabilities: Mapping[str, Any] = {}

    @property
    def is_modern(self) -> bool:
        """Whether every request stands for itself."""
        return self.version in MODERN_VERSIONS

    @property
    def takes_batches(self) -> bool:
        """Whether a line may hold an array of messages."""
        return self.version == _WITH_BATCHES

    @property
    def can_ask_person(self) -> bool:
        """Whether the client shows a question to the person and brings back the answer."""
        modes = as_object(self.capabilities.get("elicitation"))
        # Nothing said about modes means forms, which were there first.
        return self.version not in _WITHOUT_QUESTIONS and modes is not None and (not modes or "form" in modes)

    def dressed(self, result: Mapping[str, Any], *, may_be_kept: bool = False) -> dict[str, Any]:
        """A result with what its version wants beside it; `may_be_kept`: the client may ask once for all."""
        if not self.is_modern:
            return dict(result)
        caching = _CACHING if may_be_kept else {}
        return {"resultType": "complete", **result, **caching, "_meta": {f"{_PREFIX}serverInfo": SERVER_INFO}}


def first_dialect() -> Dialect:
    """What holds before a client has said anything."""
    return Dialect(version=HANDSHAKE_VERSIONS[0])


def agree(params: Mapping[str, Any]) -> Dialect:
    """The version that `initialize` asks for, or our newest one where we do not know it. Raises RpcError."""
    asked, capabilities = params.get("protocolVersion"), as_object(params.get("capabilities", {}))
    if not isinstance(asked, str) or capabilities is None:
        raise RpcError(INVALID_PARAMS, "initialize needs `protocolVersion`, a text, and `capabilities`, an object")
    return Dialect(version=asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[0], capabilities=capabilities)


def dialect_of(params: Mapping[str, Any]) -> Dialect | None:
    """What a request says of itself; None: what was agreed before. Raises RpcError."""
    meta = as_object(params.get("_meta")) or {}
    version = meta.get(f"{_PREFIX}protocolVersion")
    if version is None:
        return None
    if version not in MODERN_VERSIONS:
        supported = [*MODERN_VERSIONS, *HANDSHAKE_VERSIONS]
        details = {"supported": supported, "requested": version}
        raise RpcError(_UNSUPPORTED_VERSION, "Unsupported protocol version", details)
    capabilities = as_object(meta.get(f"{_PREFIX}clientCapabilities"))
    if capabilities is None:
        raise RpcError(INVALID_PARAMS, f"`_meta` holds no `{_PREFIX}clientCapabilities`")
    return Dialect(version=version, capabilities=capabilities)
