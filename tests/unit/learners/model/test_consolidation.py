import json
from datetime import UTC, datetime

import pytest
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage

from support.asking_models import WIRES, NoteMeter, settings_to
from support.consolidating import HANDBOOK, KEY, SUMMARY
from support.fake_model_queue import QueueModel, Reply
from support.memfs import create
from support.memfs import draft as draft_of
from vademecum.artifacts import Bullet, render_bullet
from vademecum.errors import (
    BudgetReached,
    LearnerFailed,
    LearnerUnavailable,
    NotFound,
    QuotaReached,
    StorageError,
    VademecumError,
)
from vademecum.learners import Consolidated, ConsolidationTask, Prompt, Verdict
from vademecum.learners.model import ModelLearner, asking, learner
from vademecum.learners.model.limits import Limits

pytestmark = pytest.mark.timeout(30)

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)
BULLET = Bullet(text="Always use pnpm.", key=KEY, sources=("s1#t1",))
TEXTS = {"MEMORY.md": HANDBOOK.format(render_bullet(BULLET)), "memory_summary.md": SUMMARY}
WRITES = [("write", {"path": path, "text": text}) for path, text in TEXTS.items()]
WROTE = '{"verdict": "wrote", "came_back": []}'
NOTHING = '{"verdict": "nothing_to_say", "came_back": []}'


@pytest.fixture
def draft(tmp_path):
    with draft_of(create(tmp_path), tmp_path) as opened:
        yield opened


def task(meter=None, **changes):
    prompt = Prompt(instructions="Bring it together.", data="One session.")
    empty = {"sessions": (), "notes": (), "known_bullets": {}, "removed": ()}
    return ConsolidationTask(**empty | changes, prompt=prompt, meter=meter or NoteMeter())


class Scripted:
    """A model of the library that does one step after the other: tool calls, or text."""

    def __init__(self, *steps):
        self.steps, self.heard = list(steps), []

    def __call__(self, messages, info):
        self.heard.append(messages[-1])
        step = self.steps.pop(0)
        parts = [TextPart(step)] if isinstance(step, str) else []
        calls = [step] if isinstance(step, tuple) else step
        parts = parts or [ToolCallPart(name, arguments) for name, arguments in calls]
        return ModelResponse(parts=parts, usage=RequestUsage(input_tokens=1000, output_tokens=10))

    @property
    def last(self):
        return str(self.heard[-1].parts)


@pytest.fixture
def consolidate(draft, monkeypatch):
    """Consolidates with a model of the library in place of a server."""

    def run(model, *, about=None, **settings):
        model = FunctionModel(model) if isinstance(model, Scripted) else model
        monkeypatch.setattr(asking, "model_of", lambda *_: model)
        with QueueModel("openai") as server:
            config = settings_to(server, **settings)
        return ModelLearner(config).consolidate(about or task(), draft)

    return run


