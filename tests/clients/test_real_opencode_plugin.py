"""Our plugin in the real opencode: what its model is really sent, and what it really stores.

`make test-hosts` installs opencode and runs this.
"""

import os
import signal
from dataclasses import dataclass
from typing import Any

import pytest

from support.clients_driving import Workplace
from support.clients_opencode import OPENCODE_CLIENT, Serving, serving
from support.fake_model import FakeModel, Step, marker
from support.plugged_in import ScriptedServer, plug_in
from vademecum.hosts.opencode import OPENCODE

pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

BLOCK = "<vademecum-0a1b>\n- The user builds with make. é\n</vademecum-0a1b>"
CITATION = "<memory-citation>\nMEMORY.md:1-2|note=[build]\n</memory-citation>"
CITED = f"Done.\n\n{CITATION}"
SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["query"],
}
ANSWERS = {
    "tools/list": {"tools": [{"name": "memory_search", "description": "Search.", "inputSchema": SCHEMA}]},
    "vademecum/context": {"text": BLOCK, "notice": ""},
    "tools/call": {"content": [{"type": "text", "text": "They build with make."}]},
}
SCENARIOS = {
    "cite": [Step(text=CITED)],
    "search": [Step(tool="memory_search", arguments={"query": "build"}), Step(text="With make.")],
    "plain": [Step(text="As you like.")],
}


@dataclass(frozen=True)
class Held:
    """One conversation, and all that was seen of it."""

    opencode: Serving
    server: ScriptedServer
    session: str

    def requests(self) -> list[dict[str, Any]]:
        """What the model was sent."""
        return self.opencode.place.model.bodies

    def conversation(self) -> list[dict[str, Any]]:
        """Those of them that are of the conversation."""
        return [body for body in self.requests() if body.get("tools")]


@pytest.fixture(scope="module", params=[OPENCODE_CLIENT], ids=["opencode"])
def held(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("opencode")
    home, project = folder / "home", folder / "project"
    home.mkdir()
    project.mkdir()
    server = ScriptedServer(folder / "server", ANSWERS)
    with FakeModel(SCENARIOS) as model:
        request.param.configure(home, model.url)
        plug_in(OPENCODE, home, server.python)
        with serving(Workplace(home=home, project=project, model=model)) as opencode:
            session = opencode.new_session()
            for turns, scenario in enumerate(("cite", "search", "plain"), start=1):
                opencode.prompt(session, f"Please {marker(scenario)}")
                server.await_event("stop", turns)
            yield Held(opencode, server, session)


def systems(body):
    return [message["content"] for message in body["messages"] if message["role"] == "system"]


def test_the_block_stands_in_every_request_that_was_sent_with_the_same_bytes(held):
    """user-U33: Also in the first turn, for the block is asked for when the session is made."""
    assert len(held.conversation()) == 4
    assert {tuple(systems(body)[1:]) for body in held.conversation()} == {(BLOCK,)}
    assert len({systems(body)[0] for body in held.conversation()}) == 1


def test_the_request_for_a_title_is_left_alone(held):
    """codex-N10"""
    titles = [body for body in held.requests() if systems(body)[0].startswith("You are a title generator")]
    assert [body for body in titles if BLOCK in str(body)] == []
    assert titles


def test_the_tool_is_offered_with_its_own_schema(held):
    """opencode would call every argument of a plugin's tool required."""
    (offered,) = [
        tool["function"] for tool in held.conversation()[0]["tools"] if tool["function"]["name"] == "memory_search"
    ]
    assert offered["description"] == "Search."
    assert offered["parameters"]["required"] == ["query"]
    assert set(offered["parameters"]["properties"]) == {"query", "limit"}


def test_the_call_of_a_tool_is_carried_out_for_its_session(held):
    (call,) = held.server.messages("tools/call")
    told = call["_meta"]["vademecum"]
    message = told.pop("message")
    assert told == {"host": "opencode", "session": held.session, "cwd": str(held.opencode.place.project)}
    assert (call["name"], call["arguments"]) == ("memory_search", {"query": "build"})
    assert message in {one["info"]["id"] for one in held.opencode.stored(held.session)}
    assert "They build with make." in str(held.conversation()[2]["messages"][-1])


def test_a_citation_is_counted_and_not_stored(held):
    """codex-R85"""
    stored = held.opencode.stored(held.session)
    assert "memory-citation" not in str(stored)
    (cited,) = [one for one in held.server.messages("vademecum/cite") if one["text"]]
    (answer,) = [one for one in stored if any(part.get("text") == "Done." for part in one["parts"])]
    assert (cited["session"], cited["message"], cited["text"]) == (held.session, answer["info"]["id"], CITATION)


def test_what_became_of_the_session_is_told(held):
    """codex-R04, codex-A24: One first prompt, and one end for each turn."""
    told = [(one["session"], one["event"]) for one in held.server.messages("vademecum/event")]
    assert told[:4] == [(held.session, event) for event in ("prompt", "stop", "stop", "stop")]


def test_the_address_of_the_server_is_told(held):
    told = {one["server"].rstrip("/") for one in held.server.messages("vademecum/event")}
    assert told == {held.opencode.url}


def test_a_second_session_has_a_block_of_its_own(held):
    """user-U15"""
    other = held.opencode.new_session()
    held.opencode.prompt(other, f"Please {marker('plain')}")
    asked = [one["session"] for one in held.server.messages("vademecum/context") if one["event"] == "start"]
    assert asked == [held.session, other]


def test_a_compaction_is_given_the_block_of_its_session(held):
    """user-U26: And its request has it once, not as a system text too."""
    before = len(held.requests())
    model = held.opencode.place.model
    held.opencode.ask("POST", f"/session/{held.session}/summarize", {"providerID": "fake", "modelID": "fake-model"})
    (request,) = [body for body in held.requests()[before:] if BLOCK in str_of(body)]
    assert BLOCK not in "\n".join(systems(request))
    held.opencode.prompt(held.session, f"Please {marker('plain')}")
    assert systems(model.bodies[-1])[1:] == [BLOCK]
    asked = [(one["session"], one["event"]) for one in held.server.messages("vademecum/context")]
    assert [session for session, event in asked if event == "compact"] == [held.session]


def str_of(body):
    return "\n".join(
        part if isinstance(part, str) else part.get("text", "")
        for message in body["messages"]
        for part in ([message["content"]] if isinstance(message["content"], str) else message["content"] or [])
    )


def test_a_turn_goes_on_when_the_child_was_killed(held):
    """The session keeps its block, and the next call of a tool starts another child."""
    os.kill(held.server.process_ids[-1], signal.SIGKILL)
    answer = held.opencode.prompt(held.session, f"Please {marker('plain')}")
    assert [part["text"] for part in answer["parts"] if part["type"] == "text"] == ["As you like."]
    assert systems(held.requests()[-1])[1:] == [BLOCK]
    held.opencode.prompt(held.session, f"Please {marker('search')}")
    assert "They build with make." in str(held.requests()[-1]["messages"][-1])
    assert len(held.server.process_ids) == 2


def test_a_turn_goes_on_while_the_child_hangs(held):
    """Without a block: nothing waits for it."""
    held.server.answer({**ANSWERS, "vademecum/context": {"hang": True}})
    os.kill(held.server.process_ids[-1], signal.SIGKILL)
    other = held.opencode.new_session()
    answer = held.opencode.prompt(other, f"Please {marker('plain')}")
    assert [part["text"] for part in answer["parts"] if part["type"] == "text"] == ["As you like."]
    assert systems(held.requests()[-1])[1:] == []
