"""Codex CLI: tools as an MCP server in `config.toml`, the memory block by `hooks.json`.

Facts from Codex 0.171.0, run against a scripted model: `CODEX_HOME` names its folder; the server gets almost no
environment; hooks run only after the person has trusted them, and a changed command has to be trusted anew; times are
in seconds.
"""

from vademecum.hosts.codex.host import CODEX

__all__ = ["CODEX"]