class TestTheVerdict:
    def test_a_model_that_wrote_says_so_and_its_files_stand_in_the_draft(self, consolidate, draft):
        assert consolidate(Scripted(*WRITES, WROTE)) == Consolidated(verdict=Verdict.WROTE)
        assert {path: draft.freeze().read(path) for path in TEXTS} == TEXTS

    def test_a_model_that_changes_nothing_must_say_that(self, consolidate, draft):
        """codex-X15: an input that changes nothing is no failure, if the model signs for it."""
        assert consolidate(Scripted(NOTHING)) == Consolidated(verdict=Verdict.NOTHING_TO_SAY)
        assert draft.freeze().edits == {}

    def test_a_model_that_says_it_wrote_and_did_not_is_told_so_and_fails_in_the_end(self, consolidate):
        """codex-N18: nothing written is not booked as work done."""
        model = Scripted(WROTE, WROTE, WROTE, WROTE)
        with pytest.raises(LearnerFailed, match="no file is different"):
            consolidate(model)
        assert "no file is different" in model.last

    def test_a_model_that_wrote_and_says_that_nothing_changes_is_told_so(self, consolidate):
        model = Scripted(*WRITES, NOTHING, WROTE)
        assert consolidate(model).verdict is Verdict.WROTE
        assert "files are different" in model.last

    def test_text_is_no_verdict(self, consolidate):
        assert consolidate(Scripted("I am done.", NOTHING)).verdict is Verdict.NOTHING_TO_SAY
        with pytest.raises(LearnerFailed, match="came to no end"):
            consolidate(Scripted(*["I am done."] * 9))

    def test_files_that_break_their_grammar_can_still_be_mended(self, consolidate, draft):
        bad = ("write", {"path": "memory_summary.md", "text": "no first line\n"})
        model = Scripted(WRITES[0], bad, WROTE, WRITES[1], WROTE)
        assert consolidate(model).verdict is Verdict.WROTE
        assert draft.freeze().read("memory_summary.md") == SUMMARY

    def test_a_pointer_to_a_file_that_there_is_none_of_breaks_the_grammar(self, consolidate):
        pointer = "\n## Task 1: x, success\n\n### rollout_summary_files\n- rollout_summaries/none.md (x)\n"
        lost = ("write", {"path": "MEMORY.md", "text": TEXTS["MEMORY.md"] + pointer})
        with pytest.raises(LearnerFailed, match=r"rollout_summaries/none\.md does not exist"):
            consolidate(Scripted(lost, WRITES[1], WROTE, WROTE, WROTE))

    def test_what_came_back_is_passed_on_for_who_can_tell(self, consolidate):
        said = '{"verdict": "wrote", "came_back": ["Always use pnpm."]}'
        assert consolidate(Scripted(*WRITES, said)).came_back == ("Always use pnpm.",)

    def test_what_was_put_before_the_model_is_no_work_of_its_own(self, consolidate, draft):
        """codex-X15"""
        for path, text in TEXTS.items():
            draft.write(path, text)
        assert consolidate(Scripted(WROTE, NOTHING)).verdict is Verdict.NOTHING_TO_SAY

    def test_what_stood_there_before_is_not_for_the_model_to_mend(self, consolidate, draft):
        draft.write("MEMORY.md", "# A heading of the person's\n\n" + TEXTS["MEMORY.md"])
        assert consolidate(Scripted(WRITES[1], WROTE)).verdict is Verdict.WROTE


class TestLimits:
    def test_steps(self, consolidate):
        meter = NoteMeter()
        with pytest.raises(LearnerFailed, match="within 5 requests"):
            consolidate(Scripted(*[("list_folder", {})] * 9), about=task(meter), max_steps=5)
        assert len(meter.allowed) == len(meter.noted) == 5

    def test_tokens_of_a_prompt(self, consolidate):
        meter = NoteMeter()
        with pytest.raises(LearnerFailed, match=r"model\.input_tokens|tokens"):
            consolidate(Scripted(*[("list_folder", {})] * 9), about=task(meter), input_tokens=999)
        assert len(meter.noted) == 1

    def test_money(self, consolidate):
        meter = NoteMeter(limit=3)
        with pytest.raises(BudgetReached):
            consolidate(Scripted(*[("list_folder", {})] * 9), about=task(meter))
        assert len(meter.noted) == 3

    def test_time_of_the_whole_run(self, draft, monkeypatch):
        """codex-R91"""
        short = lambda **values: Limits(**values, run_seconds=0.2)  # noqa: E731  stands in for the record
        monkeypatch.setattr(learner, "Limits", short)
        meter = NoteMeter()
        with QueueModel("openai", Reply(hang=True)) as server, pytest.raises(LearnerUnavailable, match="in time"):
            ModelLearner(settings_to(server)).consolidate(task(meter), draft)
        assert len(meter.noted) == 1


