"""One running `opencode serve` that tests give prompts to: a prompt takes under a second, a process of its own 15 s."""

import json
import os
import re
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from support.clients_driving import CLIENTS, Workplace, surroundings
from support.fake_model_wires import MODEL

__all__ = ["OPENCODE_CLIENT", "Serving", "serving"]

OPENCODE_CLIENT = next(client for client in CLIENTS if client.host == "opencode")
REQUEST_SECONDS = 120
_LISTENING = re.compile(r"listening on (http://\S+)")


class Serving:
    """The server, asked over HTTP about one project."""

    def __init__(self, url: str, place: Workplace) -> None:
        self.url, self.place = url, place

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """What the server answers."""
        request = urllib.request.Request(
            f"{self.url}{path}?directory={self.place.project}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json"},
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=REQUEST_SECONDS) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def new_session(self) -> str:
        """Its id."""
        return self.ask("POST", "/session", {})["id"]

    def prompt(self, session: str, words: str) -> dict[str, Any]:
        """Give a prompt and wait for the answer: {info, parts}."""
        body = {
            "agent": "build",
            "model": {"providerID": "fake", "modelID": MODEL},
            "parts": [{"type": "text", "text": words}],
        }
        return self.ask("POST", f"/session/{session}/message", body)

    def stored(self, session: str) -> list[dict[str, Any]]:
        """The messages of a session as they are stored."""
        return self.ask("GET", f"/session/{session}/message")


@contextmanager
def serving(place: Workplace, environ: dict[str, str] | None = None) -> Iterator[Serving]:
    """A server in the home and the project of a place."""
    process = subprocess.Popen(
        [str(OPENCODE_CLIENT.package.program), "serve", "--hostname", "127.0.0.1", "--port", "0"],
        cwd=place.project,
        env={**surroundings(OPENCODE_CLIENT, place), **(environ or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield Serving(_wait_for_url(process), place)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def _wait_for_url(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    printed = []
    for line in process.stdout:
        printed.append(line)
        if found := _LISTENING.search(line):
            return found[1]
    raise AssertionError(f"opencode serve ended: {''.join(printed)}")
