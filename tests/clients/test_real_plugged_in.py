"""The real Claude Code with memory plugged in by `vade install`, in either form: what it sends, calls, is answered.

The answers of the model are scripted; everything else is the program and what the installer wrote for it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.clients_driving import CLIENTS, Client, Workplace, prompt
from support.fake_model import FakeModel, Step, marker
from support.hooks import pass_is_recent
from vademecum.engine import Memory

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

CLAUDE_CODE = next(client for client in CLIENTS if client.host == "claude-code")
#: What begins the name of a tool, in each form.
PREFIXES = {"plugin": "mcp__plugin_vademecum_vademecum__", "settings": "mcp__vademecum__"}
#: The name of the skill in each form.
SKILLS = {"plugin": "vademecum:long-term-memory", "settings": "vademecum-memory"}
RULE = "Always use pnpm, never npm."
SAID = "The dev server listens on 4173."


class Plugged:
    """One home of a user into which memory is plugged."""

    def __init__(self, folder: Path, client: Client, form: str) -> None:
        self.client, self.form = client, form
        self.user_home, self.project, self.home = folder / "user", folder / "project", folder / "memory"
        for made in (self.user_home, self.project):
            made.mkdir()

    def vade(self, *words: str) -> str:
        """Run a command as this user does."""
        path = f"{self.client.package.program.parent}:{os.environ['PATH']}"
        environ = {"HOME": str(self.user_home), "PATH": path, "VADEMECUM_HOME": str(self.home)}
        command = [sys.executable, "-m", "vademecum", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environ).stdout

    @property
    def memory(self) -> Memory:
        return Memory.open(home=self.home)

    def run(self, steps: list[Step], words: str = "", **options: bool) -> list[dict]:
        """One prompt; the requests that came to the model for it."""
        with FakeModel({"steps": steps}, words={words: "steps"} if words else None) as model:
            place = Workplace(home=self.user_home, project=self.project, model=model)
            prompt(self.client, words or f"{SAID} {marker('steps')}", place, **options)
            return model.bodies

    def call(self, tool: str, **arguments: object) -> Step:
        """The model calls a tool of ours."""
        return Step(tool=f"{PREFIXES[self.form]}{tool}", arguments=arguments)


@pytest.fixture(params=[(CLAUDE_CODE, form) for form in sorted(PREFIXES)], ids=lambda pair: pair[1])
def plugged(request, tmp_path) -> Plugged:
    plugged = Plugged(tmp_path, *request.param)
    plugged.vade("note", RULE)
    pass_is_recent(plugged.home)  # so that no learner writes while the test looks
    plugged.vade("install", "claude-code", "--form", plugged.form, "--yes")
    return plugged


def told(bodies: list[dict]) -> list[str]:
    """What tools answered, in the last request."""
    parts = [part for message in bodies[-1]["messages"] for part in message["content"] if isinstance(part, dict)]
    return [json.dumps(part["content"]) for part in parts if part.get("type") == "tool_result"]


def test_a_session_gets_the_block_and_the_everyday_tools(plugged):
    (body,) = plugged.run([Step(text="Done.")])
    sent = json.dumps(body)
    assert RULE in sent
    assert "vademecum-memory" in sent
    offered = {tool["name"] for tool in body["tools"]}
    prefix = PREFIXES[plugged.form]
    assert {f"{prefix}{name}" for name in ("memory_search", "memory_read", "memory_add_note")} <= offered
    assert f"{prefix}memory_why" in sent, "the others can be searched for"
    assert f"- {SKILLS[plugged.form]}: Use the user's long-term memory" in sent, "the skill is named"
    assert all(f"- vademecum:{name}: " in sent for name in ("memory", "remember")), "so are the commands"


def test_the_block_stands_once_and_the_same_in_later_turns(plugged):
    first = plugged.run([Step(text="Done.")])[-1]
    plugged.vade("note", "Never use npm.")
    second = plugged.run([Step(text="Done.")], resume=True)[-1]
    blocks = [json.dumps(body).count("<vademecum-memory") for body in (first, second)]
    assert blocks == [1, 1]
    assert RULE in json.dumps(second)
    assert "Never use npm." not in json.dumps(second)


def test_a_note_is_written_as_the_words_of_the_user_of_this_session(plugged):
    """The program does not tell a server its session: it is known by the call, also when a session is gone on with."""
    bodies = plugged.run([plugged.call("memory_add_note", note=SAID), Step(text="Done.")])
    (answer,) = told(bodies)
    assert "remembered in" in answer
    assert "unconfirmed" not in answer
    (transcript,) = (plugged.user_home / ".claude" / "projects").glob("*/*.jsonl")
    assert plugged.memory.log(limit=1)[0].provenance.session == transcript.stem
    plugged.run([plugged.call("memory_mode", mode="disabled"), Step(text="Done.")], resume=True)
    assert plugged.memory.log(limit=1)[0].provenance.session == transcript.stem


def test_the_command_to_remember_is_a_word_of_the_user(plugged):
    words = "/vademecum:remember Tabs are for me."
    with FakeModel(
        {"steps": [plugged.call("memory_add_note", note="Tabs are for me."), Step(text="Done.")]},
        words={"Remember this: Tabs are for me.": "steps"},
    ) as model:
        prompt(plugged.client, words, Workplace(home=plugged.user_home, project=plugged.project, model=model))
        (answer,) = told(model.bodies)
    assert "unconfirmed" not in answer
    assert "Tabs are for me." in plugged.vade("context")


def test_memory_is_found_and_read(plugged):
    bodies = plugged.run([plugged.call("memory_search", query="pnpm"), plugged.call("memory_list"), Step(text="Done.")])
    found, listed = told(bodies)
    assert "pnpm" in found
    assert "system" in listed


def test_nobody_can_be_asked_headless_so_nothing_is_reset(plugged):
    bodies = plugged.run([plugged.call("memory_reset"), Step(text="Done.")])
    assert "refused" in told(bodies)[0]
    assert RULE in plugged.vade("context")


def test_the_doctor_hears_from_the_program_that_it_reaches_the_tools(plugged):
    """user-U68"""
    assert "Claude Code reaches the memory tools" in plugged.vade("doctor")


def test_taken_out_it_is_gone_and_the_program_goes_on(plugged):
    settings = plugged.user_home / ".claude" / "settings.json"
    plugged.run([Step(text="Done.")])
    plugged.vade("uninstall", "claude-code", "--yes")
    assert not settings.exists()
    assert "vademecum.mcp" not in (plugged.user_home / ".claude.json").read_text()
    (body,) = plugged.run([Step(text="Done.")])
    assert "vademecum" not in json.dumps(body)
    assert RULE in plugged.vade("context")


def test_a_change_of_the_form_gives_the_block_once_and_no_tool_twice(plugged):
    """Hooks of both forms would fire twice. What stood for the one is gone with it."""
    plugged.run([Step(text="Done.")])
    (other,) = set(PREFIXES) - {plugged.form}
    plugged.vade("install", "claude-code", "--form", other, "--yes")
    (body,) = plugged.run([Step(text="Done.")])
    assert json.dumps(body).count("<vademecum-memory") == 1
    assert not [tool["name"] for tool in body["tools"] if tool["name"].startswith(PREFIXES[plugged.form])]
    assert [tool["name"] for tool in body["tools"] if tool["name"].startswith(PREFIXES[other])]
    assert json.dumps(body).count("- vademecum:remember: ") == 1
    assert "Claude Code reaches the memory tools" in plugged.vade("doctor")
    plugged.vade("uninstall", "claude-code", "--yes")
    (body,) = plugged.run([Step(text="Done.")])
    assert "vademecum" not in json.dumps(body)


def test_a_large_memory_comes_whole_into_the_session(plugged):
    """Of a text above its limit the program shows the model the beginning only."""
    plugged.vade("config", "set", "context.budget_tokens", "32000")
    words = "\n".join(f"- rule number {number} of the shop: keep the tea green" for number in range(600))
    plugged.vade("memory", "insert", "system/human", "--line", "99", "--text", words)
    (body,) = plugged.run([Step(text="Done.")])
    sent = json.dumps(body)
    assert "persisted-output" not in sent
    assert sent.count("</vademecum-memory") == 1


def test_what_is_plugged_in_from_within_a_session_outlives_it(plugged):
    """The program writes its own file anew while it runs, which is where the server stands in one form."""
    (other,) = set(PREFIXES) - {plugged.form}
    command = f"VADEMECUM_HOME={plugged.home} {sys.executable} -m vademecum install claude-code --form {other} --yes"
    bodies = plugged.run([plugged.client.shell(command), Step(text="Done.")])
    assert "memory is plugged in" in told(bodies)[0]
    assert "nothing to change" in plugged.vade("install", "claude-code", "--form", other)
    (body,) = plugged.run([Step(text="Done.")])
    assert [tool["name"] for tool in body["tools"] if "vademecum" in tool["name"]]
    assert not [tool["name"] for tool in body["tools"] if tool["name"].startswith(PREFIXES[plugged.form])]
