"""A small server in place of opencode's, as a program: `serve` answers as a test says, and notes what it was asked."""

import json
from pathlib import Path
from typing import Any

from support.fake_agents import PYTHON, program

__all__ = ["FakeOpencode"]

_SERVER = """
import base64, json, os, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

folder = Path(@FOLDER@)
replies = json.loads((folder / "replies").read_text())
login = "opencode:" + os.environ["OPENCODE_SERVER_PASSWORD"]
expected = "Basic " + base64.b64encode(login.encode()).decode()
released = threading.Event()

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        path = urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        with (folder / "asked").open("a") as notes:
            notes.write(json.dumps([self.command, path, json.loads(body) if body else None]) + "\\n")
        status, answer = replies.get(f"{self.command} {path}", [404, "no such path"])
        if self.headers.get("Authorization") != expected:
            status, answer = 401, "no"
        if path.endswith("/abort"):
            released.set()
        if answer == "hang":
            released.wait(20)
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    do_GET = do_POST
    def log_message(self, *_):
        pass

with (folder / "environs").open("a") as notes:
    notes.write(json.dumps(dict(os.environ)) + "\\n")
if "fail" in replies:
    sys.exit(replies["fail"])
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("a warning first", flush=True)
print(f"opencode server listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""


class FakeOpencode:
    """The program `opencode` in a folder. Its answers are `replies`: by method and path, status and body."""

    def __init__(self, folder: Path, *, state: dict[str, Any] | None = None, **replies: Any) -> None:
        self._notes = folder / "opencode.notes"
        self._notes.mkdir(parents=True)
        self.path = program(folder / "opencode", _SERVER.replace("@FOLDER@", repr(str(self._notes))), shell=PYTHON)
        answers = {
            "GET /global/config": [200, replies.get("settings", {})],
            "POST /session": [200, {"id": "ses_1"}],
            "POST /session/ses_1/message": [200, replies.get("message", "hang")],
            "POST /session/ses_1/abort": [200, True],
            "GET /session/status": [200, {"ses_1": state} if state else {}],
            "GET /session/ses_1": [200, replies.get("session", {"id": "ses_1"})],
            **replies.get("other", {}),
        }
        (self._notes / "replies").write_text(json.dumps(answers), encoding="utf-8")

    def _lines(self, name: str) -> list[Any]:
        return [json.loads(line) for line in (self._notes / name).read_text(encoding="utf-8").splitlines()]

    @property
    def asked(self) -> list[tuple[str, str, Any]]:
        """Method, path and body of every request."""
        return [tuple(each) for each in self._lines("asked")]

    @property
    def environs(self) -> list[dict[str, str]]:
        """The environment of each start: the first asks for the settings, the last does the work."""
        return self._lines("environs")
