"""The commands that `vade install` wrote, read out of the agents' own files and run as those agents run them."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.mcp_wire import Wire

__all__ = ["HOOKED", "PLUGGED", "SERVED", "WITH_THE_PROMPT", "Installed", "own_interpreter"]

#: Hosts that run our hooks: the file that names them, and the host's word for each of our events.
HOOKED = {
    "claude-code": (".claude/vademecum/plugin/hooks/hooks.json", ("SessionStart", "UserPromptSubmit", "SessionEnd")),
    "codex": (".codex/hooks.json", ("SessionStart", "UserPromptSubmit", "Stop")),
    "gemini": (".gemini/extensions/vademecum/hooks/hooks.json", ("SessionStart", "BeforeAgent", "SessionEnd")),
}
#: Hosts that start the server of the tools, and those whose plugin starts it.
SERVED = ("claude-code", "codex", "gemini")
PLUGGED = {"opencode": ".config/opencode/plugins/vademecum.js", "pi": ".pi/agent/extensions/vademecum.js"}
#: Hosts that are given the block with the first prompt of a session.
WITH_THE_PROMPT = frozenset({"gemini"})
_SETTINGS = re.compile(r"^const settings = (\{.*\});$", re.MULTILINE)
#: What some hosts hand on to a server, and no more.
_FEW = ("PATH", "HOME", "LANG")


class Installed:
    """Memory, plugged into one agent of a user."""

    def __init__(self, host: str, user_home: Path) -> None:
        self.host, self._user_home = host, user_home

    def hook_lines(self) -> dict[str, str]:
        """The host's word for an event -> the line that it hands to a shell."""
        file, _ = HOOKED[self.host]
        groups = json.loads(self._read(file))["hooks"]
        return {event: group[0]["hooks"][0]["command"] for event, group in groups.items()}

    def hook(
        self, number: int, payload: object, *, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the hook of the start (0), of a prompt (1) or of the end (2) of a session or turn."""
        _, events = HOOKED[self.host]
        return subprocess.run(
            ["/bin/sh", "-c", self.hook_lines()[events[number]]],
            input=json.dumps(payload).encode(),
            capture_output=True,
            env={**os.environ, **(env or {})},
            cwd=cwd,
            timeout=20,
            check=False,
        )

    def block(self, payload: object, **options: Any) -> str:
        """What a new session is given by the hooks, which always end well; some hosts take it with the first prompt."""
        done = self.hook(0, payload, **options)
        if self.host in WITH_THE_PROMPT:
            done = self.hook(1, payload, **options)
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""

    def server_command(self) -> tuple[list[str], dict[str, str]]:
        """(words, what is put into its environment) of the server that the agent, or our plugin in it, starts."""
        if self.host in PLUGGED:
            found = _SETTINGS.search(self._read(PLUGGED[self.host]))
            assert found
            settings = json.loads(found[1])
            return settings["command"], settings["environ"]
        entry = self._server_entry()
        return [entry["command"], *entry["args"]], entry.get("env") or {}

    def _server_entry(self) -> dict[str, Any]:
        match self.host:
            case "claude-code":
                return json.loads(self._read(".claude/vademecum/plugin/.mcp.json"))["mcpServers"]["vademecum"]
            case "codex":
                return tomllib.loads(self._read(".codex/config.toml"))["mcp_servers"]["vademecum"]
            case _:
                file = ".gemini/extensions/vademecum/gemini-extension.json"
                return json.loads(self._read(file))["mcpServers"]["vademecum"]

    def server(self, *, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Wire:
        """The server, to be started by `with`."""
        words, own = self.server_command()
        few = {name: os.environ[name] for name in _FEW if name in os.environ}
        return Wire.bare(words, {**few, **(env or {}), **own}, cwd)

    def _read(self, file: str) -> str:
        return (self._user_home / file).read_text(encoding="utf-8")


def own_interpreter(folder: Path) -> Path:
    """An interpreter that is taken away without harm to the one that runs the tests, with the same packages."""
    packages = folder / f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    packages.mkdir(parents=True)
    theirs = next(path for path in sys.path if path.endswith("site-packages"))
    (packages / "theirs.pth").write_text(f"import site; site.addsitedir({theirs!r})\n", encoding="utf-8")
    base = Path(sys.base_prefix) / "bin"
    (folder / "pyvenv.cfg").write_text(f"home = {base}\ninclude-system-site-packages = false\n", encoding="utf-8")
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(Path(sys.executable).resolve())
    return python
