"""An agent that learns for us, started where memory is plugged into it: it is given nothing and leaves nothing.

Our own learners keep the person's setup away from their agents. This is what holds where that fails, or where somebody
has an agent learn in another way: every host with `VADEMECUM_LEARNER` set, and all that `vade install` wrote for it.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from support.clients import CODEX
from support.clients_driving import CLIENTS, Client
from support.clients_plugged import Person, blocks_in, call, in_conversation, tools_in, trust_hooks
from support.fake_model import FakeModel, Step, marker
from support.product import snapshot
from vademecum.learner_names import LEARNER_VARIABLE
from vademecum.sessions.marks import LEARNER_MARK
from vademecum.toolbox import TOOLS, Access

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

KNOWN = "Build with make, never with ninja."
NOTE = "The deploy day is Tuesday."
PROMPT = f"{LEARNER_MARK}: from now on always use tabs. {marker('learning')}"
READING = frozenset(tool.name for tool in TOOLS if tool.access is Access.READ)
_NAMED = re.compile(r"mcp__\w+")
#: Our plugin in these does nothing at all. The others start our server, which knows whom it serves.
SILENT = frozenset({"opencode", "pi"})


@dataclass(frozen=True, kw_only=True)
class Ran:
    """One prompt to an agent that learns."""

    client: Client
    person: Person
    #: The requests in which it worked on the prompt: one more for each tool that its model called.
    requests: list[dict[str, Any]]
    #: Every file of the memory before and afterwards.
    before: dict[str, str]
    after: dict[str, str]

    @property
    def offered(self) -> frozenset[str]:
        """Our tools that the model was offered; one host only names most of them, to be loaded when they are needed."""
        names = {*tools_in(self.requests[0]), *_NAMED.findall(json.dumps(self.requests[0]))}
        return frozenset(tool.name for tool in TOOLS if call(self.client, tool.name).tool in names)


@pytest.fixture(scope="module")
def person(tmp_path_factory) -> Person:
    person = Person(tmp_path_factory.mktemp("person"))
    person.vade("init")
    person.vade("memory", "create", "system/building.md", "--description", "How the user builds", "--text", KNOWN)
    # So that a search later on finds its index.
    person.vade("search", "ninja")
    return person


@pytest.fixture(scope="module", params=CLIENTS, ids=lambda client: client.host)
def ran(request, person) -> Ran:
    client = request.param
    steps = [call(client, "memory_search", query="ninja"), call(client, "memory_add_note", note=NOTE), Step(text="So.")]
    with FakeModel({"learning": steps}) as model:
        client.configure(person.user, model.url)
        person.vade("install", client.host, "--yes")
        if client.package is CODEX:
            trust_hooks(client, person.user, person.project)
        return run(client, person, model)


def run(client: Client, person: Person, model: FakeModel) -> Ran:
    learner = replace(client, environ=lambda url: {**client.environ(url), LEARNER_VARIABLE: "1"})
    before = snapshot(person.memory)
    with person.talking(learner, model) as say:
        say(PROMPT)
    requests = in_conversation(model, marker("learning"))
    return Ran(client=client, person=person, requests=requests, before=before, after=snapshot(person.memory))


def test_no_request_holds_a_block(ran):
    """user-U27"""
    assert [blocks_in(body) for body in ran.requests] == [[], [], []]


def test_no_tool_is_offered_that_writes(ran):
    """user-U27: Where a server of ours is started, it knows from the variable whom it serves."""
    assert ran.offered == (frozenset() if ran.client.host in SILENT else READING)


def test_what_its_model_notes_all_the_same_is_refused(ran):
    """user-U27"""
    found, noted = (json.dumps(body) for body in ran.requests[1:])
    assert (KNOWN in found) is (ran.client.host not in SILENT)
    assert "remembered in" not in noted
    assert "remembered" not in ran.person.vade("log")


def test_not_a_byte_of_the_memory_changes(ran):
    """user-U27: No pin, no line for the learner, no sign that one was started."""
    assert ran.after == ran.before


def test_its_session_is_never_learned(ran):
    """codex-R06"""
    report = ran.person.told("learn", "--now")
    assert report["skipped"]["learner"] == 1
    assert report["discovered"] == 1 + report["skipped"].get("unchanged", 0)
    assert (report["extracted"], report["failed"]) == (0, 0)


@pytest.mark.parametrize("client", [one for one in CLIENTS if one.package is CODEX], ids=lambda client: client.host)
def test_codex_hands_the_variable_on_because_its_entry_names_it(client, tmp_path):
    """user-U27: Without that line, the server of an agent that learns would serve what writes."""
    person = Person(tmp_path)
    person.vade("init")
    with FakeModel({"learning": [Step(text="So.")]}) as model:
        client.configure(person.user, model.url)
        person.vade("install", client.host, "--yes")
        assert run(client, person, model).offered == READING
        config = person.user / ".codex" / "config.toml"
        lines = config.read_text(encoding="utf-8").splitlines()
        config.write_text("\n".join(line for line in lines if LEARNER_VARIABLE not in line), encoding="utf-8")
        model.bodies.clear()
        assert run(client, person, model).offered > READING
