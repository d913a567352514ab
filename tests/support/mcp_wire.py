"""The MCP server as a client meets it: a process that is sent lines and sends lines back."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

__all__ = ["COMMAND", "HANDSHAKE", "MODERN_META", "Wire", "call", "request"]

#: What hosts start.
COMMAND = (sys.executable, "-I", "-m", "vademecum.mcp")

#: The parameters of a client that knows handshakes.
HANDSHAKE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}

#: What a client says with every request since 2026-07-28.
MODERN_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def request(identifier: object, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A request as it goes over the wire."""
    return {"jsonrpc": "2.0", "id": identifier, "method": method, **({"params": params} if params else {})}


def call(identifier: object, tool: str, arguments: Mapping[str, Any], **meta: object) -> dict[str, Any]:
    """The request that calls a tool."""
    params = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
    return request(identifier, "tools/call", params)


class Wire:
    """One server process, running while its `with` block does; every wait in it has an end."""

    def __init__(
        self,
        home: Path,
        *options: str,
        environ: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self._command = [*command, *options]
        self._environ = {**os.environ, "VADEMECUM_HOME": str(home), **(environ or {})}
        self._cwd = cwd

    @classmethod
    def bare(cls, command: Sequence[str], environ: Mapping[str, str], cwd: Path | None = None) -> Self:
        """A process with this environment and no more."""
        wire = cls(Path(), command=command, cwd=cwd)
        wire._environ = dict(environ)
        return wire

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=pipe, env=self._environ, cwd=self._cwd
        )
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:  # what was not sent yet has nobody to go to
                continue

    def send(self, *messages: object) -> None:
        """Send messages, or lines as they are where they are bytes."""
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
            self.process.stdin.write(line)
        self.process.stdin.flush()

    def receive(self) -> Any:
        """The next message; the test's own time limit ends a wait in vain."""
        line = self.process.stdout.readline()
        assert line, f"the server ended: {self.process.stderr.read().decode()}"
        return json.loads(line)

    def ask(self, message: Mapping[str, Any]) -> Any:
        """Send a request and wait for its answer."""
        self.send(message)
        return self.receive()

    def greet(self, **params: object) -> Any:
        """Open the connection with a handshake; the result."""
        answer = self.ask(request("hello", "initialize", {**HANDSHAKE, **params}))
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def hang_up(self) -> tuple[list[Any], float]:
        """Close the connection; what came until the server ended, and how many seconds that took."""
        began = time.perf_counter()
        self.process.stdin.close()
        rest = self.process.stdout.read()
        self.process.wait()
        return [json.loads(line) for line in rest.splitlines()], time.perf_counter() - began

    def signal(self, number: signal.Signals) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait()
