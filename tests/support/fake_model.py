"""A scripted model on 127.0.0.1: real agent programs are driven by it without account, key or network.

`[[scenario:NAME]]` in a prompt picks the scenario, a list of steps. Nothing is kept between requests: which step is due
follows from the history that comes with the request. So retries, resumed sessions and the helper requests that clients
make beside their conversation are all answered rightly.
"""

import json
import re
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from support.fake_model_wires import Conversation, Step, wire_for
from support.loopback import Loopback

__all__ = ["FakeModel", "Step", "marker"]

_MARKER = re.compile(r"\[\[scenario:([\w-]+)\]\]")
#: The answer to requests outside every scenario: titles, summaries, probes.
_HELPER_ANSWER = Step(text="A short answer")


def marker(scenario: str) -> str:
    """What to put into a prompt."""
    return f"[[scenario:{scenario}]]"


def due_step(
    scenarios: Mapping[str, Sequence[Step]], conversation: Conversation, words: Mapping[str, str] | None = None
) -> Step:
    """The step of the newest scenario that was asked for: the one after all tool calls that were made for it.

    `words`: what asks for a scenario, beside its marker.
    """
    calls = 0
    for turn in reversed(conversation.turns):
        calls += turn.calls
        found = _MARKER.findall(turn.user_text)
        found += [scenario for text, scenario in (words or {}).items() if text in turn.user_text]
        if found:
            return scenarios[found[-1]][calls]
    return _HELPER_ANSWER


class FakeModel(Loopback):
    """The server, running while its `with` block does."""

    def __init__(
        self,
        scenarios: Mapping[str, Sequence[Step]],
        *,
        without_tools: Step = _HELPER_ANSWER,
        words: Mapping[str, str] | None = None,
    ) -> None:
        self.scenarios, self.words = scenarios, words
        #: The answer to every request that offers no tools.
        self.without_tools = without_tools
        self._server = _Server(("127.0.0.1", 0), self)
        #: Paths of the requests so far, for messages when a client fails.
        self.asked: list[str] = []
        #: Their bodies, where they are JSON.
        self.bodies: list[dict[str, Any]] = []


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], model: FakeModel) -> None:
        super().__init__(address, _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        self.server.model.asked.append(path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        wire = wire_for(path)
        if wire is None:
            self.send_error(404)
            return
        model = self.server.model
        model.bodies.append(json.loads(body))
        conversation = wire.read(model.bodies[-1])
        step = (
            due_step(model.scenarios, conversation, model.words) if conversation.offers_tools else model.without_tools
        )
        answer = wire.write(step, len(conversation.turns))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_GET(self) -> None:
        self.server.model.asked.append(self.path)
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
        """Quiet: the test tells what went wrong."""
