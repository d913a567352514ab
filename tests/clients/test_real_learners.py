"""The real agent programs learn, and can do nothing else: no shell, no network, no file outside, nothing of the user's.

Each finds a home full of traps, and a model that tries to break out before it does its work.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.clients_driving import CLIENTS
from support.clients_learning import LEARNING, MARKS, NEW_SUMMARY, Scene, prompt_of
from support.clients_recorded import STORES
from support.fake_model import FakeModel, Step, marker
from support.learned import session
from support.memfs import create
from vademecum.artifacts import SUMMARY_PATH
from vademecum.learners import ConsolidationTask, ExtractionTask, Request, Verdict
from vademecum.memfs import Draft
from vademecum.sessions import LEARNER_MARK, discover

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

VERDICT = 'The summary is new.\n{"verdict": "wrote"}'
NOTHING = '{"raw_memory": "", "rollout_summary": "", "rollout_slug": "", "outcome": ""}'
PRIVATE = "PRIVATE-WORDS"
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
    consolidating: list[dict]
    extracting: list[dict]
    meter: Kept


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
            before = everything(around)
            learner = learning.learner(scene, model.url)
            verdict = learner.consolidate(task(f"Write. {marker('work')}", meter), draft)
            consolidating, model.bodies = model.bodies, []
            extraction = learner.extract(
                ExtractionTask(session=session(), project="", prompt=prompt_of(f"Read. {marker('read')}"), meter=meter)
            )
            written = dict(draft.freeze().edits)
            appeared = everything(around) - before
    return Done(learning, scene, verdict, extraction, written, consolidating, model.bodies, meter), appeared


def task(words, meter):
    return ConsolidationTask(
        sessions=(), notes=(), known_bullets={}, removed=(), prompt=prompt_of(words), meter=meter
    )


def everything(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def tools_of(body):
    return frozenset(tool.get("name") or tool["function"]["name"] for tool in body.get("tools") or ())


def test_the_agent_writes_in_the_draft_and_gives_its_verdict(done):
    assert done[0].verdict.verdict is Verdict.WROTE
    assert done[0].written[SUMMARY_PATH] == NEW_SUMMARY.encode()


def test_the_answer_of_an_extraction_comes_back(done):
    assert done[0].extraction.is_empty
    assert done[0].extracting


def test_only_the_tools_that_the_work_needs_are_offered(done):
    assert {tools_of(body) for body in done[0].consolidating} == {done[0].learning.tools}
    assert {tools_of(body) for body in done[0].extracting} == {done[0].learning.tools_without_files}


def test_no_hook_plugin_or_server_of_the_person_is_started_and_no_shell(done):
    log = done[0].scene.log
    assert not log.exists(), log.read_text()


def test_nothing_of_the_persons_setup_reaches_the_model(done):
    asked = json.dumps(done[0].consolidating + done[0].extracting)
    assert [mark for mark in MARKS if mark in asked] == []
    assert PRIVATE not in asked


def test_nothing_appears_outside_the_draft_but_the_clients_own_files(done):
    result, appeared = done
    outside = {path for path in appeared if not path.is_relative_to(result.scene.home)}
    assert outside == {result.scene.draft / SUMMARY_PATH}
    assert not list(Path("/tmp").glob("vademecum-outside-*"))


def test_no_session_is_left_behind(done):
    home = done[0].scene.home
    assert discover(hosts=None, sources=None, environ={}, home=home).refs == ()
    assert not (home / STORES["codex"]).exists()


def test_the_first_words_are_the_mark_that_readers_pass_over(done):
    for body in done[0].consolidating + done[0].extracting:
        said = [entry for entry in body.get("messages") or body["input"] if entry.get("role") == "user"]
        assert LEARNER_MARK in json.dumps(said[0])


def test_what_it_took_is_noted(done):
    result = done[0]
    name = result.learning.client.host
    assert result.meter.asked == [name, name]
    assert [request.model for request in result.meter.noted] == [name, name]
    assert all(isinstance(each, Request) and each.tokens_in >= 100 for each in result.meter.noted)
