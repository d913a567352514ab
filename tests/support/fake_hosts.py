"""Programs in place of the agents, which learn well: they answer as a test says, and copy what it wrote into the draft.

What they are asked for they tell by the verdict that a consolidation is to end with.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import msgspec

from support.fake_agents import PYTHON, program
from vademecum.learners import Extraction

__all__ = ["HOSTS", "good_host"]

_COMMON = """
import base64, json, os, shutil, sys
from pathlib import Path

notes = Path(@NOTES@)

def answer(prompt):
    kind = "consolidation" if '"verdict"' in prompt else "extraction"
    with (notes / "asked").open("a") as asked:
        asked.write(kind + chr(10))
    if kind == "extraction":
        return (notes / "extraction").read_text()
    for file in (notes / "files").iterdir():
        shutil.copy(file, Path.cwd() / file.name)
    return 'Done.' + chr(10) + '{"verdict": "wrote"}'
"""
_CLAUDE_CODE = """
spent = {"m": {"inputTokens": 100, "outputTokens": 10}}
print(json.dumps({"is_error": False, "result": answer(sys.stdin.read()), "total_cost_usd": 0.01, "modelUsage": spent}))
"""
_CODEX = """
item = {"type": "agent_message", "text": answer(sys.stdin.read())}
print(json.dumps({"type": "item.completed", "item": item}))
print(json.dumps({"type": "turn.completed", "usage": {"input_tokens": 100, "output_tokens": 10}}))
"""
_OPENCODE = """
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        path = self.path.partition("?")[0]
        if path.endswith("/message"):
            text = answer(json.loads(body)["parts"][0]["text"])
            told = {"info": {"role": "assistant"}, "parts": [{"type": "text", "text": text}]}
        elif path == "/global/config":
            told = {"model": "mine/a-model"}
        elif path == "/session/status":
            told = {}
        else:
            told = {"id": "ses_1", "cost": 0.01, "tokens": {"input": 100, "output": 10}}
        data = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    do_GET = do_POST
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"opencode server listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""
#: Name of the learner -> the program.
HOSTS = {"claude-code": _CLAUDE_CODE, "codex": _CODEX, "opencode": _OPENCODE}


def good_host(folder: Path, host: str, extraction: Extraction | str, files: Mapping[str, str]) -> Path:
    """The program of this host, which gives this extraction and writes these files; `asked` notes what it was for."""
    notes = folder / f"{host}.notes"
    (notes / "files").mkdir(parents=True)
    text = extraction if isinstance(extraction, str) else json.dumps(msgspec.to_builtins(extraction))
    (notes / "extraction").write_text(text, encoding="utf-8")
    (notes / "asked").touch()
    for name, content in files.items():
        (notes / "files" / name).write_text(content, encoding="utf-8")
    return program(folder / host, _COMMON.replace("@NOTES@", repr(str(notes))) + HOSTS[host], shell=PYTHON)
