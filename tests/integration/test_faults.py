"""What breaks while agents run: on every surface their work goes on, and `vade doctor` says what it is.

The commands are those that `vade install` wrote, read out of the agents' files.
"""

import shlex
from contextlib import ExitStack

import pytest

from support.faults import FAULTS
from support.hooks import pass_is_recent
from support.installed import HOOKED, PLUGGED, SERVED, Installed
from support.mcp_wire import HANDSHAKE, call, request
from support.product import ruled
from vademecum.hosts import HOSTS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

MARK = "always use pnpm"
BEGIN = {"session_id": "s1", "cwd": "/srv/shop", "source": "startup", "hook_event_name": "SessionStart"}
CITED = "Done.\n\n<memory-citation>\nMEMORY.md:1-2\n</memory-citation>"


@pytest.fixture
def user_home(closed_home, monkeypatch):
    monkeypatch.delenv("XDG_CONFIG_HOME")
    return closed_home


@pytest.fixture
def plugged(product, user_home):
    """Memory with something in it, plugged into every agent."""
    product.tell(ruled(f"{MARK} here"))
    product.learn()
    product.call("search", "pnpm")
    for host in HOSTS:
        product.call("install", host.name, "--yes")
    pass_is_recent(product.home)
    return product


@pytest.fixture(params=FAULTS)
def fault(request, plugged):
    FAULTS[request.param].happens(plugged)
    return FAULTS[request.param]


def test_every_hook_ends_well_and_gives_what_is_there(fault, user_home):
    """user-U70"""
    for host in HOOKED:
        agent = Installed(host, user_home)
        assert (MARK in agent.block(BEGIN)) == fault.gives
        for number in (1, 2):
            done = agent.hook(number, BEGIN)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def assert_answers_questions(wire):
    wire.ask(request(1, "initialize", HANDSHAKE))
    assert len(wire.ask(request(2, "tools/list"))["result"]["tools"]) > 5
    for number, (tool, arguments) in enumerate(
        [("memory_search", {"query": "pnpm"}), ("memory_list", {}), ("session_search", {"query": "pnpm"})]
    ):
        result = wire.ask(call(10 + number, tool, arguments))["result"]
        (said,) = result["content"]
        assert said["text"]
        assert not result["isError"] or "next: " in said["text"]


def test_every_server_answers_whatever_it_is_asked(fault, user_home):
    """They write at the same time: where git left a lock, each of them waits for it for some seconds."""
    with ExitStack() as stack:
        wires = {host: stack.enter_context(Installed(host, user_home).server()) for host in SERVED}
        for wire in wires.values():
            assert_answers_questions(wire)
        for host, wire in wires.items():
            wire.send(call(20, "memory_add_note", {"note": f"The deploy day of {host} is Tuesday."}))
        for host, wire in wires.items():
            noted = wire.receive()["result"]
            assert noted["isError"] != fault.notes, (host, noted)
            assert wire.ask(request(21, "ping"))["result"] == {}
            assert wire.hang_up()[0] == []


@pytest.mark.parametrize("host", PLUGGED)
def test_every_child_of_a_plugin_answers_whatever_it_is_asked(fault, user_home, host):
    session = {"host": host, "session": "s9", "cwd": "/srv/shop"}
    with Installed(host, user_home).server() as wire:
        for number, (method, params) in enumerate(
            [
                ("vademecum/context", {**session, "event": "start"}),
                ("vademecum/cite", {**session, "message": "m1", "text": CITED}),
                ("vademecum/event", {**session, "event": "stop"}),
                ("vademecum/context", {**session, "event": "turn"}),
            ]
        ):
            answer = wire.ask(request(number, method, params))
            assert ("result" in answer) or answer["error"]["data"]["next"]
        assert wire.ask(request(9, "ping"))["result"] == {}
        assert wire.hang_up()[0] == []


def test_the_doctor_says_what_is_wrong_and_how_to_mend_it(fault, plugged):
    """user-U68"""
    told = plugged.call("doctor", "--json", code=1 if fault.is_problem else 0).json["findings"]
    found = [one for one in told if one["area"] == fault.area and fault.says in one["what"]]
    assert found, told
    assert found[0]["level"] in {"problem", "warning"}
    assert found[0]["next"]
    assert fault.mended_by in found[0]["next"]


@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if fault.mended_by])
def test_what_the_doctor_names_as_the_next_step_mends_it(plugged, user_home, name):
    fault = FAULTS[name]
    fault.happens(plugged)
    _, *words = shlex.split(fault.mended_by)
    plugged.call(*words)
    told = plugged.call("doctor", "--json").json["findings"]
    assert not [one for one in told if fault.says in one["what"] and one["level"] != "ok"]
    assert MARK in Installed("codex", user_home).block({**BEGIN, "session_id": "s2"})


@pytest.mark.parametrize("leaves_a_folder", [False, True])
def test_a_home_that_goes_while_agents_run_is_never_made_anew_in_silence(plugged, user_home, leaves_a_folder):
    """Servers that run and that are started then, their plugins' events, and hooks: nothing of them makes a home."""
    told = {"session": "s9", "cwd": "/srv/shop"}
    for host in (*SERVED, *PLUGGED):
        with Installed(host, user_home).server() as wire:
            wire.ask(request(1, "initialize", HANDSHAKE))
            assert not wire.ask(call(2, "memory_search", {"query": "pnpm"}))["result"]["isError"]
            away = plugged.home.rename(plugged.folder / "away")
            if leaves_a_folder:
                plugged.home.mkdir()
            for number, words in enumerate(
                [("memory_add_note", {"note": "The deploy day is Tuesday."}), ("memory_search", {"query": "pnpm"})]
            ):
                result = wire.ask(call(10 + number, *words))["result"]
                assert result["isError"]
                assert f"{plugged.home}, is gone" in result["content"][0]["text"]
            for number, event in enumerate(["stop", "session-end"], 20):
                answer = wire.ask(request(number, "vademecum/event", {**told, "host": host, "event": event}))
                assert answer["error"]["data"]["next"].startswith("Bring it back")
            if host in HOOKED:
                assert [Installed(host, user_home).hook(number, BEGIN).returncode for number in (1, 2)] == [0, 0]
            assert not plugged.home.exists() or not any(plugged.home.iterdir())
            if leaves_a_folder:
                plugged.home.rmdir()
            away.rename(plugged.home)
            assert not wire.ask(call(30, "memory_search", {"query": "pnpm"}))["result"]["isError"]


def test_a_home_in_order_gives_no_warning(plugged):
    levels = {one["level"] for one in plugged.call("doctor", "--json").json["findings"]}
    assert levels == {"note", "ok"}
