"""Sessions of a running opencode whose database lies where nobody looks are learned through its API.

`make test-clients` installs opencode and runs this.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from support.clients_driving import Workplace
from support.clients_opencode import OPENCODE_CLIENT, Serving, serving
from support.fake_model import FakeModel, Step, marker
from support.fake_model_wires import MODEL
from support.product import Product
from vademecum.errors import SessionUnreadable
from vademecum.sessions import Session, discover, load
from vademecum.sessions.registry import listed_at

pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

RULE = "From now on always use pnpm here, never npm."
SCENARIOS = {
    "tools": [Step(tool="bash", arguments={"command": "echo wombat", "description": "Say it"}), Step(text="Done. é")],
    "plain": [Step(text="As you like.")],
    "structured": [Step(tool="StructuredOutput", arguments={"color": "red"})],
}
SCHEMA = {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}


@dataclass(frozen=True)
class Held:
    """What was said to a server, and where it keeps it."""

    opencode: Serving
    data: Path
    #: Talk with a tool; a message taken back; put into the archive; with a structured prompt.
    talk: str
    taken_back: str
    archived: str
    structured: str

    def stored(self) -> dict[str, Session]:
        """The sessions as its database has them."""
        found = discover(hosts=None, sources=[self.data], environ={}, home=self.data)
        return {ref.session_id: load(ref) for ref in found.refs}


@pytest.fixture(scope="module", params=[OPENCODE_CLIENT], ids=["opencode"])
def held(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("opencode")
    home, project, data = folder / "home", folder / "project", folder / "elsewhere"
    home.mkdir()
    project.mkdir()
    with FakeModel(SCENARIOS) as model:
        request.param.configure(home, model.url)
        place = Workplace(home=home, project=project, model=model)
        with serving(place, {"XDG_DATA_HOME": str(data)}) as opencode:
            talk, taken_back, archived, structured = (opencode.new_session() for _ in range(4))
            opencode.prompt(talk, f"{RULE} {marker('tools')}")
            opencode.prompt(talk, f"And thank you. {marker('plain')}")
            opencode.prompt(taken_back, f"Kept wombat. {marker('plain')}")
            second = opencode.prompt(taken_back, f"Gone wombat. {marker('plain')}")
            opencode.ask("POST", f"/session/{taken_back}/revert", {"messageID": second["info"]["parentID"]})
            opencode.prompt(archived, f"Old wombat. {marker('plain')}")
            opencode.ask("PATCH", f"/session/{archived}", {"time": {"archived": 1_796_000_000_000}})
            opencode.ask("POST", f"/session/{structured}/message", structured_prompt())
            yield Held(opencode, data, talk, taken_back, archived, structured)


def structured_prompt():
    return {
        "agent": "build",
        "model": {"providerID": "fake", "modelID": MODEL},
        "parts": [{"type": "text", "text": f"A color. {marker('structured')}"}],
        "format": {"type": "json_schema", "schema": SCHEMA},
    }


def refs_at(held):
    skipped = Counter()
    refs = {ref.session_id: ref for ref in listed_at(held.opencode.url, skipped)}
    assert not skipped
    return refs


def test_every_session_is_listed_also_one_in_the_archive(held):
    assert set(refs_at(held)) == {held.talk, held.taken_back, held.archived, held.structured}


@pytest.mark.parametrize("which", ["talk", "taken_back", "archived"])
def test_a_session_is_the_same_as_from_the_database(held, which):
    session_id = getattr(held, which)
    asked = load(refs_at(held)[session_id])
    stored = held.stored()[session_id]
    assert asked.messages
    assert msgspec.to_builtins(asked) == msgspec.to_builtins(stored)


def test_a_session_that_goes_on_is_known_to_have_changed(held):
    before = refs_at(held)[held.archived].fingerprint
    assert refs_at(held)[held.archived].fingerprint == before
    held.opencode.prompt(held.archived, f"More. {marker('plain')}")
    assert refs_at(held)[held.archived].fingerprint != before


def test_messages_that_the_server_refuses_are_an_error_and_no_empty_session(held):
    """codex-R10"""
    ref = refs_at(held)[held.structured]
    with pytest.raises(SessionUnreadable, match="400"):
        load(ref)
    assert held.stored()[held.structured].messages


def test_it_is_learned_by_the_address(held, tmp_path):
    product = Product(tmp_path)
    report = product.call("learn", "--from", held.opencode.url, "--now", "--json").json
    assert report["discovered"] == 4
    assert report["skipped"]["unreadable"] == 1
    assert "pnpm" in product.context(str(held.opencode.place.project))
    again = product.call("learn", "--from", held.opencode.url, "--now", "--json").json
    assert (again["extracted"], again["skipped"]["unreadable"]) == (0, 1)
