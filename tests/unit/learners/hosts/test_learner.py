"""What every agent is asked, and what is made of its answer, whichever host it is of."""

from datetime import UTC, datetime

import pytest

from support.fake_agents import EXTRACTION
from support.memfs import create, draft
from vademecum.errors import BudgetReached, InputTooLarge, LearnerFailed, LoginRefused, QuotaReached
from vademecum.learners import ConsolidationTask, ExtractionTask, Prompt, Verdict, stamp
from vademecum.learners.hosts.agent import Answer
from vademecum.learners.hosts.learner import HostLearner
from vademecum.sessions import LEARNER_MARK, Exclusion, Message, Role, Session
from vademecum.sessions.marks import exclusion_of

AT = datetime(2026, 11, 2, tzinfo=UTC)
SESSION = Session(id="s", host="h", cwd="", branch=None, started_at=AT, updated_at=AT, parent_id=None, messages=())
PROMPT = Prompt(instructions="Do it.", data="The data.")


class FakeAgent:
    """Answers in turn; an error is raised."""

    name = "an-agent"
    reads_files = True

    def __init__(self, *answers, input_tokens=1000):
        self.answers, self.input_tokens = list(answers), input_tokens
        self.errands, self.held = [], []

    def ask(self, errand):
        self.errands.append(errand)
        self.held.append(sorted(path.name for path in errand.folder.iterdir()))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Answer(text=answer, tokens_in=50, tokens_out=5, cost_usd=0.25)


class Meter:
    def __init__(self, forbids=False):
        self.forbids, self.noted = forbids, []

    def allow(self, model):
        if self.forbids:
            raise BudgetReached("the day's tokens are spent")

    def note(self, request):
        self.noted.append((request.model, request.tokens_in, request.tokens_out, request.cost_usd))


def extract(agent, meter=None):
    task = ExtractionTask(session=SESSION, project="", prompt=PROMPT, meter=meter or Meter())
    return HostLearner(agent).extract(task)


def consolidate(agent, folder, meter=None, given="INPUT"):
    task = ConsolidationTask(sessions=(), notes=(), known_bullets={}, removed=(), prompt=PROMPT, meter=meter or Meter())
    with draft(create(folder), folder) as work:
        (work.inputs / "input.md").write_text(given)
        return HostLearner(agent).consolidate(task, work)


def test_an_extraction_is_one_question_without_files():
    """codex-R25."""
    agent = FakeAgent(EXTRACTION)
    assert extract(agent).is_empty
    [errand] = agent.errands
    assert not errand.may_write
    assert agent.held == [[]]
    assert "Do it." in errand.prompt
    assert "The data." in errand.prompt


def test_readers_pass_over_a_session_that_begins_with_the_prompt():
    """codex-R06."""
    agent = FakeAgent(EXTRACTION)
    extract(agent)
    first = Message(id="1", index=1, role=Role.HUMAN, text=agent.errands[0].prompt, at=AT)
    assert LEARNER_MARK in agent.errands[0].prompt.splitlines()[0]
    assert exclusion_of("", [first]) is Exclusion.LEARNER


def test_a_wrong_answer_is_put_right_in_one_more_question():
    agent = FakeAgent("nonsense", EXTRACTION)
    assert extract(agent).is_empty
    again = agent.errands[1].prompt
    assert again.startswith(agent.errands[0].prompt)
    assert "nonsense" in again
    assert "cannot be used" in again


def test_a_second_wrong_answer_is_a_failure():
    agent = FakeAgent("nonsense", "nonsense", EXTRACTION)
    with pytest.raises(LearnerFailed):
        extract(agent)
    assert len(agent.errands) == 2


def test_trouble_of_the_agent_is_no_reason_to_ask_again():
    agent = FakeAgent(QuotaReached("no more", model="an-agent"), EXTRACTION)
    with pytest.raises(QuotaReached):
        extract(agent)
    assert len(agent.errands) == 1


def test_every_question_is_noted_with_what_it_took():
    meter = Meter()
    extract(FakeAgent("nonsense", EXTRACTION), meter)
    assert meter.noted == [("an-agent", 50, 5, 0.25)] * 2


