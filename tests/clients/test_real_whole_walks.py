"""What a person says to one agent is known to another one: the whole walk, with the real programs.

Each of the five is once the agent that is told, and once the other one. All that is scripted is what the model answers.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from support.clients_driving import CLIENTS, Client, Workplace
from support.clients_opencode import OPENCODE_CLIENT, serving
from support.clients_plugged import Person, blocks_in, call, in_conversation, trust_hooks
from support.clients_recorded import STORES
from support.fake_model import FakeModel, Step, marker
from support.hooks import pass_is_recent
from vademecum.sessions.marks import LEARNER_MARK

# As in test_real_sessions; the first test of each pair waits for the whole walk, of up to a minute.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

KNOWN = "Build with make, never with ninja."
RULE = "Always use pnpm, never npm."
OPENING = f"{RULE}\n\nHow is this built? {marker('told')}"
CITED = "With make.\n\n<memory-citation>\nsystem/building.md:4-4|note=[how it is built]\n</memory-citation>"
NOTE = "The deploy day is Tuesday."
NEWS = "(vademecum: memory changed"
#: What our own learners ask of an agent begins so.
LEARNING = f"{LEARNER_MARK}: from now on always use tabs. {marker('learning')}"
#: The hosts whose answers pass through our plugin before they are stored.
STRIPPING = {"opencode", "pi"}
PERSONS_SETTINGS = '{\n    "theme":"dark"}\n'

PAIRS = [
    ("claude-code", "codex"),
    ("codex", "opencode"),
    ("opencode", "pi"),
    ("pi", "gemini"),
    ("gemini", "claude-code"),
]


@dataclass(frozen=True, kw_only=True)
class Walked:
    """What came of one walk."""

    first: Client
    second: Client
    model: FakeModel
    #: What `vade learn` and `vade usage` said after the first agent was told, and once more.
    learned: tuple[dict[str, Any], ...]
    used: tuple[dict[str, Any], ...]
    #: What they, `vade sessions`, `vade context` and `vade doctor` said when all was over.
    learned_last: dict[str, Any]
    sessions: list[dict[str, Any]]
    context: str
    findings: list[dict[str, Any]]
    #: What the first agent has stored.
    stored: bytes
    #: The hosts' files that were written -> what stood there before and afterwards.
    written: dict[Path, tuple[bytes | None, bytes | None]]
    #: Files that speak of memory in the end, sessions and logs of the programs left out.
    left: list[Path]

    def request(self, scenario: str, number: int = 0) -> dict[str, Any]:
        """The request that was sent for a prompt; later ones have the answers of tools, and later turns."""
        return in_conversation(self.model, marker(scenario))[number]


def pair_of(first: str, second: str) -> tuple[Client, Client]:
    by_host = {client.host: client for client in CLIENTS}
    return by_host[first], by_host[second]


@pytest.fixture(scope="module", params=[pair_of(*pair) for pair in PAIRS], ids=["-".join(pair) for pair in PAIRS])
def walked(request, tmp_path_factory) -> Iterator[Walked]:
    first, second = request.param
    person = Person(tmp_path_factory.mktemp("person"))
    plain = {name: [Step(text="As you like.")] for name in ("new", "later", "next", "learning")}
    script = {"told": [call(first, "memory_search", query="ninja"), Step(text=CITED)], **plain}
    with FakeModel(script) as model:
        yield walk(person, first, second, model)


def walk(person: Person, first: Client, second: Client, model: FakeModel) -> Walked:
    person.vade("init")
    text = f"- {KNOWN}"
    person.vade("memory", "create", "system/building.md", "--description", "How the user builds", "--text", text)
    # No pass in the background comes in between.
    pass_is_recent(person.memory)
    before = plug_in(person, first, second, model)
    with person.talking(first, model) as say:
        say(OPENING)
    learned, used = [], []
    for _ in range(2):
        learned.append(person.told("learn", "--now"))
        used.append(person.told("usage"))
    stored = b"".join(
        data for path, data in person.files().items() if path.is_relative_to(person.user / STORES[first.host])
    )
    with person.talking(second, model) as say:
        say(f"please {marker('new')}")
        person.vade("note", NOTE)
        say(f"go on {marker('later')}", resume=True)
        say(f"please {marker('next')}")
        say(LEARNING)
    learned_last = person.told("learn", "--now")
    findings = person.told("doctor")["findings"]
    ours = {path for client in (first, second) for path in person.written_for(client)}
    for client in (first, second):
        person.vade("uninstall", client.host, "--yes")
    after = person.files()
    return Walked(
        first=first,
        second=second,
        model=model,
        learned=tuple(learned),
        used=tuple(used),
        learned_last=learned_last,
        sessions=person.told("sessions")["sessions"],
        context=person.vade("context"),
        findings=findings,
        stored=stored,
        written={path: (before.get(path), after.get(path)) for path in ours},
        left=[path for path in after if "vademecum" in path.name and not path.name.endswith(".bak")],
    )


def plug_in(person: Person, first: Client, second: Client, model: FakeModel) -> dict[Path, bytes]:
    """Install both programs and memory in them; the files as the person left them."""
    for client in (first, second):
        client.configure(person.user, model.url)
        person.has(client)
    if "claude-code" in {first.host, second.host}:
        settings = person.user / ".claude" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(PERSONS_SETTINGS, encoding="utf-8")
    before = person.files()
    for client in (first, second):
        person.vade("install", client.host, "--yes")
        if client.host == "codex":
            trusted = trust_hooks(client, person.user, person.project)
            before[person.user / ".codex" / "config.toml"] += trusted.encode()
    return before


def test_the_first_agent_is_answered_by_the_tool_that_its_model_calls(walked):
    asked, answered = (json.dumps(walked.request("told", number)) for number in (0, 1))
    assert KNOWN in blocks_in(walked.request("told"))[0]
    assert "system/building.md:4" not in asked
    assert "system/building.md:4" in answered


def test_what_the_person_said_is_learned_once(walked):
    assert [report["extracted"] for report in walked.learned] == [1, 0]
    assert [report["failed"] for report in walked.learned] == [0, 0]


def test_a_citation_is_counted_once(walked):
    """codex-R85: By the plugin or from the stored session, never by both."""
    for used in walked.used:
        assert [(one["path"], one["usage_count"]) for one in used["cited"]] == [("system/building.md", 1)]


def test_where_our_plugin_stands_before_the_store_a_citation_is_not_stored(walked):
    assert b"With make." in walked.stored
    assert (b"memory-citation" in walked.stored.partition(b"With make.")[2]) is (walked.first.host not in STRIPPING)


def test_a_new_session_of_the_second_agent_is_sent_what_the_first_was_told(walked):
    (block,) = blocks_in(walked.request("new"))
    assert RULE.strip(".") in block
    assert NOTE not in block


def test_a_later_turn_is_sent_the_same_bytes_after_memory_changed(walked):
    """user-U34"""
    assert blocks_in(walked.request("later")) == blocks_in(walked.request("new"))
    assert json.dumps(walked.request("later")).count(NEWS) == 1


def test_the_next_session_has_what_changed(walked):
    """user-U45"""
    (block,) = blocks_in(walked.request("next"))
    assert NOTE in block
    assert NEWS not in json.dumps(walked.request("next"))


def test_neither_a_learners_session_nor_a_helper_request_is_learned(walked):
    """user-U27: Four sessions were held: the one that was learned, two with nothing to learn, and a learner's."""
    report = walked.learned_last
    assert (report["discovered"], report["skipped"]) == (4, {"unchanged": 1, "learner": 1})
    assert (report["no_output"], report["extracted"], report["failed"]) == (2, 0, 0)
    assert [one["host"] for one in walked.sessions] == [walked.first.host]
    assert "use tabs" not in walked.context


