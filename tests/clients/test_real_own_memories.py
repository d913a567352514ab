"""Codex remembers by itself, and memory is plugged into it: both work, and neither touches what the other one keeps."""

import json
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.clients import CODEX
from support.clients_driving import CLIENTS, RUN_SECONDS, Client, Workplace, kill, start
from support.clients_plugged import Person, blocks_in, call, in_conversation, trust_hooks
from support.fake_model import FakeModel, Step, marker
from support.hooks import pins_of
from support.product import snapshot

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

KNOWN = "Build with make, never with ninja."
RULE = "Always use pnpm, never npm."
THEIRS = "The user likes their tea green."
#: It takes its memories in hand while a session runs, and ends with it.
WAIT = "while ! test -e go-on; do sleep 0.05; done"
#: Stands in what Codex asks the model that takes its memories in hand.
ITS_WORK = "Phase 2 (Consolidation)"


@dataclass(frozen=True, kw_only=True)
class Held:
    """A session, and what came of it."""

    person: Person
    #: The settings of Codex as they were before anything of ours was in them.
    settings: str
    #: The requests of the session, and those about the memories of Codex.
    said: list[dict[str, Any]]
    its_work: list[dict[str, Any]]
    #: Those that came while we learned, looked and took ourselves out.
    asked_later: list[dict[str, Any]]
    report: dict[str, Any]
    #: Every file of its memories before that and afterwards.
    before: dict[str, str]
    after: dict[str, str]


@pytest.fixture(scope="module", params=[one for one in CLIENTS if one.package is CODEX], ids=lambda client: client.host)
def held(request, tmp_path_factory) -> Held:
    client, person = request.param, Person(tmp_path_factory.mktemp("person"))
    person.has(client)
    person.vade("init")
    person.vade("memory", "create", "system/building.md", "--description", "How the user builds", "--text", KNOWN)
    steps = [client.shell(WAIT), call(client, "memory_search", query="ninja"), Step(text="As you like.")]
    with FakeModel({"said": steps}) as model:
        client.configure(person.user, model.url)
        config = person.user / ".codex" / "config.toml"
        settings = config.read_text(encoding="utf-8") + "\n[features]\nmemories = true\n"
        config.write_text(settings, encoding="utf-8")
        theirs = person.user / ".codex" / "memories"
        theirs.mkdir()
        (theirs / "memory_summary.md").write_text(f"{THEIRS}\n", encoding="utf-8")
        person.vade("install", client.host, "--yes")
        trusted = trust_hooks(client, person.user, person.project)
        talk(client, person, model)
        asked = len(model.bodies)
        before = its_memories(person)
        report = person.told("learn", "--now")
        person.vade("doctor")
        person.vade("uninstall", client.host, "--yes")
    return Held(
        person=person,
        settings=settings + trusted,
        said=in_conversation(model, marker("said")),
        its_work=its_work(model),
        asked_later=model.bodies[asked:],
        report=report,
        before=before,
        after=its_memories(person),
    )


def talk(client: Client, person: Person, model: FakeModel) -> None:
    """One prompt, whose session goes on until Codex has begun to work on its memories."""
    process = start(
        client, f"{RULE} {marker('said')}", Workplace(home=person.user, project=person.project, model=model)
    )
    end = time.monotonic() + RUN_SECONDS
    try:
        while not its_work(model) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        (person.project / "go-on").touch()
        output = process.communicate(timeout=RUN_SECONDS)[0]
    finally:
        kill(process)
    assert process.returncode == 0, output


def its_work(model: FakeModel) -> list[dict[str, Any]]:
    return [body for body in model.bodies if ITS_WORK in json.dumps(body)]


def its_memories(person: Person) -> dict[str, str]:
    """Of a database what it holds: the doctor has Codex look at its settings, which may tidy its files up."""
    codex = person.user / ".codex"
    files = [(name, digest) for name, digest in snapshot(codex).items() if name.startswith("memor")]
    kept = {name: digest for name, digest in files if not name.endswith((".sqlite", "-shm", "-wal"))}
    return kept | {name: held_by(codex / name) for name, _ in files if name.endswith(".sqlite")}


def held_by(database: Path) -> str:
    """All that it holds, as SQL."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        return "\n".join(connection.iterdump())


def test_a_session_is_given_both_memories_and_our_tools(held):
    assert len(held.said) == 3
    assert THEIRS in json.dumps(held.said[0])
    (block,) = blocks_in(held.said[0])
    assert KNOWN in block
    assert KNOWN in json.dumps(held.said[2]["input"][-1])


def test_its_own_work_on_its_memories_is_given_nothing_of_ours(held):
    """user-U31: It is a session of nobody, though our hooks are run in it."""
    assert held.its_work
    for body in held.its_work:
        assert blocks_in(body) == []
        assert "vademecum" not in json.dumps(body)
    assert len(pins_of(held.person.memory)) == 1


def test_only_what_the_person_said_is_learned(held):
    assert (held.report["discovered"], held.report["extracted"]) == (1, 1)
    context = held.person.vade("context")
    assert RULE.strip(".") in context
    assert THEIRS not in context


def test_nothing_of_its_memories_is_touched(held):
    """user-U49"""
    assert {"memories/memory_summary.md", "memories/phase2_workspace_diff.md"} <= set(held.before)
    assert held.after == held.before


def test_no_model_is_asked_by_looking(held):
    """The doctor asks Codex, which is no occasion to work on its memories."""
    assert held.asked_later == []


def test_it_has_its_settings_back(held):
    """user-U49: Its memories are on as they were."""
    assert (held.person.user / ".codex" / "config.toml").read_text(encoding="utf-8") == held.settings
    assert not (held.person.user / ".codex" / "hooks.json").exists()
