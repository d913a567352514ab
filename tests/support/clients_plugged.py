"""A person with real agent programs that memory is plugged into: their home, their commands, what a model was sent."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.clients_driving import Client, Workplace, prompt
from support.clients_opencode import serving
from support.clients_story import make_repository
from support.fake_model import FakeModel, Step
from vademecum.locks import Domain, Locks

__all__ = ["Person", "blocks_in", "call", "in_conversation", "tools_in", "trust_hooks"]

#: How a model calls a tool of ours in each host: namespace, and what stands before the tool's name.
_CALLED = {
    "claude-code": ("", "mcp__plugin_vademecum_vademecum__"),
    "codex": ("mcp__vademecum", ""),
    "opencode": ("", ""),
    "pi": ("", ""),
    "gemini": ("", "mcp_vademecum_"),
}
#: A pass has up to three starts of an agent in it.
_PASS_SECONDS = 90
#: Say one thing to the agent, in its newest session or in a new one.
Say = Callable[..., None]


class Person:
    """One home of a user with a project in it, and the memory of this user."""

    def __init__(self, folder: Path) -> None:
        self.user, self.project, self.memory = folder / "user", folder / "project", folder / "memory"
        for made in (self.user, self.project):
            made.mkdir()
        make_repository(self.project)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(self.user), "VADEMECUM_HOME": str(self.memory)}

    def has(self, client: Client) -> None:
        """Put the program on the PATH of this person's shell."""
        self.environ["PATH"] = f"{client.package.program.parent}{os.pathsep}{self.environ['PATH']}"

    def vade(self, *words: str, code: int = 0) -> str:
        """What a command of ours prints, which has to end with this code."""
        command = [sys.executable, "-m", "vademecum", *words]
        run = subprocess.run(command, env=self.environ, cwd=self.project, capture_output=True, text=True, check=False)
        assert run.returncode == code, run.stdout + run.stderr
        return run.stdout

    def told(self, *words: str, code: int = 0) -> dict[str, Any]:
        """The object that a command prints with `--json`."""
        return json.loads(self.vade(*words, "--json", code=code))

    def files(self) -> dict[Path, bytes]:
        """Every regular file of the home that is no link."""
        found = (path for path in sorted(self.user.rglob("*")) if path.is_file() and not path.is_symlink())
        return {path: path.read_bytes() for path in found}

    def written_for(self, client: Client) -> list[Path]:
        """The files of an agent that an installation wrote."""
        record = json.loads((self.memory / "runtime" / "hosts" / f"{client.host}.json").read_bytes())
        return [Path(written["file"]) for written in record["files"]]

    def await_told(self, words: str) -> None:
        """Wait until a hook or a plugin has noted this of a session."""
        self._await(words, "runtime/spool/*.jsonl", "runtime/hosts.json")

    def await_learned(self, words: str) -> None:
        """Wait until a pass in the background has put this into the handbook, and has ended."""
        self._await(words, "identities/default/memory/MEMORY.md")
        with Locks(self.memory / "runtime" / "locks").hold(
            Domain.LEARNER, purpose="a test", wait_seconds=_PASS_SECONDS
        ):
            pass

    def _await(self, words: str, *places: str) -> None:
        failures = self.memory / "runtime" / "hook.log"
        end = time.monotonic() + _PASS_SECONDS
        while not any(words in _text_of(path) for place in places for path in self.memory.glob(place)):
            assert not failures.exists(), failures.read_text(encoding="utf-8")
            assert time.monotonic() < end, self.vade("status")
            time.sleep(0.05)

    @contextmanager
    def talking(self, client: Client, model: FakeModel) -> Iterator[Say]:
        """Talk to a program; opencode runs on meanwhile, for each start of it takes a quarter of a minute."""
        place = Workplace(home=self.user, project=self.project, model=model)
        if client.host != "opencode":
            yield lambda words, *, resume=False: prompt(client, words, place, resume=resume)
            return
        with serving(place, client.environ(model.url)) as opencode:
            sessions: list[str] = []

            def say(words: str, *, resume: bool = False) -> None:
                if not resume:
                    sessions.append(opencode.new_session())
                opencode.prompt(sessions[-1], words)

            yield say


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""  # taken in between


def call(client: Client, tool: str, **arguments: object) -> Step:
    """The model calls a tool of ours."""
    namespace, before = _CALLED[client.host]
    return Step(tool=f"{before}{tool}", namespace=namespace, arguments=arguments)


def in_conversation(model: FakeModel, words: str) -> list[dict[str, Any]]:
    """The requests in which the agent works on what was said; helper requests, as the one for a title, are none."""
    return [body for body in model.bodies if body.get("tools") and words in json.dumps(body)]


def tools_in(body: dict[str, Any]) -> frozenset[str]:
    """The tools that a request offers, by the names that stand in it, whatever its wire."""
    return frozenset(_names_in(body.get("tools") or ()))


def _names_in(offered: object) -> Iterator[str]:
    if isinstance(offered, dict):
        if isinstance(name := offered.get("name"), str):
            yield name
        offered = [offered.get(key) for key in ("tools", "function", "functionDeclarations")]
    for one in offered if isinstance(offered, list) else ():
        yield from _names_in(one)


def blocks_in(body: dict[str, Any]) -> list[str]:
    """The memory blocks of a request, as its text has them; one host writes angle brackets as entities."""
    text = json.dumps(body).replace("&lt;", "<").replace("&gt;", ">")
    return [part.split("</vademecum-memory", 1)[0] for part in text.split("<vademecum-memory nonce=")[1:]]


def trust_hooks(client: Client, home: Path, project: Path) -> str:
    """What a person does in Codex: its settings name each hook with the hash that Codex shows for it. The lines."""
    lines = (
        f'\n[hooks.state.{json.dumps(key)}]\ntrusted_hash = "{value}"\n'
        for key, value in _shown_hashes(client, home, project).items()
    )
    text = "".join(lines)
    with (home / ".codex" / "config.toml").open("a", encoding="utf-8") as config:
        config.write(text)
    return text


def _shown_hashes(client: Client, home: Path, project: Path) -> dict[str, str]:
    """Codex's name of each hook -> the hash that it shows to the person."""
    requests = (
        {"id": 0, "method": "initialize", "params": {"clientInfo": {"name": "test", "version": "1"}}},
        {"id": 1, "method": "hooks/list", "params": {"cwds": [str(project)]}},
    )
    with subprocess.Popen(
        [str(client.package.program), "app-server"],
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("".join(json.dumps(request) + "\n" for request in requests))
        process.stdin.flush()
        answers = (json.loads(line) for line in process.stdout)
        found = next(answer for answer in answers if answer.get("id") == 1)["result"]["data"]
    return {hook["key"]: hook["currentHash"] for entry in found for hook in entry["hooks"]}
