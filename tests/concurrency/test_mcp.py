"""Many MCP servers at once, servers that are killed, and clients that mean harm."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.mcp_wire import COMMAND, HANDSHAKE, Wire, call, request
from vademecum.engine import Memory

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

SERVERS = 10
ROUNDS = 50


def notes(home):
    return [entry for entry in Memory.open(home=home).tree().paths() if entry.startswith("extensions/ad_hoc/notes/")]


def test_ten_servers_started_at_once_all_answer_within_two_seconds(tmp_path):
    """Where the machine is busy with other things, bare interpreters tell how busy."""
    home = tmp_path / "home"
    Memory.open(home=home).begin()
    bare = seconds_of_bare_interpreters()
    with ExitStack() as stack:
        began = time.perf_counter()
        wires = [stack.enter_context(Wire(home)) for _ in range(SERVERS)]
        for wire in wires:
            wire.send(request(1, "initialize", HANDSHAKE), request(2, "tools/list"))
        for wire in wires:
            assert [wire.receive()["id"], wire.receive()["id"]] == [1, 2]
        assert time.perf_counter() - began < max(2.0, 12 * bare)
        for number, wire in enumerate(wires):
            wire.send(call(3, "memory_add_note", {"note": f"Rule number {number}."}))
        assert [wire.receive()["result"]["isError"] for wire in wires] == [False] * SERVERS
    assert len(notes(home)) == SERVERS


def seconds_of_bare_interpreters():
    began = time.perf_counter()
    for process in [subprocess.Popen([sys.executable, "-I", "-S", "-c", "pass"]) for _ in range(SERVERS)]:
        process.wait()
    return time.perf_counter() - began


def test_two_servers_lose_none_of_each_others_writes(tmp_path):
    """user-U10"""
    home = tmp_path / "home"
    Memory.open(home=home).begin()
    with Wire(home) as one, Wire(home) as other:
        for number in range(20):
            for name, wire in (("one", one), ("other", other)):
                wire.send(call(number, "memory_add_note", {"note": f"Rule number {number} of {name}."}))
        answers = [wire.receive()["result"] for wire in (one, other) for _ in range(20)]
    assert [answer["isError"] for answer in answers] == [False] * 40
    assert len(notes(home)) == 40


def test_a_server_ends_when_its_client_is_killed(tmp_path):
    """user-U03"""
    program = (
        "import subprocess, sys, time\n"
        f"server = subprocess.Popen({list(COMMAND)!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        'server.stdin.write(b\'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\\n\'); server.stdin.flush()\n'
        "server.stdout.readline(); print(server.pid, flush=True); time.sleep(60)\n"
    )
    environ = {**os.environ, "VADEMECUM_HOME": str(tmp_path / "home")}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environ) as client:
        pid = int(client.stdout.readline())
        assert is_running(pid)
        client.kill()
    ended_by = time.monotonic() + 10
    while is_running(pid):
        assert time.monotonic() < ended_by
        os.sched_yield()


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # a container may have nobody who takes note of its end


def test_rounds_of_start_and_kill_leave_no_process_and_a_sound_memory(tmp_path):
    """user-U01"""
    home = tmp_path / "home"
    Memory.open(home=home).begin()
    chance = random.Random(1)
    pids = []
    for number in range(ROUNDS):
        with Wire(home) as wire:
            pids.append(wire.process.pid)
            if number % 5 == 0:  # in the middle of a write
                wire.send(call(2, "memory_add_note", {"note": f"Rule number {number}."}))
            else:
                wire.ask(request(1, "ping"))
            match chance.randrange(4):
                case 0:
                    wire.signal(signal.SIGKILL)
                case 1:
                    wire.signal(signal.SIGTERM)
                case 2:
                    wire.signal(signal.SIGINT)
                case 3:
                    wire.hang_up()
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    before = len(notes(home))
    with Wire(home) as wire:
        assert not wire.ask(call(1, "memory_add_note", {"note": "The last rule."}))["result"]["isError"]
    assert len(notes(home)) == before + 1


def test_a_storm_of_messages_is_answered_one_by_one(tmp_path):
    """Good and bad ones, huge and tiny ones, in pieces of any length: each request gets its own answer, once."""
    chance = random.Random(2)
    wanted, stream = [], b""
    for number in range(600):
        kind = chance.randrange(8)
        if kind == 0:
            stream += chance.choice([b"{", b"\xff\xfe", b"null", b"[]", b"[" * 5_000, b'"\\ud800"', b"\0"]) + b"\n"
            wanted.append(None)
        elif kind == 1:
            stream += chance.choice([b"\n", b"\r\n", b"   \n"])
        elif kind == 2:
            stream += b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "none"}}\n'
        elif kind == 3:
            stream += (
                json.dumps(request(number, "nobody/knows", {"x": "y" * chance.randrange(100_000)})).encode() + b"\n"
            )
            wanted.append(number)
        else:
            stream += json.dumps(request(number, chance.choice(["ping", "tools/list"]))).encode() + b"\r\n"
            wanted.append(number)
    pieces, position = [], 0
    while position < len(stream):
        size = chance.randrange(1, 60_000)
        pieces.append(stream[position : position + size])
        position += size
    with Wire(tmp_path / "home") as wire:
        writer = threading.Thread(target=lambda: [wire.send(piece) for piece in pieces])
        writer.start()
        got = [wire.receive()["id"] for _ in wanted]
        writer.join()
        assert wire.hang_up()[0] == []
    assert got == wanted