def test_the_doctor_finds_both_plugged_in_and_nothing_broken(walked):
    """user-U68"""
    assert [one for one in walked.findings if one["level"] in {"problem", "warning"}] == []
    for client in (walked.first, walked.second):
        said = [one["what"] for one in walked.findings if one["area"] == client.host]
        assert [what for what in said if what.startswith("memory is plugged into")]
        assert [what for what in said if "would get nothing" in what] == []


def test_every_byte_of_the_agents_files_comes_back(walked):
    """user-U49"""
    assert walked.written
    assert {path: after for path, (before, after) in walked.written.items() if before != after} == {}
    assert walked.left == []


@pytest.mark.parametrize("client", [OPENCODE_CLIENT], ids=["opencode"])
def test_twenty_turns_of_a_session_have_one_text_while_notes_are_added(client, tmp_path):
    """user-U33, codex-A15: And the next session has the last note."""
    person = Person(tmp_path)
    person.vade("note", RULE)
    with FakeModel({"plain": [Step(text="As you like.")]}) as model:
        client.configure(person.user, model.url)
        person.vade("install", client.host, "--yes")
        with serving(Workplace(home=person.user, project=person.project, model=model)) as opencode:
            session, seen = opencode.new_session(), []
            for turn in range(20):
                opencode.prompt(session, f"please {marker('plain')}")
                seen.append(in_conversation(model, marker("plain"))[-1])
                person.vade("note", f"The word of turn {turn} is tea.")
            opencode.prompt(opencode.new_session(), f"please {marker('plain')}")
            other = in_conversation(model, marker("plain"))[-1]
    assert len(seen) == 20
    assert len({hashlib.sha256(json.dumps(systems(body)).encode()).hexdigest() for body in seen}) == 1
    for earlier, later in pairwise(seen):
        assert later["messages"][: len(earlier["messages"])] == earlier["messages"]
    assert RULE.strip(".") in blocks_in(seen[-1])[0]
    assert "turn 19" in blocks_in(other)[0]


def systems(body: dict[str, Any]) -> list[str]:
    return [message["content"] for message in body["messages"] if message["role"] == "system"]
