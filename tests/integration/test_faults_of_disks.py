"""Disks that are full, read-only or gone, learners that hang, and two versions at once, under the written commands."""

import json
import os
import subprocess
import time
from datetime import UTC, datetime, timedelta

import pytest

from support.fake_agents import program
from support.hooks import pass_is_recent
from support.installed import HOOKED, PLUGGED, SERVED, WITH_THE_PROMPT, Installed
from support.mcp_wire import HANDSHAKE, call, request
from support.product import Product, ruled, snapshot
from vademecum import Memory, bare
from vademecum.engine import AskedBy
from vademecum.hosts import HOSTS
from vademecum.toolbox import call_tool

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

MARK = "always use pnpm"
BEGIN = {"session_id": "s1", "cwd": "/srv/shop", "source": "startup", "hook_event_name": "SessionStart"}
#: A hook ends itself after 0.8 s; the rest is for busy machines.
HOOK_SECONDS = 5


@pytest.fixture
def user_home(closed_home, monkeypatch):
    monkeypatch.delenv("XDG_CONFIG_HOME")
    return closed_home


def plug_in(product):
    product.tell(ruled(f"{MARK} here"))
    product.learn()
    for host in HOSTS:
        product.call("install", host.name, "--yes")
    pass_is_recent(product.home)


