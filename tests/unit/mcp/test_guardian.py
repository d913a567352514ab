"""A server never outlives its host for long, however badly it hangs."""

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from support.mcp_wire import COMMAND, Wire, request

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

#: After the end of a host nothing of ours may be left behind for longer.
SECONDS = 2.0
#: The server inside of one call into C, which neither lets a thread run nor a signal be heard.
PROGRAM = (
    "import os, re; from vademecum.mcp import methods, run\n"
    "methods.SLOW['test/caught'] = lambda asked: re.match('(a*)*b', 'a' * 60)\n"
    "run([], os.environ)\n"
)
CAUGHT = (sys.executable, "-I", "-c", PROGRAM)
#: A host: starts a server, waits for its first answer, tells its number, then waits.
HOST = (
    "import json, subprocess, sys, time\n"
    "server = subprocess.Popen({command!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
    'server.stdin.write(b\'{{"jsonrpc": "2.0", "id": 1, "method": "ping"}}\\n\'); server.stdin.flush()\n'
    "server.stdout.readline()\n"
    'server.stdin.write(b\'{{"jsonrpc": "2.0", "id": 2, "method": "test/caught"}}\\n\'); server.stdin.flush()\n'
    "print(server.pid, flush=True); sys.stdin.readline(); sys.exit(0)\n"
)


def children_of(process_id):
    """The numbers of the processes that it has started."""
    tasks = Path(f"/proc/{process_id}/task/{process_id}/children")
    return [int(word) for word in tasks.read_text().split()]


class Watched:
    """Processes that are nobody's children here; their ends are seen all the same."""

    def __init__(self, process_ids):
        self._ends = {os.pidfd_open(process_id): process_id for process_id in process_ids}

    def left_after(self, seconds):
        """Those that still run then."""
        end = time.monotonic() + seconds
        waiting = dict(self._ends)
        while waiting and (rest := end - time.monotonic()) > 0:
            for descriptor in select.select(list(waiting), [], [], rest)[0]:
                del waiting[descriptor]
        return list(waiting.values())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for descriptor, process_id in self._ends.items():
            with suppress(ProcessLookupError):
                os.kill(process_id, signal.SIGKILL)
            os.close(descriptor)


def stop(process_id):
    os.kill(process_id, signal.SIGSTOP)


def leave_alone(_process_id):
    """The server works, or is caught in its call."""


def kill(host):
    host.kill()


def let_end(host):
    host.stdin.close()


@pytest.mark.parametrize("end", [kill, let_end])
@pytest.mark.parametrize(
    ("command", "disturb"),
    [(COMMAND, leave_alone), (COMMAND, stop), (CAUGHT, leave_alone)],
    ids=["working", "stopped", "caught"],
)
def test_nothing_is_left_two_seconds_after_the_end_of_its_host(tmp_path, command, disturb, end):
    """user-U03"""
    environ = {**os.environ, "VADEMECUM_HOME": str(tmp_path / "home")}
    words = [sys.executable, "-c", HOST.format(command=list(command))]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, env=environ) as host:
        server = int(host.stdout.readline())
        with Watched([server, *children_of(server)]) as watched:
            disturb(server)
            end(host)
            host.wait()
            assert watched.left_after(SECONDS) == []


def test_fifty_servers_that_hang_are_gone_with_their_hosts(tmp_path):
    """user-U01: Started, stopped and left, ten at a time."""
    for _ in range(5):
        with ExitStack() as stack:
            wires = [stack.enter_context(Wire(tmp_path / "home")) for _ in range(10)]
            for wire in wires:
                assert wire.ask(request(1, "ping"))["result"] == {}
            servers = [wire.process.pid for wire in wires]
            watched = stack.enter_context(Watched([one for pid in servers for one in (pid, *children_of(pid))]))
            for wire in wires:
                stop(wire.process.pid)
                wire.process.stdin.close()
            assert watched.left_after(2 * SECONDS) == []


def test_the_watch_ends_with_its_server(tmp_path):
    """Also where the server is killed while its host goes on."""
    with Wire(tmp_path / "home") as wire:
        wire.ask(request(1, "ping"))
        (guardian,) = children_of(wire.process.pid)
        with Watched([guardian]) as watched:
            wire.process.kill()
            assert watched.left_after(SECONDS) == []


def test_a_server_that_ends_leaves_nobody_to_be_taken_note_of(tmp_path):
    """In a container there may be nobody who does."""
    with Wire(tmp_path / "home") as wire:
        wire.ask(request(1, "ping"))
        (guardian,) = children_of(wire.process.pid)
        wire.hang_up()
        assert not Path(f"/proc/{guardian}").exists()


def test_ctrl_c_ends_neither_the_watch_nor_prints_anything(tmp_path):
    """A terminal sends it to all of its programs; what comes of it is up to the host."""
    with Wire(tmp_path / "home") as wire:
        wire.ask(request(1, "ping"))
        (guardian,) = children_of(wire.process.pid)
        os.kill(guardian, signal.SIGINT)
        stop(wire.process.pid)
        wire.process.stdin.close()
        assert wire.process.wait(SECONDS) == -signal.SIGKILL
        assert wire.process.stderr.read() == b""


def test_a_server_that_can_have_no_watch_works_without(tmp_path):
    program = (
        "import os; from vademecum.mcp import run\n"
        "def fork(): raise BlockingIOError('too many processes')\n"
        "os.fork = fork\n"
        "run([], os.environ)\n"
    )
    with Wire(tmp_path / "home", command=(sys.executable, "-I", "-c", program)) as wire:
        assert wire.ask(request(1, "ping"))["result"] == {}
        assert wire.hang_up()[0] == []
        assert wire.process.returncode == 0
