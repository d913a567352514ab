"""Our extension in the real pi: what its model is really sent, and what it really stores.

`make test-hosts` installs pi and runs this.
"""

import json
import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from support.clients import NODE, PI_NEWER
from support.clients_driving import CLIENTS, Client, Workplace, prompt
from support.fake_model import FakeModel, Step, marker
from support.plugged_in import ScriptedServer, plug_in
from vademecum.hosts.pi import PI
from vademecum.sessions import pi
from vademecum.sessions.model import Role

pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

PI_CLIENT = next(client for client in CLIENTS if client.host == "pi")
BLOCK = "<vademecum-0a1b>\n- The user builds with make. é\n</vademecum-0a1b>"
NEWS = "Memory has changed since this session began."
CITATION = "<memory-citation>\nMEMORY.md:1-2|note=[build]\n</memory-citation>"
CITED = f"Done.\n\n{CITATION}"
SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["query"],
}
ANSWERS = {
    "tools/list": {"tools": [{"name": "memory_search", "description": "Search.", "inputSchema": SCHEMA}]},
    "vademecum/context": {"text": BLOCK, "notice": NEWS},
    "tools/call": {"content": [{"type": "text", "text": "They build with make."}]},
}
SCENARIOS = {
    "cite": [Step(text=CITED)],
    "search": [Step(tool="memory_search", arguments={"query": "build"}), Step(text="With make.")],
}


#: The newer line, under a Node that is new enough for it.
NEWER = replace(
    PI_CLIENT,
    package=PI_NEWER,
    companions=(NODE,),
    environ=lambda url: {
        **PI_CLIENT.environ(url),
        "PATH": os.pathsep.join([str(NODE.program.parent), os.environ["PATH"]]),
    },
)
PI_CLIENTS = (pytest.param(PI_CLIENT, id="pi"), pytest.param(NEWER, id="newer pi"))


@dataclass(frozen=True)
class Held:
    """One conversation of two processes, and all that was seen of it."""

    server: ScriptedServer
    requests: list[dict[str, Any]]
    file: Path

    def entries(self) -> list[dict[str, Any]]:
        """The session as it is stored."""
        return [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module", params=PI_CLIENTS)
def held(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pi")
    with FakeModel(SCENARIOS) as model:
        place, server = plugged(folder, request.param, model, ANSWERS)
        prompt(request.param, f"Please {marker('cite')}", place)
        prompt(request.param, f"Please {marker('search')}", place, resume=True)
        (file,) = (place.home / ".pi" / "agent" / "sessions").rglob("*.jsonl")
        yield Held(server, model.bodies, file)


def plugged(
    folder: Path, client: Client, model: FakeModel, answers: dict[str, Any]
) -> tuple[Workplace, ScriptedServer]:
    place = Workplace(home=folder / "home", project=folder / "project", model=model)
    place.home.mkdir()
    place.project.mkdir()
    client.configure(place.home, model.url)
    server = ScriptedServer(folder / "server", answers)
    plug_in(PI, place.home, server.python)
    return place, server


def system_of(body):
    return next(message["content"] for message in body["messages"] if message["role"] == "system")


def test_the_block_stands_in_every_request_that_was_sent_with_the_same_bytes(held):
    """user-U33: In the first turn too, and in the process that goes on with the session."""
    assert len(held.requests) == 3
    (system,) = {system_of(body) for body in held.requests}
    assert system.endswith(f"\n\n{BLOCK}")


def test_the_tool_is_offered_with_its_own_schema(held):
    (offered,) = [tool["function"] for tool in held.requests[0]["tools"] if tool["function"]["name"] == "memory_search"]
    assert (offered["description"], offered["parameters"]) == ("Search.", SCHEMA)


def test_the_call_of_a_tool_is_carried_out_for_its_session(held):
    (call,) = held.server.messages("tools/call")
    assert call["arguments"] == {"query": "build"}
    meta = call["_meta"]["vademecum"]
    assert (meta["host"], meta["session"], meta["cwd"]) == ("pi", *((header := held.entries()[0])["id"], header["cwd"]))
    assert "They build with make." in str(held.requests[2]["messages"][-1])


def test_a_citation_is_counted_and_not_stored(held):
    """codex-R85"""
    assert "memory-citation" not in held.file.read_text(encoding="utf-8")
    (cited,) = [one for one in held.server.messages("vademecum/cite") if one["text"]]
    assert (cited["session"], cited["text"]) == (held.entries()[0]["id"], CITATION)


def test_what_became_of_the_session_is_told(held):
    """Each process tells of its prompt and its end, the last thing before it goes too."""
    session = held.entries()[0]["id"]
    told = [(one["session"], one["event"]) for one in held.server.messages("vademecum/event")]
    assert told == [(session, event) for event in ("prompt", "stop", "session-end") * 2]
    asked = [one["event"] for one in held.server.messages("vademecum/context")]
    assert (asked[0], "resume" in asked) == ("start", True)


def test_nothing_of_ours_is_learned(held):
    """The block is stored nowhere, and our reader passes over the line of news."""
    assert NEWS in held.file.read_text(encoding="utf-8")
    assert BLOCK not in held.file.read_text(encoding="utf-8")
    (ref,) = pi.discover(held.file, Counter())
    session = pi.read(ref, Counter())
    assert [message for message in session.messages if NEWS in message.text] == []
    assert [message.role for message in session.messages if message.role is Role.HUMAN] == [Role.HUMAN] * 2


def test_every_child_has_ended_with_its_host(held):
    assert [one for one in held.server.messages() if "ended" in one] == [{"ended": True}] * 2


@pytest.mark.parametrize("client", PI_CLIENTS)
@pytest.mark.parametrize("answers", [{"tools/list": {"die": True}}, {**ANSWERS, "vademecum/context": {"hang": True}}])
def test_a_turn_goes_on_without_the_child(client, answers, tmp_path):
    with FakeModel(SCENARIOS) as model:
        place, _ = plugged(tmp_path, client, model, answers)
        prompt(client, f"Please {marker('cite')}", place)
        assert BLOCK not in system_of(model.bodies[0])
