"""The commands that `vade install` wrote, many at once, and started and killed again and again."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.hooks import pass_is_recent
from support.installed import Installed
from support.mcp_wire import HANDSHAKE, call, request
from support.product import Product
from vademecum.hosts import HOSTS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

AT_ONCE = 10
ROUNDS = 50
MOST_SECONDS = 2.0
MARK = "always use pnpm"
PAYLOAD = {"cwd": "/srv/shop", "source": "startup", "hook_event_name": "SessionStart"}


@pytest.fixture
def user_home(closed_home, monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_CONFIG_HOME")
    product = Product(tmp_path)
    product.call("note", MARK)
    for host in HOSTS:
        product.call("install", host.name, "--yes")
    pass_is_recent(product.home)
    return closed_home


def seconds_of_bare_interpreters(count):
    began = time.perf_counter()
    for process in [subprocess.Popen([sys.executable, "-I", "-S", "-c", "pass"]) for _ in range(count)]:
        process.wait()
    return time.perf_counter() - began


def test_ten_hooks_and_ten_servers_at_once_all_answer_in_time(user_home):
    """user-U16: Where the machine is busy with other things, bare interpreters tell how busy."""
    bare = seconds_of_bare_interpreters(2 * AT_ONCE)
    line = Installed("codex", user_home).hook_lines()["SessionStart"]
    pipe = subprocess.PIPE
    with ExitStack() as stack:
        began = time.perf_counter()
        wires = [stack.enter_context(Installed("codex", user_home).server()) for _ in range(AT_ONCE)]
        hooks = [
            stack.enter_context(subprocess.Popen(["/bin/sh", "-c", line], stdin=pipe, stdout=pipe, stderr=pipe))
            for _ in range(AT_ONCE)
        ]
        for number, hook in enumerate(hooks):
            hook.stdin.write(json.dumps({**PAYLOAD, "session_id": f"s{number}"}).encode())
            hook.stdin.close()
        for wire in wires:
            wire.send(request(1, "initialize", HANDSHAKE), request(2, "tools/list"))
        given = [hook.stdout.read().decode() for hook in hooks]
        hooks_seconds = time.perf_counter() - began
        for wire in wires:
            assert [wire.receive()["id"], wire.receive()["id"]] == [1, 2]
        seconds = time.perf_counter() - began
        assert [MARK in text for text in given] == [True] * AT_ONCE
        assert [hook.wait() for hook in hooks] == [0] * AT_ONCE
    print(f"ten hooks {hooks_seconds:.2f} s, with ten servers {seconds:.2f} s, twenty bare interpreters {bare:.2f} s")  # noqa: T201  the figures
    assert seconds < max(MOST_SECONDS, 12 * bare)


@pytest.mark.parametrize("host", ["claude-code", "opencode"])
def test_fifty_rounds_of_start_and_kill_leave_no_process(user_home, host):
    """user-U01"""
    agent = Installed(host, user_home)
    pids = []
    for number in range(ROUNDS):
        with agent.server() as wire:
            pids.append(wire.process.pid)
            if number % 5 == 0:  # in the middle of a write
                wire.send(call(1, "memory_add_note", {"note": f"Rule number {number}."}))
            else:
                wire.ask(request(1, "ping"))
            if number % 2:
                wire.hang_up()
            else:
                wire.signal((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[number // 2 % 3])
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    command = " ".join(agent.server_command()[0])
    assert [pid for pid, words in running() if words == command and pid in family(os.getpid())] == []
    with agent.server() as wire:
        assert not wire.ask(call(1, "memory_add_note", {"note": "The last rule."}))["result"]["isError"]


def running():
    for path in Path("/proc").glob("[0-9]*"):
        try:
            yield int(path.name), (path / "cmdline").read_bytes().rstrip(b"\0").replace(b"\0", b" ").decode()
        except OSError:
            continue


def family(pid):
    """The processes that this one started and that still run."""
    return {int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}
