"""An agent learns for a person who has memory plugged into that very agent, in a pass that its own hook started.

The person says something to the agent; its hook or our plugin starts a pass in the background; that has the same
program learn what was said the day before.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from support.clients import CODEX
from support.clients_driving import CLIENTS, Client
from support.clients_learning import CODEX_MODEL, LEARNING
from support.clients_plugged import Person, blocks_in, in_conversation, tools_in, trust_hooks
from support.compose import Format, write_sessions
from support.fake_model import FakeModel, Step, marker
from support.fake_model_wires import MODEL
from support.good_model import GoodModel
from support.hooks import pins_of
from support.product import ruled
from vademecum.sessions.marks import LEARNER_MARK

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

KNOWN = "Build with make, never with ninja."
RULE = "Always use pnpm, never npm."
LEARNERS = [client for client in CLIENTS if client.host in LEARNING]
#: What a prompt asks for is told by the answer that it describes.
ASKED_FOR = {'"raw_memory"': "read", '"verdict"': "write"}
#: One that reads the session, one for each of two files that are written, and one for the verdict.
REQUESTS = {"read": 1, "write": 3}
VERDICT = Step(text='The files are new.\n{"verdict": "wrote"}')


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What came of the pass."""

    person: Person
    #: The request of the person's own session, and those of the learner.
    said: dict[str, Any]
    learning: list[dict[str, Any]]
    runs: list[dict[str, Any]]
    #: What the next pass would find.
    next_pass: dict[str, Any]


@pytest.fixture(scope="module", params=LEARNERS, ids=lambda client: client.host)
def learned(request, tmp_path_factory) -> Learned:
    client, folder = request.param, tmp_path_factory.mktemp(request.param.host)
    person = Person(folder)
    script = ruled(RULE, started_at=datetime.now(UTC) - timedelta(days=1), cwd=str(person.project))
    write_sessions(Format.CLAUDE_CODE, person.user / ".claude", [script])
    good = GoodModel(folder / "good", script)
    answer = Step(text=json.dumps(msgspec.to_builtins(good.extraction())))
    writing = [LEARNING[client.host](client).write(path, text) for path, text in good.artefacts().items()]
    scenarios = {"read": [answer], "write": [*writing, VERDICT], "said": [Step(text="As you like.")]}
    with FakeModel(scenarios, without_tools=answer, words=ASKED_FOR) as model:
        plug_in(person, client, model)
        with person.talking(client, model) as say:
            say(f"Hello. {marker('said')}")
            person.await_learned(RULE)
    (said,) = in_conversation(model, marker("said"))
    return Learned(
        person=person,
        said=said,
        learning=[body for body in model.bodies if LEARNER_MARK in json.dumps(body)],
        runs=person.told("runs")["runs"],
        next_pass=person.told("learn", "--now", "--dry-run"),
    )


def plug_in(person: Person, client: Client, model: FakeModel) -> None:
    client.configure(person.user, model.url)
    if client.package is CODEX:
        config = person.user / ".codex" / "config.toml"
        config.write_text(config.read_text(encoding="utf-8").replace(MODEL, CODEX_MODEL), encoding="utf-8")
    person.vade("init")
    person.vade("memory", "create", "system/building.md", "--description", "How the user builds", "--text", KNOWN)
    person.vade("config", "set", "memories.learner", client.host)
    person.vade("config", "set", "agent.program", str(client.package.program))
    person.vade("install", client.host, "--yes")
    if client.package is CODEX:
        trust_hooks(client, person.user, person.project)


def test_the_agent_has_learned_what_was_said_the_day_before(learned):
    assert [(one["kind"], one["outcome"]) for one in learned.runs] == [
        ("consolidation", "landed"),
        ("extraction", "done"),
    ]
    assert RULE in learned.person.vade("context")


def test_the_learner_is_given_neither_the_block_nor_a_tool_of_memory(learned):
    """user-U27: The session of the person is given both."""
    (block,) = blocks_in(learned.said)
    given = block.splitlines()[0].partition(">")[2]
    assert KNOWN in given
    assert [body for body in learned.learning if given[:200] in json.dumps(body)] == []
    assert [name for body in learned.learning for name in tools_in(body) if "memory" in name] == []


def test_no_learner_is_started_for_the_learner(learned):
    """user-U27: What was pinned or noted is of the session that the person had."""
    assert len(learned.learning) == sum(REQUESTS.values())
    assert len(pins_of(learned.person.memory)) == 1
    assert sessions_noted(learned.person) <= {one["id"] for one in learned.next_pass["sessions"]}


def test_the_next_pass_finds_no_session_of_the_learner(learned):
    """codex-R06: What was learned, and what the person said meanwhile."""
    assert learned.next_pass["discovered"] == 2
    assert learned.next_pass["skipped"] == {"unchanged": 1}


def sessions_noted(person: Person) -> set[str]:
    lines = [line for file in (person.memory / "runtime" / "spool").iterdir() for line in file.read_text().splitlines()]
    return {json.loads(line)["session"] for line in lines}
