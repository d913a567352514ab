"""A person at the terminal of Claude Code: a session that is cleared, and a question that only they can answer."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from support.clients import CLAUDE_CODE
from support.clients_driving import CLIENTS, KEY, Client, Workplace, surroundings, write_json
from support.clients_plugged import Person, blocks_in, call, in_conversation
from support.clients_terminal import ENTER, ESCAPE, Terminal, terminal
from support.fake_model import FakeModel, Step, marker
from support.fake_model_wires import MODEL
from support.hooks import pass_is_recent

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

RULE = "Always use pnpm, never npm."
NOTE = "The deploy day is Tuesday."
#: What it would ask at its first start.
ASKED_BEFORE = {"hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": {"approved": [KEY]}}
TRUSTED = {"hasTrustDialogAccepted": True}


@dataclass(frozen=True, kw_only=True)
class Talked:
    """One talk."""

    #: The last request for each prompt.
    before: dict[str, Any]
    cleared: dict[str, Any]
    declined: dict[str, Any]
    accepted: dict[str, Any]
    #: What a session would be given after each answer of the person.
    after_no: str
    after_yes: str


@pytest.fixture(scope="module", params=[one for one in CLIENTS if one.package is CLAUDE_CODE], ids=lambda one: one.host)
def talked(request, tmp_path_factory) -> Talked:
    client, person = request.param, Person(tmp_path_factory.mktemp("person"))
    plain = {name: [Step(text="As you like.")] for name in ("before", "cleared")}
    reset = {name: [call(client, "memory_reset"), Step(text="So.")] for name in ("declined", "accepted")}
    with FakeModel(plain | reset) as model:
        person.vade("init")
        person.vade("note", RULE)
        person.vade("install", client.host, "--yes")
        pass_is_recent(person.memory)
        return talk(client, person, model)


def talk(client: Client, person: Person, model: FakeModel) -> Talked:
    write_json(person.user / ".claude.json", {**ASKED_BEFORE, "projects": {str(person.project): TRUSTED}})
    environ = surroundings(client, Workplace(home=person.user, project=person.project, model=model))
    reset = call(client, "memory_reset").tool
    command = [str(client.package.program), "--model", MODEL, "--permission-mode", "default", "--allowedTools", reset]
    with terminal(command, cwd=person.project, environ={**environ, "TERM": "xterm-256color"}) as claude:
        claude.see(MODEL)

        def answered(scenario: str, requests: int = 1) -> dict[str, Any]:
            claude.wait(lambda: len(in_conversation(model, marker(scenario))) == requests, scenario)
            return in_conversation(model, marker(scenario))[-1]

        claude.say(f"please {marker('before')}")
        before = answered("before")
        person.vade("note", NOTE)
        claude.say("/clear")
        claude.wait(lambda: starts_noted(person) == 2, "a second session")
        claude.say(f"please {marker('cleared')}")
        cleared = answered("cleared")
        ask_for_a_reset(claude, "declined")
        claude.insist(ESCAPE, lambda: len(in_conversation(model, marker("declined"))) == 2, "the answer after a no")
        declined, after_no = answered("declined", 2), person.vade("context")
        ask_for_a_reset(claude, "accepted")
        claude.press(" ")
        claude.see("☒")
        claude.insist(ENTER, lambda: len(in_conversation(model, marker("accepted"))) == 2, "the end of the reset")
        accepted = answered("accepted", 2)
    return Talked(
        before=before,
        cleared=cleared,
        declined=declined,
        accepted=accepted,
        after_no=after_no,
        after_yes=person.vade("context"),
    )


def starts_noted(person: Person) -> int:
    lines = (person.memory / "runtime" / "spool" / "claude-code.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["event"] for line in lines].count("session-start")


def ask_for_a_reset(claude: Terminal, scenario: str) -> None:
    claude.say(f"please {marker(scenario)}")
    claude.see("Begin memory anew?")
    claude.see("Yes, do it")


def told(body: dict[str, Any]) -> str:
    """What the tool answered."""
    parts = [part for message in body["messages"] for part in message["content"] if isinstance(part, dict)]
    return [json.dumps(part["content"]) for part in parts if part.get("type") == "tool_result"][-1]


def test_a_session_that_was_cleared_is_given_a_new_block(talked):
    """user-U45: With what came in since, and without a word of the talk before."""
    (old,), (new,) = blocks_in(talked.before), blocks_in(talked.cleared)
    assert RULE in old
    assert NOTE not in old
    assert RULE in new
    assert NOTE in new
    assert marker("before") not in json.dumps(talked.cleared)


def test_without_the_persons_yes_nothing_is_reset(talked):
    """codex-W45"""
    assert "refused" in told(talked.declined)
    assert RULE in talked.after_no


def test_with_the_persons_yes_at_the_terminal_memory_begins_anew(talked):
    """codex-W45"""
    assert "begun anew" in told(talked.accepted)
    assert RULE not in talked.after_yes
