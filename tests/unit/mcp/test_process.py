"""The process that hosts start: what it prints, and how it ends."""

import os
import signal
import subprocess
import sys

import pytest

from support.mcp_wire import COMMAND, MODERN_META, Wire, call, request
from vademecum.engine import Memory

pytestmark = [pytest.mark.slow, pytest.mark.timeout(30)]

NOTE = {"note": "Use pnpm here."}
#: What a client may wait before it kills us.
SECONDS = 1.0


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def test_a_connection_from_greeting_to_goodbye(home):
    with Wire(home) as wire:
        wire.greet()
        assert {tool["name"] for tool in wire.ask(request(1, "tools/list"))["result"]["tools"]} > {"memory_add_note"}
        result = wire.ask(call(2, "memory_add_note", NOTE))["result"]
        assert not result["isError"]
        assert "Use pnpm here." in result["content"][0]["text"]
        rest, seconds = wire.hang_up()
    assert (rest, wire.process.returncode) == ([], 0)
    assert seconds < SECONDS


def test_what_was_asked_before_the_end_is_answered(home):
    with Wire(home) as wire:
        wire.send(request(1, "ping"), call(2, "memory_add_note", NOTE), request(3, "tools/list"))
        answers, _ = wire.hang_up()
    assert {answer["id"] for answer in answers} >= {1, 3}


