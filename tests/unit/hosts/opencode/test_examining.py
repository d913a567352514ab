"""opencode itself is asked which tools it sees; stand-ins answer here, the real program in tests/clients."""

import sys

import pytest

from vademecum.findings import Level
from vademecum.hosts.opencode import OPENCODE
from vademecum.hosts.opencode import examining as tested
from vademecum.hosts.protocol import Places

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SERVER = """
import json, os, sys, base64
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        login = base64.b64encode(("opencode:" + os.environ["OPENCODE_SERVER_PASSWORD"]).encode()).decode()
        is_known = self.headers["Authorization"] == "Basic " + login and self.path.startswith("/experimental/tool/ids?")
        self.send_response(200 if is_known else 401)
        self.end_headers()
        self.wfile.write(json.dumps({TOOLS}).encode())
    def log_message(self, *words): pass

server = HTTPServer(("127.0.0.1", 0), Handler)
print("Warning: something", flush=True)
print(f"opencode server listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""


def findings(tmp_path, program):
    places = Places(user_home=tmp_path, environ={"PATH": f"{tmp_path}:/usr/bin:/bin"}, python=tmp_path / "python")
    if program:
        path = tmp_path / "opencode"
        path.write_text(f"#!{sys.executable}\n{program}")
        path.chmod(0o755)
    return [(one.level, one.what) for one in OPENCODE.examine(places)]


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ('["bash", "memory_search", "memory"]', (Level.OK, "opencode sees 2 memory tools")),
        ('["bash"]', (Level.PROBLEM, "opencode sees none of the memory tools")),
        ('{"error": 1}', (Level.PROBLEM, "opencode sees none of the memory tools")),
    ],
)
def test_what_opencode_sees_is_told(tmp_path, tools, expected):
    """user-U68: Healthy is what the host says, not what we say."""
    assert findings(tmp_path, SERVER.replace("{TOOLS}", tools)) == [expected]


@pytest.mark.parametrize("program", ["print('no such command')", "raise SystemExit(1)", "import time; time.sleep(60)"])
def test_an_opencode_that_does_not_answer_is_a_note(tmp_path, program, monkeypatch):
    monkeypatch.setattr(tested, "_SECONDS", 0.5)
    ((level, what),) = findings(tmp_path, program)
    assert (level, what) == (Level.NOTE, "opencode could not be asked which tools it sees: it did not start in time")


def test_without_the_program_nobody_can_be_asked(tmp_path):
    ((level, what),) = findings(tmp_path, None)
    assert (level, "not on the PATH" in what) == (Level.NOTE, True)
