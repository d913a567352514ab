"""A host with our plugin in it, as the installer plugs it in, and a stand-in for the server or the server itself."""

import json
import stat
import sys
import time
from pathlib import Path
from typing import Any

from support.plugin_scripts import SERVER
from vademecum.hosts import Host
from vademecum.hosts.protocol import Places

__all__ = ["ScriptedServer", "plug_in"]

#: What a host tells comes within milliseconds; the rest is for slow machines.
TELLING_SECONDS = 30


def plug_in(host: Host, user_home: Path, python: Path, home: Path | None = None) -> None:
    """Write what the installer writes."""
    for edit in host.installation(Places(user_home=user_home, environ={}, python=python, home=home)):
        text = edit.change(edit.path.read_text() if edit.path.exists() else None)
        assert text is not None
        edit.path.parent.mkdir(parents=True, exist_ok=True)
        edit.path.write_text(text, encoding="utf-8")


class ScriptedServer:
    """Stands where the interpreter stands: what is started with `-m vademecum.mcp` is the scripted server."""

    def __init__(self, folder: Path, answers: dict[str, Any]) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.python = folder / "python"
        self.python.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" -I "{SERVER}" "{folder}/log.jsonl" "{folder}/answers.json"\n'
        )
        self.python.chmod(self.python.stat().st_mode | stat.S_IXUSR)
        self.answer(answers)

    def answer(self, answers: dict[str, Any]) -> None:
        """What a server that is started from now on says."""
        (self._folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")

    def messages(self, method: str = "") -> list[dict[str, Any]]:
        """What came in; of one method: the params."""
        log = self._folder / "log.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        found = [json.loads(line) for line in lines]
        return [one["params"] for one in found if one.get("method") == method] if method else found

    def await_event(self, event: str, count: int) -> None:
        """Wait until the host has told this event so often: it answers a prompt before it says that it is idle."""
        end = time.monotonic() + TELLING_SECONDS
        while [one["event"] for one in self.messages("vademecum/event")].count(event) < count:
            assert time.monotonic() < end, f"{event} was not told {count} times"
            time.sleep(0.02)

    @property
    def process_ids(self) -> list[int]:
        """Of every server that was started."""
        return [one["started"] for one in self.messages() if "started" in one]
