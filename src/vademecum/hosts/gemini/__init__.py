"""Gemini CLI: one extension folder with the tools as an MCP server and the memory block by hooks.

Facts from its documentation of hooks and extensions, and from Gemini CLI 0.61.0 run against a scripted model:
`GEMINI_CLI_HOME` names the folder above `.gemini`; a folder below `extensions/` needs no installation record; times are
in milliseconds.
"""

from vademecum.hosts.gemini.host import GEMINI

__all__ = ["GEMINI"]
