"""A server that answers as opencode's API does, from the conversations of a test, and otherwise where it is told to."""

import json
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from support.loopback import Loopback
from support.opencode_stores import START_MS, Conversation, as_text

__all__ = ["Odd", "OpencodeApi"]


class Odd(msgspec.Struct, kw_only=True):
    """An answer that a server should not give."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = {}
    #: Sent after the body again and again, without an end.
    again: bytes = b""
    #: Wait for so long between two pieces.
    pause_seconds: float = 0


class OpencodeApi(Loopback):
    """`odd`: by the path of a question, what is answered in the place of the truth."""

    def __init__(self, *conversations: Conversation, password: str = "", **odd: Odd) -> None:
        self.conversations = {one.id: one for one in conversations}
        self.login = f"Basic {b64encode(f'opencode:{password}'.encode()).decode()}" if password else None
        self.odd: dict[str, Odd] = dict(odd)
        #: Path and query of every question, and the login that came with it.
        self.asked: list[tuple[str, str | None]] = []
        self.ended = Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True

    def __exit__(self, *reason: object) -> None:
        self.ended.set()
        super().__exit__(*reason)

    def answer(self, target: str, login: str | None) -> Odd:
        """What a question gets."""
        self.asked.append((target, login))
        url = urlsplit(target)
        if url.path in self.odd:
            return self.odd[url.path]
        if self.login not in {None, login}:
            return Odd(status=401, headers={"WWW-Authenticate": "Basic"})
        answer = self._truth(url.path.split("/")[1:], {key: values[-1] for key, values in parse_qs(url.query).items()})
        if answer is None:
            return Odd(status=404, body=b'{"name":"NotFoundError","data":{}}')
        return Odd(body=json.dumps(answer, separators=(",", ":")).encode())

    def _truth(self, path: list[str], query: dict[str, str]) -> Any:
        match path:
            case ["global", "health"]:
                return {"healthy": True, "version": "1.18.33"}
            case ["experimental", "session"]:
                return self._page(float(query.get("cursor", "inf")), int(query["limit"]))
            case ["session", session]:
                return row_of(self.conversations[session]) if session in self.conversations else None
            case ["session", session, "message"]:
                return messages_of(self.conversations[session]) if session in self.conversations else None
            case _:
                return None

    def _page(self, cursor: float, limit: int) -> list[dict[str, Any]]:
        rows = sorted(map(row_of, self.conversations.values()), key=lambda row: -row["time"]["updated"])
        return [row for row in rows if row["time"]["updated"] < cursor and "parentID" not in row][:limit]


def row_of(conversation: Conversation) -> dict[str, Any]:
    """What the server says of a session."""
    columns = {"directory": "/srv/demo", "title": "Make the widget build", **conversation.columns}
    times = {"created": START_MS, "updated": columns.pop("time_updated", START_MS + 60_000)}
    named = {"parentID" if name == "parent_id" else name: value for name, value in columns.items()}
    return {"id": conversation.id, **named, "time": times}


def messages_of(conversation: Conversation) -> list[dict[str, Any]]:
    """The transcript as it stands in an answer."""
    return [
        {
            "info": {**data, "id": message_id, "sessionID": conversation.id},
            "parts": [{**json.loads(as_text(part)), "id": part_id, "messageID": message_id} for part_id, part in parts],
        }
        for message_id, data, parts in conversation.messages
    ]


def _handler(api: OpencodeApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = api.answer(self.path, self.headers.get("Authorization"))
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if not answer.again:
                self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            try:
                self._send(answer)
            except OSError:
                return  # who asked has gone

        def _send(self, answer: Odd) -> None:
            self.wfile.write(answer.body)
            while answer.again and not api.ended.wait(answer.pause_seconds):
                self.wfile.write(answer.again)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