def test_a_question_that_failed_is_noted_with_what_it_read():
    meter = Meter()
    with pytest.raises(LearnerFailed):
        extract(FakeAgent(LearnerFailed("boom")), meter)
    [(model, tokens_in, tokens_out, cost)] = meter.noted
    assert (model, tokens_out, cost) == ("an-agent", 0, None)
    assert tokens_in > 0


@pytest.mark.parametrize("error", [LoginRefused("no login"), QuotaReached("no more", model="an-agent")])
def test_a_question_that_nobody_took_costs_nothing(error):
    meter = Meter()
    with pytest.raises(LearnerFailed):
        extract(FakeAgent(error), meter)
    assert meter.noted == []


def test_nothing_is_asked_where_the_meter_forbids_it():
    agent, meter = FakeAgent(EXTRACTION), Meter(forbids=True)
    with pytest.raises(BudgetReached):
        extract(agent, meter)
    assert (agent.errands, meter.noted) == ([], [])


def test_a_consolidation_works_in_the_draft(tmp_path):
    """codex-R89."""
    agent = FakeAgent('I wrote it.\n\n{"verdict": "wrote"}')
    assert consolidate(agent, tmp_path).verdict is Verdict.WROTE
    [errand] = agent.errands
    assert errand.may_write
    assert errand.folder == tmp_path / "draft"
    assert not errand.scratch.is_relative_to(errand.folder)


@pytest.mark.parametrize(
    "said",
    [
        '{"verdict": "wrote"}',
        'Done.\n{"verdict": "wrote"}',
        'Done:\n\n```json\n{"verdict": "wrote"}\n```\n',
        'I changed {this}.\n{"verdict":\n "wrote"}',
    ],
)
def test_the_verdict_is_found_at_the_end(tmp_path, said):
    assert consolidate(FakeAgent(said), tmp_path).verdict is Verdict.WROTE


def test_a_missing_verdict_is_asked_for_once_without_doing_the_work_again(tmp_path):
    agent = FakeAgent("All done!", '{"verdict": "wrote"}')
    assert consolidate(agent, tmp_path).verdict is Verdict.WROTE
    again = agent.errands[1]
    assert not again.may_write
    assert "All done!" in again.prompt


def test_a_consolidation_without_a_verdict_is_a_failure(tmp_path):
    agent = FakeAgent("All done!", "Really!")
    with pytest.raises(LearnerFailed):
        consolidate(agent, tmp_path)
    assert len(agent.errands) == 2


def test_an_agent_that_cannot_open_files_has_them_in_the_prompt(tmp_path):
    agent = FakeAgent('{"verdict": "nothing_to_say"}')
    agent.reads_files = False
    assert consolidate(agent, tmp_path).verdict is Verdict.NOTHING_TO_SAY
    assert "INPUT" in agent.errands[0].prompt


def test_a_prompt_leaves_room_for_the_files_of_an_agent_that_cannot_open_them():
    agent = FakeAgent(input_tokens=1000)
    assert HostLearner(agent).input_tokens == 1000
    agent.reads_files = False
    assert HostLearner(agent).input_tokens == 500


def test_inputs_larger_than_the_window_do_not_stop_an_agent_that_cannot_open_files(tmp_path):
    agent = FakeAgent('{"verdict": "wrote"}')
    agent.reads_files = False
    assert consolidate(agent, tmp_path, given="INPUT " * 1000).verdict is Verdict.WROTE
    assert "- .inputs/input.md" in agent.errands[0].prompt


def test_what_cannot_be_read_is_not_sent(tmp_path):
    agent = FakeAgent(input_tokens=10)
    with pytest.raises(InputTooLarge):
        consolidate(agent, tmp_path)
    assert agent.errands == []


def test_nothing_of_an_errand_is_left_behind():
    agent = FakeAgent(EXTRACTION)
    extract(agent)
    assert not agent.errands[0].scratch.exists()


def test_the_ledger_names_the_agent():
    assert stamp(HostLearner(FakeAgent())) == "an-agent/1"


def test_another_program_or_time_limit_makes_another_learner_of_it():
    setups = {HostLearner(FakeAgent(), settings=settings).setup for settings in (("/a", 60), ("/b", 60), ("/a", 90))}
    assert len(setups) == 3
    assert HostLearner(FakeAgent(), settings=("/a", 60)).setup in setups
