"""A server of the tools over a home whose disk stands still, and comes back."""

import os
import sys
import time
from pathlib import Path

import pytest

from support.mcp_wire import HANDSHAKE, Wire, call, request
from vademecum.engine import Memory

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

#: More calls than are worked on at once.
CALLS = 12
#: The server, in a process in which whatever looks into the home waits at a named pipe for as long as that is there.
STALLED = """
import os, sys
home, gate = sys.argv[1:]
def look(event, arguments):
    if event in {"open", "os.listdir", "os.scandir", "os.mkdir", "sqlite3.connect"}:
        if isinstance(arguments[0], (str, os.PathLike)) and os.fspath(arguments[0]).startswith(home):
            try:
                with open(gate) as pipe:
                    pipe.read()
            except FileNotFoundError:
                pass
sys.addaudithook(look)
from vademecum.mcp import run
run([], os.environ)
"""


class StandStill:
    """A disk that answers nobody until it is released."""

    def __init__(self, folder: Path) -> None:
        self.home, self._gate = folder / "home", folder / "gate"
        self._ends: list[int] = []
        os.mkfifo(self._gate)

    def server(self) -> Wire:
        command = (sys.executable, "-I", "-c", STALLED, str(self.home), str(self._gate))
        return Wire(self.home, command=command)

    def await_victim(self) -> None:
        """Return as soon as somebody waits for the disk."""
        deadline = time.monotonic() + 20
        while True:
            try:
                self._ends.append(os.open(self._gate, os.O_WRONLY | os.O_NONBLOCK))
            except OSError:
                assert time.monotonic() < deadline, "nobody looks into the home"
                os.sched_yield()
            else:
                return

    def release(self) -> None:
        self._gate.unlink()
        while self._ends:
            os.close(self._ends.pop())


@pytest.fixture
def disk(tmp_path: Path) -> StandStill:
    """A memory with a note in it, on a disk that stands still from now on."""
    memory = Memory.open(home=tmp_path / "home")
    memory.begin()
    memory.note("Deploys are on Tuesday.")
    return StandStill(tmp_path)


def search(number: int) -> dict:
    return call(number, "memory_search", {"query": "deploys"})


def test_what_a_host_waits_for_at_its_start_looks_at_nothing_of_the_home(disk):
    """user-U64: a host gives its servers a time to begin, and a disk that stands still costs none of it."""
    with disk.server() as wire:
        assert wire.ask(request(1, "initialize", HANDSHAKE))["result"]["serverInfo"]
        assert len(wire.ask(request(2, "tools/list"))["result"]["tools"]) > 5
        wire.send(*(search(10 + number) for number in range(CALLS)))
        disk.await_victim()
        assert wire.ask(request(3, "ping"))["id"] == 3
        assert wire.ask(request(4, "tools/list"))["id"] == 4


def test_calls_wait_for_the_disk_and_are_answered_when_it_is_back(disk):
    """user-U64"""
    with disk.server() as wire:
        wire.greet()
        wire.send(*(search(number) for number in range(CALLS)))
        disk.await_victim()
        disk.release()
        answers = [wire.receive() for _ in range(CALLS)]
    assert sorted(answer["id"] for answer in answers) == list(range(CALLS))
    assert all("Tuesday" in answer["result"]["content"][0]["text"] for answer in answers)


def test_a_call_that_waits_for_the_disk_keeps_no_server_behind_its_host(disk):
    """user-U64, user-U03"""
    with disk.server() as wire:
        wire.greet()
        wire.send(search(1))
        disk.await_victim()
        answers, seconds = wire.hang_up()
    assert answers == []
    assert seconds < 5