def test_a_last_line_without_its_end_is_read(home):
    with Wire(home) as wire:
        wire.send(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
        answers, _ = wire.hang_up()
    assert [answer["id"] for answer in answers] == [1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_request_to_end_is_followed(home, number):
    with Wire(home) as wire:
        wire.greet()
        assert wire.signal(number) == 128 + number


def test_it_ends_when_nobody_reads_any_more(home):
    """A host that was killed leaves no process behind, also where another one inherited its end of our input."""
    with Wire(home) as wire:
        wire.greet()
        wire.process.stdout.close()
        assert wire.process.wait(SECONDS * 5) == 0


def test_an_unknown_option_is_told_before_anything_is_served(home):
    run = subprocess.run([*COMMAND, "--colour", "red"], capture_output=True, text=True, check=False, timeout=20)
    assert run.returncode == 2
    assert run.stdout == ""
    assert "--colour" in run.stderr
    assert "next:" in run.stderr


def test_nothing_but_messages_stands_on_standard_output(home):
    """user-U69: whatever prints goes to standard error: a library, and a program that is started."""
    program = (
        "import os, subprocess, sys; from vademecum.mcp import methods, run\n"
        "def noisy(asked):\n"
        "    print('stray'); os.write(1, b'raw\\n'); subprocess.run(['echo', 'child'], check=True)\n"
        "    assert sys.stdin.read() == '' and os.read(0, 1) == b''\n"
        "    return {}\n"
        "methods.SLOW['test/noisy'] = noisy\n"
        "run([], os.environ)\n"
    )
    with Wire(home, command=(sys.executable, "-I", "-c", program)) as wire:
        assert wire.ask(request(1, "test/noisy")) == {"jsonrpc": "2.0", "id": 1, "result": {}}
        answers, _ = wire.hang_up()
        assert answers == []
        told = wire.process.stderr.read().decode()
    assert [word in told for word in ("stray", "raw", "child")] == [True, True, True]


def test_a_closed_standard_error_is_no_obstacle(home):
    line = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    words = f"{' '.join(COMMAND)} 2>&-"
    run = subprocess.run(["/bin/sh", "-c", words], input=line, capture_output=True, text=True, check=True, timeout=20)
    assert '"id":1' in run.stdout


def test_files_of_an_untrusted_working_directory_are_not_imported(home, tmp_path):
    """The working directory is somebody's repository."""
    hostile = tmp_path / "repository"
    hostile.mkdir()
    for name in ("json", "os", "msgspec", "sitecustomize", "usercustomize", "vademecum", "queue", "select"):
        (hostile / f"{name}.py").write_text("import sys; sys.stderr.write('HOSTILE'); sys.exit(9)\n")
    with Wire(home, cwd=hostile, environ={"PYTHONPATH": ".", "PYTHONSTARTUP": "json.py"}) as wire:
        wire.greet()
        assert "tools" in wire.ask(request(1, "tools/list"))["result"]
        assert not wire.ask(call(2, "memory_add_note", NOTE))["result"]["isError"]
        wire.hang_up()
        assert "HOSTILE" not in wire.process.stderr.read().decode()


def test_a_working_directory_that_is_gone_is_no_obstacle(home, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    with Wire(home, cwd=gone) as wire:
        wire.greet()
        gone.rmdir()
        assert not wire.ask(call(1, "memory_add_note", NOTE))["result"]["isError"]


def test_a_home_that_cannot_be_used_is_told_to_the_model(home):
    home.write_text("a file")
    with Wire(home) as wire:
        result = wire.ask(call(1, "memory_add_note", NOTE))["result"]
        assert result["isError"]
        assert wire.ask(request(2, "ping"))["result"] == {}


def test_a_broken_setting_is_told_to_the_model_and_the_server_goes_on(home):
    home.mkdir()
    (home / "config.toml").write_text("[memories\n")
    with Wire(home) as wire:
        result = wire.ask(call(1, "memory_add_note", NOTE))["result"]
        assert result["isError"]
        assert "config" in result["content"][0]["text"]
        assert wire.ask(request(2, "ping"))["result"] == {}


def test_a_mistyped_identity_is_told_to_the_model_and_makes_no_memory(home):
    with Wire(home, "--identity", "wrok") as wire:
        result = wire.ask(call(1, "memory_add_note", NOTE))["result"]
        assert result["isError"]
        assert "vade init --identity wrok" in result["content"][0]["text"]
        wire.hang_up()
    assert not (home / "identities" / "wrok").exists()


def test_the_identity_can_be_chosen(home):
    Memory.open("work", home=home, environ={}).begin()
    with Wire(home, "--identity", "work") as wire:
        assert not wire.ask(call(1, "memory_add_note", NOTE))["result"]["isError"]
        wire.hang_up()
    assert [folder.name for folder in (home / "identities").iterdir()] == ["work"]


def test_whoever_learns_for_us_gets_no_tool_that_writes(home):
    with Wire(home, environ={"VADEMECUM_LEARNER": "1"}) as wire:
        listed = {tool["name"] for tool in wire.ask(request(1, "tools/list"))["result"]["tools"]}
        assert listed.isdisjoint({"memory", "memory_apply_patch", "memory_add_note", "memory_reset", "memory_mode"})
        for number, name in enumerate(("memory_add_note", "memory_reset"), 2):
            answer = wire.ask(call(number, name, NOTE))
            assert answer["error"]["code"] == -32602
        wire.hang_up()
    assert not home.exists()


def test_a_modern_client_needs_no_greeting(home):
    with Wire(home) as wire:
        listed = wire.ask(request(1, "tools/list", {"_meta": MODERN_META}))["result"]
        assert listed["resultType"] == "complete"
        result = wire.ask(call(2, "memory_add_note", NOTE, **MODERN_META))["result"]
        assert (result["resultType"], result["isError"]) == ("complete", False)


def test_tools_are_listed_before_anything_heavy_is_loaded(home):
    program = (
        "import os, sys; from vademecum.mcp import methods, run\n"
        "methods.QUICK['test/loaded'] = lambda asked: {'loaded': sorted(sys.modules)}\n"
        "run([], os.environ)\n"
    )
    with Wire(home, command=(sys.executable, "-I", "-c", program)) as wire:
        wire.greet()
        wire.ask(request(1, "tools/list"))
        loaded = set(wire.ask(request(2, "test/loaded"))["result"]["loaded"])
    heavy = {
        "pygit2",
        "sqlite3",
        "click",
        "rich",
        "yaml",
        "asyncio",
        "subprocess",
        "vademecum.engine",
        "vademecum.memfs",
    }
    assert loaded & heavy == set()


def test_the_command_line_starts_the_same_server(home):
    environ = {**os.environ, "VADEMECUM_HOME": str(home)}
    with Wire(home, command=(sys.executable, "-m", "vademecum", "mcp"), environ=environ) as wire:
        assert wire.greet()["serverInfo"]["name"] == "vademecum"
        assert wire.hang_up()[0] == []
