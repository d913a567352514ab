"""Asks Codex itself, by its app server: which hooks it knows and trusts, which tools it sees. No model is asked.

The server speaks JSON-RPC, one object per line, on its standard streams. Source: `codex app-server` of Codex 0.171.
"""

import json
import subprocess
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any

import msgspec

from vademecum import __version__
from vademecum.errors import NotFound
from vademecum.hosts.plain import list_of, table_of, text_of
from vademecum.hosts.running import Deadline, ended, start

__all__ = ["Answers", "ask"]

#: It starts in a second; the rest is for slow machines and for the server of the tools.
_SECONDS = 20.0


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What Codex said."""

    #: The command of each hook -> how it stands: `trusted`, `untrusted`, `modified`, ...
    hooks: dict[str, str]
    #: The tools of each server that it started.
    tools: dict[str, tuple[str, ...]]


def ask(program: str, environ: Mapping[str, str], folder: str, others: Sequence[str]) -> Answers:
    """Ask the program. `others`: the servers that must not be started for it. Raises NotFound without an answer."""
    off = [word for name in others for word in ("-c", f"mcp_servers.{json.dumps(name)}.enabled=false")]
    try:
        with _running([program, "app-server", *off], environ, folder) as (stdin, answers):
            _send(stdin, 0, "initialize", {"clientInfo": {"name": "vademecum", "version": __version__}})
            _send(stdin, 1, "hooks/list", {"cwds": [folder]})
            _send(stdin, 2, "mcpServerStatus/list", {})
            found = _results(answers, {1, 2})
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise NotFound(f"{program} did not answer: {error}") from error
    hooks = _hooks(found[1])
    return Answers(
        hooks={text_of(hook.get("command")): _standing(hook) for hook in hooks},
        tools=_tools(found[2]),
    )


@contextmanager
def _running(
    words: list[str], environ: Mapping[str, str], folder: str
) -> Generator[tuple[IO[str], Iterator[dict[str, Any]]]]:
    process = start(words, environ, folder, takes_input=True)
    assert process.stdin is not None
    assert process.stdout is not None
    with ended(process), Deadline(process, _SECONDS):
        yield process.stdin, (table_of(json.loads(line)) for line in process.stdout)


def _send(stdin: IO[str], number: int, method: str, params: Mapping[str, object]) -> None:
    stdin.write(json.dumps({"id": number, "method": method, "params": params}) + "\n")
    stdin.flush()


def _results(answers: Iterator[dict[str, Any]], wanted: set[int]) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for message in answers:
        if message.get("id") in wanted:
            if "error" in message:
                raise ValueError(text_of(table_of(message["error"]).get("message")))
            found[message["id"]] = table_of(message.get("result"))
        if len(found) == len(wanted):
            return found
    raise ValueError("it ended before it had answered")


def _hooks(result: dict[str, Any]) -> list[dict[str, Any]]:
    entries = map(table_of, list_of(result.get("data")))
    return [table_of(hook) for entry in entries for hook in list_of(entry.get("hooks"))]


def _standing(hook: dict[str, Any]) -> str:
    return "disabled" if hook.get("enabled") is False else text_of(hook.get("trustStatus"))


def _tools(result: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    servers = (table_of(entry) for entry in list_of(result.get("data")))
    return {text_of(server.get("name")): tuple(table_of(server.get("tools"))) for server in servers}
