"""The real agent programs learn, and can do nothing else: no shell, no network, no file outside, nothing of the user's.

Each finds a home full of traps, and a model that tries to break out before it does its work.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pygit2
import pytest

from support.clients import CLAUDE_CODE, CODEX
from support.clients_driving import CLIENTS, Workplace, prompt
from support.clients_learning import LEARNING, MARKS, NEW_SUMMARY, Scene, prompt_of
from support.clients_recorded import STORES
from support.fake_model import FakeModel, Step, marker
from support.memfs import create
from support.opencode_stores import Conversation, text, write_database
from support.refusing_model import Refusing
from vademecum.artifacts import SUMMARY_PATH
from vademecum.errors import LearnerFailed, LoginRefused, QuotaReached
from vademecum.learners import ConsolidationTask, ExtractionTask, Request, Verdict
from vademecum.memfs import Draft
from vademecum.sessions import LEARNER_MARK, Session, discover

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

VERDICT = 'The summary is new.\n{"verdict": "wrote"}'
NOTHING = '{"raw_memory": "", "rollout_summary": "", "rollout_slug": "", "outcome": ""}'
PRIVATE = "PRIVATE-WORDS"
PERSONS = Conversation("ses_persons", title=f"{LEARNER_MARK}, what is that?").user(text("hello"))
#: A model that Codex gives one tool, in which it composes the others in JavaScript.
COMPOSING_MODEL = "gpt-6.2-sol"
#: What it can compose there. The server of the person is none of the servers that can be asked for resources.
COMPOSED = "apply_patch,clock__curr_time,list_mcp_resource_templates,list_mcp_resources,read_mcp_resource"
#: opencode would fetch a package for every folder of plugins first.
TRAPPED = [client for client in CLIENTS if client.package in {CLAUDE_CODE, CODEX}]
LEARNERS = [client for client in CLIENTS if client.host in LEARNING]


class Kept:
    """A meter that keeps what it is told."""

    def __init__(self):
        self.asked, self.noted = [], []

    def allow(self, model):
        self.asked.append(model)

    def note(self, request):
        self.noted.append(request)


@dataclass
class Done:
    """One consolidation and one extraction by a real client."""

    learning: object
    scene: Scene
    verdict: object
    extraction: object
    #: What changed in the draft.
    written: dict[str, bytes | None]
    #: Files that are new afterwards, anywhere.
    appeared: set[Path]
    consolidating: list[dict]
    extracting: list[dict]
    meter: Kept
    #: Sessions of the person's, and what their file held before.
    persons: Path
    of_the_person: bytes


@pytest.fixture(scope="module", params=LEARNERS, ids=lambda client: client.host)
def done(request, tmp_path_factory):
    learning = LEARNING[request.param.host](request.param)
    around = tmp_path_factory.mktemp(request.param.host)
    scene = Scene(home=around / "home", draft=around / "drafts" / "run", around=around, log=around / "traps.log")
    scene.home.mkdir()
    (around / "private.md").write_text(PRIVATE, encoding="utf-8")
    meter = Kept()
    with Draft.open(repository := create(around), repository.head(), scene.draft) as draft:
        (draft.inputs / "input.md").write_text("INPUT-WORDS", encoding="utf-8")
        write = learning.write(scene.draft / SUMMARY_PATH, NEW_SUMMARY)
        steps = [*learning.attacks(scene), write, Step(text=VERDICT)]
        # Without files to write, the same model tries the same.
        alone = [*learning.attacks(scene), write, Step(text=NOTHING)]
        with FakeModel({"work": steps, "read": alone}, without_tools=Step(text=NOTHING)) as model:
            learning.configure(scene, model.url)
            persons = write_database(scene.home / ".local/share/opencode/opencode.db", PERSONS)
            of_the_person = persons.read_bytes()
            before = everything(around)
            learner = learning.learner(scene, model.url)
            verdict = learner.consolidate(task(f"Write. {marker('work')}", meter), draft)
            consolidating, model.bodies = model.bodies, []
            extraction = learner.extract(reading(f"Read. {marker('read')}", meter))
            written = dict(draft.freeze().edits)
            appeared = everything(around) - before
    bodies = (consolidating, model.bodies)
    return Done(learning, scene, verdict, extraction, written, appeared, *bodies, meter, persons, of_the_person)


def reading(words, meter):
    at = datetime(2026, 11, 2, tzinfo=UTC)
    session = Session(id="s", host="h", cwd="", branch=None, started_at=at, updated_at=at, parent_id=None, messages=())
    return ExtractionTask(session=session, project="", prompt=prompt_of(words), meter=meter)


def task(words, meter):
    return ConsolidationTask(sessions=(), notes=(), known_bullets={}, removed=(), prompt=prompt_of(words), meter=meter)


def everything(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def tools_of(body):
    return frozenset(tool.get("name") or tool["function"]["name"] for tool in body.get("tools") or ())


def test_the_agent_writes_in_the_draft_and_gives_its_verdict(done):
    assert done.verdict.verdict is Verdict.WROTE
    assert done.written[SUMMARY_PATH] == NEW_SUMMARY.encode()


def test_the_answer_of_an_extraction_comes_back(done):
    assert done.extraction.is_empty
    assert done.extracting


def test_only_the_tools_that_the_work_needs_are_offered(done):
    """codex-R25."""
    assert {tools_of(body) for body in done.consolidating} == {done.learning.tools}
    assert {tools_of(body) for body in done.extracting} == {done.learning.tools_without_files}


def test_no_hook_plugin_or_server_of_the_person_is_started_and_no_shell(done):
    """user-U31."""
    log = done.scene.log
    assert not log.exists(), log.read_text()


def test_nothing_of_the_persons_setup_reaches_the_model(done):
    """What stands in the draft is shown to an agent that cannot open files; that message is ours."""
    entries = [
        entry for body in done.consolidating + done.extracting for entry in body.get("messages") or body["input"]
    ]
    asked = json.dumps([entry for entry in entries if LEARNER_MARK not in json.dumps(entry)])
    assert [mark for mark in MARKS if mark in asked] == []
    assert PRIVATE not in asked


def test_nothing_appears_outside_the_draft_but_the_clients_own_files(done):
    outside = {path for path in done.appeared if not path.is_relative_to(done.scene.home)}
    assert outside == {done.scene.draft / SUMMARY_PATH}
    assert not list(Path("/tmp").glob("vademecum-outside-*"))


def test_no_session_is_left_behind_and_none_of_the_persons_is_touched(done):
    """codex-R06, codex-A26: also one whose title reads as if it were one of ours."""
    home = done.scene.home
    assert [ref.session_id for ref in discover(hosts=None, sources=None, environ={}, home=home).refs] == [PERSONS.id]
    assert done.persons.read_bytes() == done.of_the_person
    assert not (home / STORES["codex"]).exists()


def test_the_first_words_are_the_mark_that_readers_pass_over(done):
    for body in done.consolidating + done.extracting:
        said = [entry for entry in body.get("messages") or body["input"] if entry.get("role") == "user"]
        assert LEARNER_MARK in json.dumps(said[0])


def test_what_it_took_is_noted(done):
    name = done.learning.client.host
    assert done.meter.asked == [name, name]
    assert [request.model for request in done.meter.noted] == [name, name]
    assert all(isinstance(each, Request) and each.tokens_in >= 100 for each in done.meter.noted)


@pytest.mark.parametrize("client", TRAPPED, ids=lambda client: client.host)
def test_the_traps_are_set(client, tmp_path):
    """The same home and the same draft, worked in as a person does: hooks or servers run, and instructions are read."""
    learning = LEARNING[client.host](client)
    scene = Scene(home=tmp_path / "home", draft=tmp_path / "draft", around=tmp_path, log=tmp_path / "log")
    for folder in (scene.home, scene.draft):
        folder.mkdir()
    with FakeModel({"work": [Step(text="Done.")]}) as model:
        learning.configure(scene, model.url)
        pygit2.init_repository(scene.draft)  # elsewhere some do not start
        prompt(client, f"Work. {marker('work')}", Workplace(home=scene.home, project=scene.draft, model=model))
    assert scene.log.exists()
    assert "PERSONS-INSTRUCTIONS" in json.dumps(model.bodies)


@pytest.mark.parametrize(
    "client", [client for client in CLIENTS if client.package is CODEX], ids=lambda client: client.host
)
def test_a_model_that_composes_its_tools_in_code_can_do_no_more(client, tmp_path):
    learning = LEARNING[client.host](client)
    scene = Scene(home=tmp_path / "home", draft=tmp_path / "drafts" / "run", around=tmp_path, log=tmp_path / "log")
    scene.home.mkdir()
    patches = [learning.write(path, NEW_SUMMARY).free_form for path in (tmp_path / "outside.md", Path(SUMMARY_PATH))]
    code = [
        "text('HAS ' + Object.keys(tools).sort().join(','))",
        f"await tools.exec_command({{cmd: {json.dumps(scene.trap('shell'))}}})",
        "text(JSON.stringify(await tools.list_mcp_resources({})))",
        "text('FREE ' + [typeof fetch, typeof require, typeof process, typeof Deno].join())",
        *(f"await tools.apply_patch({json.dumps(patch)})" for patch in patches),
    ]
    steps = [*(Step(tool="exec", free_form=each) for each in code), Step(text=VERDICT)]
    with Draft.open(repository := create(tmp_path), repository.head(), scene.draft) as draft:
        with FakeModel({"work": steps}) as model:
            learning.configure(scene, model.url)
            settings = scene.home / ".codex" / "config.toml"
            settings.write_text(re.sub('model = ".*"', f'model = "{COMPOSING_MODEL}"', settings.read_text(), count=1))
            learning.learner(scene, model.url).consolidate(task(f"Write. {marker('work')}", Kept()), draft)
        assert draft.freeze().edits[SUMMARY_PATH] == NEW_SUMMARY.encode()
    told = json.dumps(model.bodies[-1])
    assert f"HAS {COMPOSED}" in told
    [offered] = [entry["tools"] for entry in model.bodies[-1]["input"] if entry.get("type") == "additional_tools"]
    assert {tool["name"] for tool in offered} == {"functions", "clock"}
    assert "FREE undefined,undefined,undefined,undefined" in told
    assert not scene.log.exists()
    assert not (tmp_path / "outside.md").exists()
    assert [mark for mark in MARKS if mark in told and mark != "DRAFT-INSTRUCTIONS"] == []


@pytest.fixture
def refusing():
    """A server in a model's place that refuses every request."""
    with Refusing() as server:
        yield server


@pytest.mark.parametrize("client", LEARNERS, ids=lambda client: client.host)
@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (429, {"type": "usage_limit_reached", "message": "The usage limit has been reached"}, QuotaReached),
        (401, {"type": "authentication_error", "message": "invalid x-api-key"}, LoginRefused),
    ],
)
def test_a_refusal_of_the_model_is_told_as_what_it_is(client, refusing, tmp_path, status, body, expected):
    refusing.answer = (status, {"type": "error", "error": body})
    learning = LEARNING[client.host](client)
    scene = Scene(home=tmp_path / "home", draft=tmp_path / "draft", around=tmp_path, log=tmp_path / "log")
    for folder in (scene.home, scene.draft):
        folder.mkdir()
    learning.configure(scene, refusing.url)
    with pytest.raises(LearnerFailed) as caught:
        learning.learner(scene, refusing.url).extract(reading("Read.", Kept()))
    assert type(caught.value) is expected
