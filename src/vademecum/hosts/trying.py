"""Run the commands that stand in a host's configuration as the host would, and see what it would get.

They are the very commands, started in a folder of the user's with hardly any environment. The hook works on a copy of
what it reads: neither a session that never was nor a learner may come of an examination.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import msgspec

from vademecum.errors import NotFound
from vademecum.home import Home
from vademecum.hosts.plain import list_of, table_of, text_of
from vademecum.hosts.protocol import Command
from vademecum.hosts.running import Deadline, ended, start

__all__ = ["HookAnswer", "ServerAnswer", "gone", "try_hook", "try_server"]

#: Hosts wait for ten; a machine under load takes long.
_SECONDS = 10.0
_VERSION = "2025-06-18"
_CLIENT = {"name": "vade doctor", "version": "1"}
_KEPT = ("PATH", "HOME", "LANG", "SHELL")
_HOME_OPTION = "--home"
_IDENTITIES = "identities"
_READ_OF_AN_IDENTITY = ("runtime/cache/context.json", "memory/.git/refs/heads/main", "memory/.git/packed-refs")


class ServerAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the server of the tools said."""

    version: str
    tools: tuple[str, ...]
    seconds: float


class HookAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a new session would get from the hook."""

    text: str
    seconds: float
    #: What the hook wrote down where it failed; empty where it did not.
    failure: str


def gone(command: Command) -> str | None:
    """The first word of a command that names a file which is not there; the program, or what it is to run."""
    program, *words = command.words
    if not os.access(program, os.X_OK):
        return program
    scripts = (word for word in words if word.startswith("/") and word.endswith(".py"))
    return next((script for script in scripts if not Path(script).exists()), None)


def try_server(command: Command, environ: Mapping[str, str], folder: str) -> ServerAnswer:
    """Start the server and ask for its tools. Raises NotFound where it does not answer."""
    began = monotonic()
    requests = (
        _request(0, "initialize", {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": _CLIENT}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        _request(1, "tools/list", {}),
    )
    try:
        answers = _answers(command, environ, folder, requests)
        first, second = (table_of(answers[number].get("result")) for number in (0, 1))
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        raise NotFound("it does not answer as a server of tools") from error
    return ServerAnswer(
        version=text_of(table_of(first.get("serverInfo")).get("version")),
        tools=tuple(text_of(table_of(tool).get("name")) for tool in list_of(second.get("tools"))),
        seconds=monotonic() - began,
    )


def _request(number: int, method: str, params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _answers(
    command: Command, environ: Mapping[str, str], folder: str, requests: tuple[object, ...]
) -> dict[int, dict[str, Any]]:
    process = _start(command, {**_little(environ), **command.environ}, folder)
    assert process.stdin is not None
    assert process.stdout is not None
    with ended(process), Deadline(process, _SECONDS):
        process.stdin.write("".join(json.dumps(request) + "\n" for request in requests))
        process.stdin.flush()
        return _by_id(iter(process.stdout))


def _by_id(lines: Iterator[str]) -> dict[int, dict[str, Any]]:
    """The answers up to that to the last question."""
    found: dict[int, dict[str, Any]] = {}
    for line in lines:
        message = table_of(json.loads(line))
        if isinstance(number := message.get("id"), int):
            found[number] = message
        if number == 1:
            break
    return found


def try_hook(command: Command, environ: Mapping[str, str], home: Home, folder: str) -> HookAnswer:
    """Run the hook as for a new session in a folder. Raises NotFound where it does not end as a hook."""
    with TemporaryDirectory(prefix="vademecum-") as scratch:
        copy = Home(root=Path(scratch))
        _copy_home(home, copy)
        tried = Command(words=_at_home(command.words, copy))
        began = monotonic()
        payload = {"session_id": "", "cwd": folder, "hook_event_name": "SessionStart", "source": "startup"}
        process = _start(tried, _little(environ), folder)
        try:
            with ended(process):
                output = process.communicate(json.dumps(payload), timeout=_SECONDS)[0]
        except subprocess.TimeoutExpired as error:
            raise NotFound(f"it takes longer than {_SECONDS:g} s") from error
        log = copy.runtime / "hook.log"
        failure = log.read_text(encoding="utf-8", errors="replace").strip() if log.exists() else ""
    return HookAnswer(text=_injected(output), seconds=monotonic() - began, failure=failure)


def _injected(output: str) -> str:
    try:
        answer = table_of(json.loads(output)) if output.strip() else {}
    except ValueError as error:
        raise NotFound("what it prints is not what a host can read") from error
    return text_of(table_of(answer.get("hookSpecificOutput")).get("additionalContext"))


def _copy_home(home: Home, copy: Home) -> None:
    """Everything that a hook reads, in a place where it may write."""
    copy.runtime.mkdir()
    for name in ("hook.json", "routes.json"):
        if (home.runtime / name).is_file():
            (copy.runtime / name).write_bytes((home.runtime / name).read_bytes())
    if home.config.exists():
        (copy.root / home.config.name).symlink_to(home.config)
    identities = home.root / _IDENTITIES
    if not identities.is_symlink():  # a hook follows none in its place
        for path in (path for name in _READ_OF_AN_IDENTITY for path in identities.glob(f"*/{name}")):
            copied = copy.root / path.relative_to(home.root)
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_bytes(path.read_bytes())
    for stamp in ("learner.started", "mender.started"):
        (copy.runtime / stamp).touch()  # one has just begun, so none begins


def _at_home(words: tuple[str, ...], home: Home) -> tuple[str, ...]:
    kept = words[: words.index(_HOME_OPTION)] if _HOME_OPTION in words else words
    return (*kept, _HOME_OPTION, str(home.root))


def _little(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: environ[name] for name in _KEPT if name in environ}


def _start(command: Command, environ: Mapping[str, str], folder: str) -> subprocess.Popen[str]:
    try:
        return start(command.words, environ, folder, takes_input=True)
    except OSError as error:
        raise NotFound(f"it cannot be started: {error.strerror}") from error