@pytest.fixture
def disk(tmp_path, user_home):
    """A small file system with a home on it that works."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only a user who may mount can make a small file system")
    plug_in(Product(folder))
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def remount(folder, options):
    subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)


def fill(folder):
    with (folder / "filler").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return


#: What happens to the disk; what is undone again.
DISKS = {"full": (fill, lambda folder: (folder / "filler").unlink())}
DISKS["read-only"] = (lambda folder: remount(folder, "ro"), lambda folder: remount(folder, "rw"))


@pytest.mark.parametrize("state", DISKS)
def test_a_disk_that_takes_nothing_costs_no_session_its_block_and_no_server_its_answers(disk, user_home, state):
    """user-U70: Every hook and every server goes on; what cannot be written says so, with the next step."""
    spoils, mends = DISKS[state]
    product = Product(disk)
    spoils(disk)
    try:
        for host in HOOKED:
            agent = Installed(host, user_home)
            # What comes with a prompt is given once only, and nothing can be kept that says that it was.
            assert (MARK in agent.block(BEGIN)) is (host not in WITH_THE_PROMPT)
            assert [agent.hook(number, BEGIN).returncode for number in (1, 2)] == [0, 0]
        for host in (*SERVED, *PLUGGED):
            told = {"host": host, "session": "s9", "cwd": "/srv/shop"}
            with Installed(host, user_home).server() as wire:
                wire.ask(request(1, "initialize", HANDSHAKE))
                found = wire.ask(call(2, "memory_search", {"query": "pnpm"}))["result"]
                assert not found["isError"]
                assert MARK in found["content"][0]["text"]
                noted = wire.ask(call(3, "memory_add_note", {"note": "The deploy day is Tuesday."}))["result"]
                assert noted["isError"]
                assert "next: " in noted["content"][0]["text"]
                assert MARK in wire.ask(request(4, "vademecum/context", {**told, "event": "start"}))["result"]["text"]
                answer = wire.ask(request(5, "vademecum/event", {**told, "event": "stop"}))
                assert answer.get("result") == {} or answer["error"]["data"]["next"]
        found = product.call("doctor", "--json", code=1).json["findings"]
        assert [one for one in found if one["level"] == "problem" and one["area"] == "home" and one["next"]], found
    finally:
        mends(disk)
    assert product.call("note", "The deploy day is Tuesday.").code == 0


READS = {
    "search": ("search", "pnpm"),
    "context": ("context", "--cwd", "/srv/shop"),
    "read": ("read", "MEMORY.md"),
    "why": ("why", MARK),
    "status": ("status",),
    "list": ("ls",),
    "sessions": ("sessions",),
    "runs": ("runs",),
    "usage": ("usage",),
}


@pytest.mark.parametrize("index", ["filled", "never made"])
@pytest.mark.parametrize("state", DISKS)
def test_what_can_be_read_is_read_on_a_disk_that_takes_no_write(disk, state, index):
    """user-U70: Commands and tools that only read give on such a disk what they give on any other."""
    spoils, mends = DISKS[state]
    product = Product(disk)
    expected = {name: product.call(*words).out for name, words in READS.items()}
    if index == "never made":
        product.lose("search.db")
    before = snapshot(product.memory)
    spoils(disk)
    try:
        assert {name: product.call(*words).out for name, words in READS.items()} == expected
        memory = Memory.open(environ=product.environ, cwd="/srv/shop")
        asked = {"memory_search": {"query": "pnpm"}, "memory_list": {}, "memory_read": {"path": "MEMORY.md"}}
        for tool, arguments in asked.items():
            answer = call_tool(memory, tool, arguments, AskedBy())
            assert not answer.is_error, answer.text
        assert MARK in call_tool(memory, "memory_search", {"query": "pnpm"}, AskedBy()).text
        told = call_tool(memory, "session_search", {"query": "pnpm"}, AskedBy())
        assert (MARK if index == "filled" else "past sessions are found again after") in told.text
        assert "next: Check free space" in product.fail("learn", "--from", str(product.sessions), "--all").err
        findings = product.call("doctor", "--json", code=1).json["findings"]
        assert {one["level"] for one in findings if one["area"] in {"state", "search"}} <= {"ok", "note"}
    finally:
        mends(disk)
    assert snapshot(product.memory) == before
    assert product.call("search", "pnpm").out == expected["search"]


def test_a_learner_that_hangs_keeps_nobody_waiting(product, user_home, tmp_path):
    """The pass that a hook started waits for an agent that never answers; hooks and servers do not wait for it."""
    plug_in(product)
    hanging = program(tmp_path / "agent", f"echo $$ > {tmp_path}/asked; exec sleep 600")
    product.call("config", "set", "memories.learner", "claude-code")
    product.call("config", "set", "agent.program", str(hanging))
    script = ruled("never use npm", label="s2", started_at=datetime.now(UTC) - timedelta(days=1))
    product.tell(script)
    for path in product.sessions.rglob("*.jsonl"):
        os.utime(path, (time.time() - 7 * 3600,) * 2)
    (newest,) = (path for path in product.sessions.rglob("*.jsonl") if b"never use npm" in path.read_bytes())
    (product.home / "runtime/learner.started").unlink(missing_ok=True)
    asked = tmp_path / "asked"
    agent = Installed("claude-code", user_home)
    agent.hook(2, {**BEGIN, "transcript_path": str(newest)})
    try:
        while not asked.exists() or not asked.read_text().strip():
            os.sched_yield()
        began = time.monotonic()
        assert MARK in agent.block({**BEGIN, "session_id": "s3"})
        assert time.monotonic() - began < HOOK_SECONDS
        with agent.server() as wire:
            wire.ask(request(1, "initialize", HANDSHAKE))
            noted = wire.ask(call(2, "memory_add_note", {"note": "The deploy day is Tuesday."}))["result"]
            assert not noted["isError"]
        product.call("doctor")
    finally:
        os.kill(int(asked.read_text()), 9)


def test_two_versions_at_once_take_nothing_of_each_other_for_their_own(product, user_home):
    """An older one writes the cache and a newer reads, and back: nothing of the other's is given, and each mends it."""
    plug_in(product)
    cache = product.identity / "runtime/cache/context.json"
    codex = Installed("codex", user_home)
    for number, difference in enumerate((-1, 1)):
        other = {**json.loads(cache.read_text()), "template": bare.TEMPLATE + difference}
        other["parts"] = {"of": "another version"}
        cache.write_text(json.dumps(other))
        session = {**BEGIN, "session_id": f"v{number}"}
        assert codex.block(session) == ""
        found = product.call("doctor", "--json").json["findings"]
        assert [one for one in found if one["level"] == "warning" and str(cache) in one["what"] and one["next"]]
        with codex.server() as wire:
            wire.ask(request(1, "initialize", HANDSHAKE))
            told = {"host": "codex", "session": f"x{number}", "cwd": "/srv/shop", "event": "start"}
            assert MARK in wire.ask(request(2, "vademecum/context", told))["result"]["text"]
        done = codex.hook(1, session)
        assert MARK in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
