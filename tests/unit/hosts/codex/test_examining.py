"""Codex is asked itself; a program that stands in for it answers here."""

import json
import sys
from pathlib import Path

import pytest

from vademecum.findings import Finding, Level
from vademecum.hosts import Places, host_named

STAND_IN = """#!{python}
import json, sys
answers = json.load(open({answers!r}))
open({asked!r}, "w").write(json.dumps(sys.argv[1:]))
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({{"method": "something/else"}}), flush=True)
    print(json.dumps({{"id": request["id"], **answers[request["method"]]}}), flush=True)
"""


class Codex:
    """The stand-in, and what it says of our hooks and tools."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.answers = folder / ".codex", folder / "answers.json"
        self.folder.mkdir()
        self.asked = folder / "asked.json"
        program = folder / "codex"
        program.write_text(STAND_IN.format(python=sys.executable, answers=str(self.answers), asked=str(self.asked)))
        program.chmod(0o700)
        self.places = Places.here({"HOME": str(folder), "PATH": str(folder)})
        for edit in host_named("codex").installation(self.places):
            text = edit.change(None)
            if text is not None:
                edit.path.write_text(text)

    def says(self, trust: str, *tools: str, enabled: bool = True) -> list[Finding]:
        groups = json.loads((self.folder / "hooks.json").read_text())["hooks"]
        commands = [group["hooks"][0]["command"] for (group,) in groups.values()]
        hooks = [{"command": command, "trustStatus": trust, "enabled": enabled} for command in commands]
        server = {"name": "vademecum", "tools": {tool: {} for tool in tools}}
        return self.answered({"data": [{"hooks": hooks}]}, {"data": [server]})

    def answered(self, hooks: dict, servers: dict) -> list[Finding]:
        answers = {"initialize": {}, "hooks/list": hooks, "mcpServerStatus/list": servers}
        shapes = {name: answer if "error" in answer else {"result": answer} for name, answer in answers.items()}
        self.answers.write_text(json.dumps(shapes))
        return list(host_named("codex").examine(self.places))


@pytest.fixture
def codex(tmp_path: Path) -> Codex:
    return Codex(tmp_path)


def test_hooks_that_it_trusts_and_tools_that_it_sees_are_in_order(codex: Codex):
    """user-U68"""
    found = codex.says("trusted", "memory_search", "memory_read")
    assert {finding.level for finding in found} == {Level.OK}
    assert [finding.what for finding in found] == ["Codex trusts the hooks of memory", "Codex sees 2 memory tools"]


@pytest.mark.parametrize("trust", ["untrusted", "modified"])
def test_hooks_that_the_person_did_not_trust_yet_are_a_problem(codex: Codex, trust: str):
    hooks, _ = codex.says(trust, "memory_search")
    assert hooks.level is Level.PROBLEM
    assert "session-start" in hooks.what
    assert "trust them" in (hooks.next or "")


def test_a_hook_that_is_switched_off_does_not_run(codex: Codex):
    hooks, _ = codex.says("trusted", "memory_search", enabled=False)
    assert hooks.level is Level.PROBLEM


def test_tools_that_it_does_not_see_are_a_problem(codex: Codex):
    """user-U68"""
    assert codex.says("trusted")[-1].level is Level.PROBLEM


def test_hooks_that_it_does_not_know_are_a_problem(codex: Codex):
    found = codex.answered({"data": []}, {"data": []})
    assert [finding.level for finding in found] == [Level.PROBLEM, Level.PROBLEM]


def test_servers_of_others_are_not_started_for_it(codex: Codex):
    with (codex.folder / "config.toml").open("a") as file:
        file.write('[mcp_servers."a b"]\ncommand = "x"\n')
    codex.says("trusted", "memory_search")
    assert json.loads(codex.asked.read_text()) == ["app-server", "-c", 'mcp_servers."a b".enabled=false']


def test_one_that_does_not_answer_is_no_problem_of_memory(codex: Codex):
    (finding,) = codex.answered({"error": {"message": "unknown method"}}, {"data": []})
    assert finding.level is Level.NOTE
    assert "unknown method" in finding.what


def test_without_the_program_nobody_is_asked(codex: Codex):
    (codex.folder.parent / "codex").unlink()
    (finding,) = host_named("codex").examine(codex.places)
    assert "not on the PATH" in finding.what


def test_hooks_that_are_switched_off_are_told(codex: Codex):
    config = codex.folder / "config.toml"
    config.write_text("[features]\ncodex_hooks = false\n" + config.read_text())
    assert codex.says("trusted", "memory_search")[0].level is Level.WARNING
