"""Runs pieces of JavaScript against the code of our plugins, under Node and Bun, with a scripted server as the child.

A piece is the body of an async function. It finds `command` (starts the scripted server), `log()` (the messages that
came in, by method), `until(condition)`, `failure(promise)` (what it rejects with), `hurry(times)` (makes timers so many
times as fast), `longestMs(work)` (the processor time that one round of the event loop took at most meanwhile: other
programs do not count) and the modules as `child`, `lines`, `memory`, `citations`, `lru`, `opencode`, `pi`; what it
returns comes back to the test.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import vademecum
from support.clients import OPENCODE

__all__ = ["HOSTS_FOLDER", "RUNTIMES", "Runtime", "Scripts"]

HOSTS_FOLDER = Path(vademecum.__file__).parent / "hosts"
SERVER = Path(__file__).with_name("scripted_server.py")
MODULES = {
    "child": "bridge/child.mjs",
    "lines": "bridge/lines.mjs",
    "memory": "bridge/memory.mjs",
    "citations": "bridge/citations.mjs",
    "lru": "bridge/lru.mjs",
    "opencode": "opencode/plugin.mjs",
    "pi": "pi/extension.mjs",
}
RUN_SECONDS = 30

_FRAME = """
import {{ readFileSync }} from "node:fs";
{imports}
const command = {command};
const log = (method) => {{
  let text = "";
  try {{ text = readFileSync({log}, "utf8"); }} catch {{ return []; }}
  const messages = text.split("\\n").filter(Boolean).map((line) => JSON.parse(line));
  return method ? messages.filter((message) => message.method === method || method in message) : messages;
}};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (condition) => {{
  for (let tries = 0; tries < 2000; tries++) {{
    const value = await condition();
    if (value) return value;
    await pause(5);
  }}
  throw new Error(`never: ${{condition}}`);
}};
const longestMs = async (work) => {{
  let longest = 0;
  let isOver = false;
  let before = process.cpuUsage();
  const look = () => {{
    const {{ user, system }} = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
    if (!isOver) setImmediate(look);
  }};
  look();
  await work();
  await pause(20); // what was held up is only seen afterwards
  isOver = true;
  return longest;
}};
/** Timers are so many times as fast from now on. */
const hurry = (times) => {{
  for (const name of ["setTimeout", "setInterval"]) {{
    const timer = globalThis[name];
    globalThis[name] = (work, ms, ...values) => timer(work, ms / times, ...values);
  }}
}};
const failure = (promise) => promise.then(() => null, (error) => String(error.message));
const work = async () => {{
{body}
}};
process.on("unhandledRejection", (error) => {{ console.log(`unhandled: ${{error?.stack}}`); process.exit(3); }});
// A host lives while it works; what is left running behind it must not keep it.
const alive = setInterval(() => {{}}, 1000);
const result = await work();
clearInterval(alive);
console.log(JSON.stringify({{ result: result ?? null }}));
"""


@dataclass(frozen=True)
class Runtime:
    """A program that runs JavaScript."""

    name: str
    command: tuple[str, ...]
    environ: tuple[tuple[str, str], ...] = ()
    missing: str = ""


def _node() -> Runtime:
    found = shutil.which("node")
    return Runtime("node", (found or "node",), missing="" if found else "node not installed: it comes with npm")


def _bun() -> Runtime:
    """opencode is a program with Bun in it, which this variable sets free."""
    missing = "" if OPENCODE.is_installed else f"{OPENCODE.spec} not installed: `make test-hosts` does it"
    return Runtime("bun", (str(OPENCODE.program), "run"), (("BUN_BE_BUN", "1"),), missing)


RUNTIMES = (_node(), _bun())


class Scripts:
    """Runs scripts in one folder, with one runtime."""

    def __init__(self, runtime: Runtime, folder: Path) -> None:
        if runtime.missing:
            pytest.skip(runtime.missing)
        self._runtime, self._folder = runtime, folder
        self.log = folder / "log.jsonl"

    def start(self, body: str, answers: dict[str, Any] | None = None, **environ: str) -> subprocess.Popen[str]:
        """Start a script; `answers`: what the scripted server says, by method."""
        (self._folder / "answers.json").write_text(json.dumps(answers or {}), encoding="utf-8")
        program = self._folder / "script.mjs"
        program.write_text(self._program(body), encoding="utf-8")
        return subprocess.Popen(
            [*self._runtime.command, str(program)],
            env={"PATH": os.environ["PATH"], **dict(self._runtime.environ), **environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, body: str, answers: dict[str, Any] | None = None, *, standard_input: str = "", **environ: str) -> Any:
        """What the body returns; nothing else may be printed."""
        process = self.start(body, answers, **environ)
        out, err = process.communicate(standard_input, timeout=RUN_SECONDS)
        assert (process.returncode, err) == (0, ""), f"{out}\n{err}"
        first, rest = out.split("\n", 1)
        assert rest == "", out[:2000]
        return json.loads(first)["result"]

    def messages(self) -> list[dict[str, Any]]:
        """What came in at the server."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [json.loads(line) for line in lines]

    def _program(self, body: str) -> str:
        imports = "\n".join(
            f"import * as {name} from {json.dumps((HOSTS_FOLDER / path).as_uri())};" for name, path in MODULES.items()
        )
        command = [sys.executable, "-I", str(SERVER), str(self.log), str(self._folder / "answers.json")]
        return _FRAME.format(imports=imports, command=json.dumps(command), log=json.dumps(str(self.log)), body=body)
