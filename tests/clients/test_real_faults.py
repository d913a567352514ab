"""The real Codex and Claude Code with memory plugged in by `vade install`, while it breaks: their turns go on."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from support.clients_driving import KEY, RUN_SECONDS, kill, start
from support.clients_in_one_home import AGENTS, MARK, Plugged, tool_step
from support.fake_model import FakeModel, Step, marker
from support.faults import FAULTS

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(params=AGENTS, ids=lambda one: one.host)
def client(request):
    return request.param


@pytest.fixture
def plugged(client, tmp_path, closed_home, monkeypatch):
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("FAKE_API_KEY", KEY)
    scenarios = {
        "look": [tool_step(client, "memory_search", query="pnpm"), Step(text="Done.")],
        "plain": [Step(text="As you like.")],
        "killing": [
            tool_step(client, "memory_search", query="pnpm"),
            client.shell("touch waiting; while test -e waiting; do sleep 0.05; done"),
            tool_step(client, "memory_search", query="pnpm"),
            Step(text="Done."),
        ],
    }
    with FakeModel(scenarios) as model:
        yield Plugged(client, tmp_path, closed_home, model)


def servers(plugged: Plugged) -> list[int]:
    """The processes of the server that the host started."""
    return [
        int(path.name)
        for path in Path("/proc").glob("[0-9]*")
        if str(plugged.python).encode() in (words := words_of(path)) and b"vademecum.mcp" in words
    ]


def words_of(path: Path) -> list[bytes]:
    try:
        return (path / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


FAULTY = (
    "a spoiled state",
    "a spoiled cache",
    "spoiled settings of hooks",
    "settings that are no TOML",
    "a home that is gone",
)


@pytest.mark.parametrize("name", FAULTY)
def test_a_turn_goes_on_in_a_home_that_broke(plugged, name):
    fault = FAULTS[name]
    fault.happens(plugged.product)
    plugged.product.call("doctor", code=1 if fault.is_problem else 0)
    bodies = plugged.turn("look")
    assert (MARK in json.dumps(bodies[0])) == fault.gives
    assert len(bodies) == 2


def test_a_turn_goes_on_without_the_interpreter(plugged):
    """user-U70: The hook and the server cannot start; doctor names the file that is gone, and the next step."""
    assert MARK in json.dumps(plugged.turn("look")[0])
    plugged.python.unlink()
    assert len(plugged.turn("plain", resume=True)) == 1
    (body,) = plugged.turn("plain")
    assert MARK not in json.dumps(body)
    found = plugged.product.call("doctor", "--json", code=1).json["findings"]
    told = [one for one in found if f"{plugged.python} is not there any more" in one["what"]]
    assert [one["area"] for one in told] == [plugged.client.host] * 2
    assert {one["next"] for one in told} == {f"Run `vade install {plugged.client.host}`."}


def test_a_turn_goes_on_when_its_server_is_killed(plugged):
    """user-U03"""
    process = start(plugged.client, f"please {marker('killing')}", plugged.place)
    waiting = plugged.place.project / "waiting"
    end = time.monotonic() + RUN_SECONDS
    while not waiting.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    killed = servers(plugged)
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    waiting.unlink()
    try:
        output = process.communicate(timeout=RUN_SECONDS)[0]
    finally:
        kill(process)
    assert killed
    assert process.returncode == 0, output
    assert "Done." in output
    assert servers(plugged) == []
    assert MARK in json.dumps(plugged.turn("look")[1])
