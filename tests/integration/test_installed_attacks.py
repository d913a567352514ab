"""The commands that `vade install` wrote, in hostile folders and under hostile variables, and by agents that learn."""

import json

import pytest

from support.hooks import pass_is_recent
from support.installed import HOOKED, PLUGGED, SERVED, Installed
from support.mcp_wire import HANDSHAKE, call, request
from vademecum.hosts import HOSTS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

MARK = "always use pnpm"
BEGIN = {"session_id": "s1", "source": "startup", "hook_event_name": "SessionStart"}
SESSION = {"session": "s1", "cwd": "/srv/shop"}
TRAP = "import os\nopen(os.environ['TRAP'], 'a').write(__name__ + '\\n')\n"
MODULES = ("json", "os", "re", "typing", "sitecustomize", "usercustomize", "msgspec", "sqlite3", "subprocess", "site")
LEARNS = {"VADEMECUM_LEARNER": "1"}


@pytest.fixture
def user_home(closed_home, monkeypatch):
    monkeypatch.delenv("XDG_CONFIG_HOME")
    return closed_home


@pytest.fixture
def plugged(product, user_home):
    product.call("note", MARK)
    for host in HOSTS:
        product.call("install", host.name, "--yes")
    pass_is_recent(product.home)
    return product


class TestHostileFolder:
    @pytest.fixture
    def folder(self, tmp_path):
        """Somebody's repository, and a file that tells of every module of it that was run."""
        folder = tmp_path / "it's a $HOME project"
        for name in (".", "vademecum", "vademecum/mcp"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        for name in MODULES:
            (folder / f"{name}.py").write_text(TRAP)
        for name in ("vademecum/__init__.py", "vademecum/mcp/__init__.py", "vademecum/mcp/__main__.py"):
            (folder / name).write_text(TRAP)
        return folder

    @pytest.fixture(params=["", "/nonexistent"], ids=["no PYTHONHOME", "a PYTHONHOME"])
    def env(self, request, tmp_path, folder):
        return {
            "TRAP": str(tmp_path / "sprung"),
            "PYTHONPATH": ".",
            "PYTHONSTARTUP": str(folder / "json.py"),
            "PYTHONUSERBASE": ".",
            "PYTHONINSPECT": "1",
            "PYTHONSAFEPATH": "",
            **({"PYTHONHOME": request.param} if request.param else {}),
        }

    @pytest.mark.parametrize("host", HOOKED)
    def test_a_hook_runs_nothing_of_it(self, plugged, user_home, host, folder, env, tmp_path):
        """user-U73"""
        agent = Installed(host, user_home)
        assert MARK in agent.block({**BEGIN, "cwd": str(folder)}, env=env, cwd=folder)
        for number in (1, 2):
            assert agent.hook(number, {**BEGIN, "cwd": str(folder)}, env=env, cwd=folder).returncode == 0
        assert not (tmp_path / "sprung").exists()

    @pytest.mark.parametrize("host", [*SERVED, *PLUGGED])
    def test_a_server_runs_nothing_of_it(self, plugged, user_home, host, folder, env, tmp_path):
        """user-U73"""
        with Installed(host, user_home).server(env=env, cwd=folder) as wire:
            wire.ask(request(1, "initialize", HANDSHAKE))
            found = wire.ask(call(2, "memory_search", {"query": "pnpm"}))["result"]
            assert MARK in found["content"][0]["text"]
            told = {**SESSION, "host": host, "cwd": str(folder)}
            assert MARK in wire.ask(request(3, "vademecum/context", {**told, "event": "start"}))["result"]["text"]
        assert not (tmp_path / "sprung").exists()

    def test_a_pass_that_a_hook_starts_runs_nothing_of_it(self, plugged, user_home, folder, env, tmp_path):
        """It outlives the hook, in the same folder and with the same variables."""
        (plugged.home / "runtime/learner.started").unlink()
        (plugged.home / "runtime/hook.json").unlink()
        Installed("codex", user_home).hook(2, {**BEGIN, "cwd": str(folder)}, env=env, cwd=folder)
        while not (plugged.home / "runtime/hook.json").exists():  # the pass makes it anew
            assert not (tmp_path / "sprung").exists()
        assert not (tmp_path / "sprung").exists()


class TestAgentsThatLearn:
    """user-U27, user-U31: an agent that learns for us is given nothing, writes nothing, and nothing is kept of it."""

    @pytest.fixture
    def unchanged(self, plugged):
        def state():
            return {path: path.stat().st_mtime_ns for path in plugged.home.rglob("*") if ".lock" not in path.name}

        before = state()
        yield
        assert state() == before

    @pytest.mark.parametrize("host", HOOKED)
    def test_no_hook_does_anything(self, plugged, user_home, unchanged, host):
        """user-U31"""
        agent = Installed(host, user_home)
        for number in range(3):
            done = agent.hook(number, {**BEGIN, "cwd": "/srv/shop"}, env=LEARNS)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    @pytest.mark.parametrize("host", [*SERVED, *PLUGGED])
    def test_no_server_gives_a_block_writes_or_notes(self, plugged, user_home, unchanged, host):
        """user-U27"""
        told = {**SESSION, "host": host}
        answer = "Done.\n\n<memory-citation>\nsystem/human.md:1-2\n</memory-citation>"
        with Installed(host, user_home).server(env=LEARNS) as wire:
            wire.ask(request(1, "initialize", HANDSHAKE))
            tools = wire.ask(request(2, "tools/list"))["result"]["tools"]
            assert tools
            assert all(tool["annotations"]["readOnlyHint"] is True for tool in tools)
            for number, (tool, arguments) in enumerate(
                [
                    ("memory_add_note", {"note": "Deploy on Tuesday."}),
                    ("memory", {"command": "delete", "path": "system/human.md", "reason": "x"}),
                    ("memory_mode", {"mode": "disabled"}),
                    ("memory_reset", {}),
                ]
            ):
                assert wire.ask(call(10 + number, tool, arguments))["error"]
            assert wire.ask(request(20, "vademecum/context", {**told, "event": "start"}))["result"]["text"] == ""
            assert wire.ask(request(21, "vademecum/event", {**told, "event": "session-end"}))["result"] == {}
            cited = {**told, "message": "m1", "text": answer}
            assert wire.ask(request(22, "vademecum/cite", cited))["result"] == {"text": "Done.", "counted": 0}

    def test_they_would_do_it_for_others(self, plugged, user_home):
        """The tests before this one could fail."""
        assert MARK in Installed("codex", user_home).block({**BEGIN, "cwd": "/srv/shop"})
        lines = (plugged.home / "runtime/spool/codex.jsonl").read_text().splitlines()
        assert [json.loads(line)["session"] for line in lines] == ["s1"]
