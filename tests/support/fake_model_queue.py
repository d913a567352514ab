"""A model's server on 127.0.0.1 that gives one reply after the other, good ones and bad ones, and keeps what it got."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from support.fake_model_bodies import BODIES, Bodies
from support.fake_model_wires import MODEL, Step
from support.loopback import Loopback

__all__ = ["Asked", "QueueModel", "Reply"]


@dataclass(frozen=True)
class Reply:
    """One answer of the server; all defaults: an empty answer of the model."""

    text: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    #: How the model came to its end: `length`, `refusal`; empty: as it should.
    finish: str = ""
    status: int = 200
    #: Of an error, in the words of the wire.
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    #: In place of all that: exactly these bytes.
    raw: bytes | None = None
    #: Break the connection in the middle of the body.
    cut: bool = False
    #: Never answer.
    hang: bool = False

    def body(self, bodies: Bodies, model: str) -> bytes:
        """As it goes over the wire."""
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps(bodies.error(self.message, self.status)).encode()
        step = Step(text=self.text, tool=self.tool, arguments=dict(self.arguments))
        return json.dumps(bodies.answer(step, self.finish, model)).encode()


@dataclass(frozen=True)
class Asked:
    """One request that came in."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All of the body."""
        return json.dumps(self.body, ensure_ascii=False)


class QueueModel(Loopback):
    """The server, running while its `with` block does.

    What comes after the last reply is answered by `then`, given the body; without one it gets status 418.
    """

    def __init__(
        self,
        provider: str,
        *replies: Reply,
        name: str = MODEL,
        then: Callable[[dict[str, Any]], Reply] | None = None,
    ) -> None:
        self.provider, self.name, self.bodies = provider, name, BODIES[provider]
        self.replies, self.then = list(replies), then
        self.asked: list[Asked] = []
        #: Set when the first request has come in.
        self.came = Event()
        #: Set when the server stops: what hangs lets go.
        self.over = Event()
        self._server = _Server(("127.0.0.1", 0), self)

    @property
    def model(self) -> str:
        """What to set as model."""
        return f"{self.provider}:{self.name}"

    @property
    def base_url(self) -> str:
        """What to set as address."""
        return f"{self.url}{self.bodies.base}"

    def __exit__(self, *_: object) -> None:
        self.over.set()
        super().__exit__()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], model: QueueModel) -> None:
        super().__init__(address, _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        model = self.server.model
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model.asked.append(Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        model.came.set()
        path = model.bodies.path.format(model=model.name)
        if urlsplit(self.path).path != path or not (model.replies or model.then):
            self.send_error(418)
            return
        reply = model.replies.pop(0) if model.replies else model.then(body)
        if reply.hang:
            model.over.wait(timeout=30)
            self.close_connection = True
            return
        self._send(reply, reply.body(model.bodies, model.name))

    def _send(self, reply: Reply, body: bytes) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if reply.cut else body)
        self.close_connection |= reply.cut

    def do_GET(self) -> None:
        self.server.model.asked.append(Asked(self.path, {}, {}))
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
        """Quiet: the test tells what went wrong."""
