"""opencode and pi with the whole of memory behind our plugins, plugged in by the commands that a person runs.

`make test-hosts` installs both and runs this.
"""

import json
import os

import pytest

from support.clients_driving import CLIENTS, Client, Workplace, prompt
from support.clients_opencode import OPENCODE_CLIENT, serving
from support.clients_plugged import Person
from support.fake_model import FakeModel, Step, marker

pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

PI_CLIENT = next(client for client in CLIENTS if client.host == "pi")
NEWS = "(vademecum: memory changed since its block was given to this"
RULE = "Build with make, never with ninja."
CITED = "Done.\n\n<memory-citation>\nsystem/building.md:5-5|note=[build]\n</memory-citation>"
SCENARIOS = {
    "cite": [Step(text=CITED)],
    "plain": [Step(text="As you like.")],
    "search": [Step(tool="memory_search", arguments={"query": "ninja"}), Step(text="With make.")],
    "note": [Step(tool="memory_add_note", arguments={"note": "The release day is Friday."}), Step(text="Noted.")],
    "reset": [Step(tool="memory_reset", arguments={}), Step(text="I may not.")],
}


@pytest.fixture
def home(tmp_path):
    made = Person(tmp_path)
    made.vade("init")
    made.vade("memory", "create", "system/building.md", "--description", "How the user builds", "--text", f"- {RULE}")
    return made


def plugged(home: Person, client: Client, model: FakeModel) -> Workplace:
    client.configure(home.user, model.url)
    home.vade("install", client.host, "--yes")
    return Workplace(home=home.user, project=home.project, model=model)


def systems(body):
    return [message["content"] for message in body["messages"] if message["role"] == "system"]


def said_by_tool(body):
    return [str(message["content"]) for message in body["messages"] if message["role"] == "tool"][-1]


@pytest.mark.parametrize("client", [OPENCODE_CLIENT], ids=["opencode"])
def test_opencode_remembers(client, home):
    """user-U34: A note in the middle of a session changes no byte of what was sent; the next session has it."""
    with FakeModel(SCENARIOS) as model:
        place = plugged(home, client, model)
        with serving(place) as opencode:
            session = opencode.new_session()

            def turn(scenario, session=session):
                opencode.prompt(session, f"Please {marker(scenario)}")
                return [body for body in model.bodies if body.get("tools")][-1]

            first = turn("cite")
            assert RULE in systems(first)[1]
            home.vade("note", "The deploy day is Tuesday.")
            second = turn("plain")
            assert systems(second) == systems(first)
            assert second["messages"][: len(first["messages"])] == first["messages"]
            assert str(turn("plain")["messages"]).count(NEWS) == 1
            assert RULE in said_by_tool(turn("search"))
            assert "Friday" in said_by_tool(turn("note"))
            refused = said_by_tool(turn("reset"))
            assert "vade reset" in refused
            other = turn("plain", opencode.new_session())
            assert "The deploy day is Tuesday." in systems(other)[1]
            assert "Friday" in home.vade("search", "release day", "--json")
    assert [one["path"] for one in json.loads(home.vade("usage", "--json"))["cited"]] == ["system/building.md"]
    home.vade("uninstall", client.host, "--yes")
    assert not list((home.user / ".config" / "opencode").glob("plugins/*"))


@pytest.mark.parametrize("client", [PI_CLIENT], ids=["pi"])
def test_pi_remembers(client, home):
    """user-U34: The session that another process goes on with has the same bytes, and the news once."""
    with FakeModel(SCENARIOS) as model:
        place = plugged(home, client, model)
        prompt(client, f"Please {marker('cite')}", place)
        first = model.bodies[-1]
        assert RULE in systems(first)[0]
        home.vade("note", "The deploy day is Tuesday.")
        prompt(client, f"Please {marker('search')}", place, resume=True)
        second = model.bodies[-1]
        assert systems(second) == systems(first)
        assert RULE in said_by_tool(second)
        assert str(second["messages"]).count(NEWS) == 1
        prompt(client, f"Please {marker('reset')}", place, resume=True)
        assert "vade reset" in said_by_tool(model.bodies[-1])
        prompt(client, f"Please {marker('plain')}", place)
        assert "The deploy day is Tuesday." in systems(model.bodies[-1])[0]
    assert [one["path"] for one in json.loads(home.vade("usage", "--json"))["cited"]] == ["system/building.md"]
    home.vade("uninstall", client.host, "--yes")
    assert not list((home.user / ".pi" / "agent").glob("extensions/*"))


@pytest.mark.parametrize("client", [OPENCODE_CLIENT], ids=["opencode"])
def test_a_session_that_no_disk_holds_is_learned_while_its_server_runs(client, home):
    """By the address that the plugin tells; what ended with its server is nothing that fails."""
    with FakeModel(SCENARIOS) as model:
        place = plugged(home, client, model)
        with serving(place, {"OPENCODE_DB": ":memory:"}) as opencode:
            opencode.prompt(opencode.new_session(), f"Always use pnpm, never npm. {marker('plain')}")
            home.await_told(opencode.url)
            assert not list(home.user.rglob("*.db"))
            report = home.told("learn", "--now")
            assert (report["discovered"], report["extracted"], report["failed"]) == (1, 1, 0)
            opencode.prompt(opencode.new_session(), f"Please {marker('plain')}")
            assert "Always use pnpm, never npm" in systems(model.bodies[-1])[1]
    assert home.told("learn", "--now")["discovered"] == 0
    assert "Always use pnpm, never npm" in home.vade("context")


@pytest.mark.parametrize("client", [OPENCODE_CLIENT, PI_CLIENT], ids=lambda client: client.host)
def test_a_run_of_one_prompt_has_its_block(client, home):
    """The host has only just been started, and the server too."""
    with FakeModel(SCENARIOS) as model:
        place = plugged(home, client, model)
        prompt(client, f"Please {marker('plain')}", place)
        (request,) = [body for body in model.bodies if body.get("tools")]
        assert RULE in "\n".join(systems(request))


@pytest.mark.parametrize("client", [OPENCODE_CLIENT], ids=["opencode"])
def test_the_doctor_asks_opencode_which_tools_it_sees(client, home):
    """user-U68"""
    with FakeModel(SCENARIOS) as model:
        plugged(home, client, model)
    before = home.environ["PATH"]
    home.environ["PATH"] = f"{client.package.program.parent}{os.pathsep}{before}"
    found = {one["what"] for one in json.loads(home.vade("doctor", "--json"))["findings"]}
    assert [what for what in found if what.startswith("opencode sees ") and what.endswith(" memory tools")]
