"""Codex and Claude Code with memory plugged in by `vade install`, in a home of their own."""

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

from support.clients_driving import CLIENTS, Client, Workplace, prompt
from support.fake_model import FakeModel, Step, marker
from support.hooks import pass_is_recent
from support.installed import own_interpreter
from support.product import Product, ruled

__all__ = ["AGENTS", "MARK", "Plugged", "tool_step"]

MARK = "always use pnpm"
_BYPASS = "--dangerously-bypass-hook-trust"
#: How a model calls our tool in each host: namespace and name.
_SEARCH = {
    "claude-code": ("", "mcp__plugin_vademecum_vademecum__memory_search"),
    "codex": ("mcp__vademecum", "memory_search"),
}


def _with_trust(client: Client) -> Client:
    """Codex runs no hook that nobody trusted; its option for tests passes over that."""
    if client.host != "codex":
        return client
    return replace(
        client,
        begin=lambda words: ["exec", _BYPASS, words],
        resume=lambda words: ["exec", "resume", "--last", _BYPASS, words],
    )


AGENTS = [_with_trust(client) for client in CLIENTS if client.host in _SEARCH]


def tool_step(client: Client, name: str, **arguments: object) -> Step:
    """The step in which a model calls a tool of ours."""
    namespace, search = _SEARCH[client.host]
    tool = search.replace("memory_search", name)
    return Step(text="I look.", tool=tool, namespace=namespace, arguments=arguments)


class Plugged:
    """A person's home with memory plugged into one agent, by an interpreter that can be taken away."""

    def __init__(self, client: Client, folder: Path, user_home: Path, model: FakeModel) -> None:
        self.client, self.product = client, Product(folder / "product")
        self.product.folder.mkdir()
        self.python = own_interpreter(folder / "venv")
        self.place = Workplace(home=user_home, project=folder / "project", model=model)
        self.place.project.mkdir()
        subprocess.run(["git", "init", "--quiet", str(self.place.project)], check=True)
        client.configure(user_home, model.url)
        self.product.tell(ruled(f"{MARK} here", cwd=str(self.place.project)))
        self.product.learn()
        self.product.call("search", "pnpm")
        environ = {"HOME": str(user_home), "PATH": os.environ["PATH"], **self.product.environ}
        command = [str(self.python), "-m", "vademecum", "install", client.host, "--yes"]
        subprocess.run(command, env=environ, check=True, capture_output=True)
        pass_is_recent(self.product.home)

    def turn(self, scenario: str, *, resume: bool = False) -> list[dict]:
        """The requests of one prompt, which ended well."""
        before = len(self.place.model.bodies)
        prompt(self.client, f"please {marker(scenario)}", self.place, resume=resume)
        return [body for body in self.place.model.bodies[before:] if marker(scenario) in json.dumps(body)]