class TestWhatAModelMayCall:
    def test_whatever_it_calls_nothing_but_an_error_of_ours_comes_of_it(self, consolidate, draft):
        """The library's test model calls every tool with made-up arguments."""
        with pytest.raises(VademecumError):
            consolidate(TestModel())
        assert all(not path.startswith((".", "/")) for path in draft.freeze().edits)

    @pytest.mark.parametrize(
        "call",
        [("shell", {"command": "rm -rf /"}), ("read", {"nonsense": 1}), ("write", {"path": "x.md", "text": "t"})],
    )
    def test_a_tool_that_there_is_none_of_or_a_wrong_call_is_told_and_ends_the_run_if_it_goes_on(
        self, consolidate, call
    ):
        assert consolidate(Scripted(call, NOTHING)).verdict is Verdict.NOTHING_TO_SAY
        with pytest.raises(LearnerFailed, match="came to no end"):
            consolidate(Scripted(*[call] * 9))

    def test_a_tool_that_fails_does_not_end_the_run(self, consolidate):
        model = Scripted(*[("read", {"path": "none.md"})] * 6, NOTHING)
        assert consolidate(model).verdict is Verdict.NOTHING_TO_SAY
        assert "none.md" in model.last

    def test_edits_that_come_in_one_answer_are_all_done(self, consolidate, draft):
        assert consolidate(Scripted(WRITES, WROTE)).verdict is Verdict.WROTE
        assert set(draft.freeze().edits) == set(TEXTS)

    def test_a_disk_that_fails_ends_the_run(self, consolidate, draft, monkeypatch):
        def full(*_):
            raise StorageError("no space left")

        monkeypatch.setattr(draft, "write", full)
        with pytest.raises(StorageError):
            consolidate(Scripted(*WRITES, WROTE))


@pytest.mark.parametrize("wire", WIRES)
class TestOnEveryWire:
    def test_the_loop_of_tools_goes_over_the_wire_and_is_metered(self, wire, draft):
        meter = NoteMeter()
        replies = [
            *(Reply(tool=name, arguments=arguments) for name, arguments in (("read", {"path": "x.md"}), *WRITES)),
            Reply(text=WROTE),
        ]
        with QueueModel(wire, *replies) as server:
            answer = ModelLearner(settings_to(server)).consolidate(task(meter), draft)
        assert answer.verdict is Verdict.WROTE
        assert draft.freeze().read("MEMORY.md") == TEXTS["MEMORY.md"]
        assert (len(meter.allowed), len(meter.noted)) == (4, 4)
        assert NotFound.intact in server.asked[1].text
        assert "Bring it together." in server.asked[-1].text

    def test_trouble_in_the_middle_ends_the_run_with_what_it_is(self, wire, draft):
        meter = NoteMeter()
        replies = (Reply(tool="list_folder"), Reply(status=429, headers={"Retry-After": "9"}))
        with QueueModel(wire, *replies) as server, pytest.raises(QuotaReached) as failed:
            ModelLearner(settings_to(server)).consolidate(task(meter), draft)
        assert failed.value.retry_after_seconds == 9
        assert (len(meter.allowed), len(meter.noted)) == (2, 1)


def test_each_phase_has_its_own_model(draft):
    with QueueModel("openai", Reply(text=NOTHING), name="the-larger-one") as server:
        config = settings_to(server, extract_model="openai:the-smaller-one", consolidation_model=server.model)
        ModelLearner(config).consolidate(task(), draft)
    assert server.asked[0].body["model"] == "the-larger-one"


def test_what_every_step_repeats_is_kept_by_the_provider(draft):
    replies = [Reply(tool="list_folder"), Reply(text=NOTHING)]
    with QueueModel("anthropic", *replies) as server:
        ModelLearner(settings_to(server)).consolidate(task(), draft)
    assert all("cache_control" in asked.text for asked in server.asked)


def test_the_effort_of_bringing_together_is_medium(draft):
    reply = Reply(text=NOTHING)
    with QueueModel("openai-responses", reply, name="gpt-5") as server:
        ModelLearner(settings_to(server)).consolidate(task(), draft)
    assert json.loads(server.asked[0].text)["reasoning"]["effort"] == "medium"
