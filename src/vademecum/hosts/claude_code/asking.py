"""Ask Claude Code itself whether it reaches our server: `claude mcp get` (2.1) starts no other one."""

from collections.abc import Mapping
from enum import StrEnum

from vademecum.hosts.running import Deadline, ended, start

__all__ = ["Seen", "ask"]

_SECONDS = 15.0


class Seen(StrEnum):
    """What it says of our server."""

    CONNECTED = "connected"  #: it has started it, and was answered
    UNKNOWN = "unknown"  #: it knows no such server
    FAILED = "failed"  #: it knows it, and gets no answer
    SILENT = "silent"  #: the program said nothing that can be read, or not in time


def ask(program: str, server: str, environ: Mapping[str, str], folder: str) -> Seen:
    """Start the program for one question, in a folder that is no project. Raises OSError."""
    quiet = {**environ, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    process = start([program, "mcp", "get", server], quiet, folder)
    assert process.stdout is not None
    with ended(process), Deadline(process, _SECONDS):
        return _read(process.stdout.read())


def _read(output: str) -> Seen:
    if "No MCP server" in output:
        return Seen.UNKNOWN
    status = next((line for line in output.splitlines() if line.strip().startswith("Status:")), None)
    if status is None:
        return Seen.SILENT
    return Seen.CONNECTED if "Connected" in status else Seen.FAILED
