"""A learner that asks a model, with all that holds it: ledger, budget, breaker and waits, and what a person is told."""

from datetime import UTC, datetime, timedelta

import pytest

from support.fake_model_queue import QueueModel, Reply
from support.good_model import GoodModel, use
from support.product import ruled
from vademecum.state import Breakers, State

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULES = ("Always use pnpm, never npm.", "Always squash before you merge.", "Never push to main.")
PRICED = "gpt-4o-mini"
MODEL = f"openai:{PRICED}"
FULL = Reply(status=429, message="slow down", headers={"Retry-After": "600"})
REFUSAL = Reply(text="I'm sorry, but I can't help with that.")
NOTHING = Reply(text='{"raw_memory": "", "rollout_summary": "", "rollout_slug": "", "outcome": ""}')
HALF = Reply(text='{"raw_memory": "---')


@pytest.fixture
def scripts():
    yesterday = datetime.now(UTC) - timedelta(days=1)
    return [ruled(rule, label=f"s{at}", started_at=yesterday) for at, rule in enumerate(RULES)]


@pytest.fixture
def start(product, scripts, tmp_path, monkeypatch):
    """Starts the server of the model that the product is told to ask: after these replies it is a good one."""
    product.tell(*scripts)
    monkeypatch.setenv("VADEMECUM_MEMORIES_MAX_ROLLOUTS_PER_STARTUP", "8")
    servers = []

    def started(*replies):
        server = QueueModel("openai", *replies, name=PRICED, then=GoodModel(tmp_path / "good", *scripts))
        servers.append(server)
        server.__enter__()
        use(product, server, monkeypatch)
        return server

    yield started
    for server in servers:
        server.__exit__()


@pytest.fixture
def say(product):
    """`vade learn`, as a person reads it."""

    def said(*words, code=0):
        return product.call("learn", "--from", str(product.sessions), "--all", *words, code=code).out

    return said


def failing_consolidation(server, reply):
    """From now on the model reads sessions well, and gives this reply when it is to write."""
    good = server.then
    server.then = lambda body: reply if body.get("tools") else good(body)


def status(product):
    return product.call("status").out


def last_run(product, kind):
    return next(run for run in product.call("runs", "--json").json["runs"] if run["kind"] == kind)


def test_every_request_stands_in_the_ledger_with_its_price(product, start, say):
    server = start()
    assert "memory was updated" in say()
    assert len(server.asked) == 6
    runs = product.call("runs", "--json").json["runs"]
    shown = [product.call("runs", "show", run["id"], "--json").json for run in runs]
    requests = [request for run in shown for request in run["requests"]]
    assert [request["model"] for request in requests] == [MODEL] * 6
    assert all(request["tokens_in"] and request["tokens_out"] and request["cost"] > 0 for request in requests)
    (day,) = product.call("usage", "--json").json["days"]
    assert day["tokens"] == sum(run["tokens"] for run in runs)
    assert "under $0.01" in product.call("usage").out


def test_a_rehearsal_names_the_sessions_and_asks_nobody(product, start, say):
    server = start()
    told = say("--dry-run")
    assert told.count("would be read") == 3
    assert server.asked == []
    assert not product.memory.exists()


def test_a_used_up_account_is_left_alone_until_the_time_that_its_server_named(product, start, say, monkeypatch):
    """codex-B01: one request, then none by any process until the wait is over, then one that all wait for."""
    server = start(FULL, FULL)
    told = say()
    assert "takes no more requests for now: slow down" in told
    assert "Next: " in told
    assert len(server.asked) == 1
    assert f"resting    {MODEL} until 20" in status(product)
    assert "1 begun and put off, through no fault of theirs" in status(product)
    assert "no request is made until 20" in say()
    assert "nothing would be asked: no request is made until 20" in say("--dry-run")
    assert len(server.asked) == 1
    with State.open(product.identity / "state.db") as state:
        until = state.breakers.get(MODEL).open_until
    enter = Breakers.enter
    later = until + timedelta(seconds=1)
    monkeypatch.setattr(Breakers, "enter", lambda self, model, **_: enter(self, model, now=later))
    say()
    assert len(server.asked) == 2


@pytest.mark.parametrize("reply", [Reply(status=401, message="bad key"), Reply(status=500)], ids=["refused", "down"])
@pytest.mark.parametrize("step", ["reading", "writing"])
def test_a_program_is_told_by_the_exit_code_that_the_learner_could_not_be_asked(product, start, step, reply):
    """Whether sessions were to be read or memory to be written."""
    server = start()
    server.then = (lambda _body: reply) if step == "reading" else server.then
    if step == "writing":
        failing_consolidation(server, reply)
    answer = product.call("learn", "--from", str(product.sessions), "--all", "--json", code=1)
    assert answer.json["discovered"] == 3
    assert MODEL in answer.err
    assert "\nnext: " in answer.err


def test_a_used_up_account_holds_a_consolidation_back_too(product, start, say):
    server = start()
    failing_consolidation(server, FULL)
    assert "memory files were left as they are" in say()
    asked = len(server.asked)
    assert "no request is made until" in say()
    assert len(server.asked) == asked


def test_a_refused_key_ends_the_pass_after_one_request(product, start, say):
    """codex-X06"""
    server = start(*[Reply(status=401, message="bad key")] * 3)
    told = say(code=1)
    assert len(server.asked) == 1
    assert "the learner failed" in told
    assert f"  ! {MODEL} refused the key\n" in told
    assert "Next: Put a key that is valid into MY_KEY" in told
    assert f"error      {MODEL} refused the key\nnext       Put a key that is valid" in status(product)
    # Once it is mended, nothing has to be waited for.
    server.replies.clear()
    assert "3 learned" in say()


@pytest.mark.parametrize("reply", [Reply(status=500, message="oops"), Reply(cut=True)], ids=["500", "cut"])
def test_a_server_in_trouble_makes_sessions_wait_and_burns_none(product, start, say, reply):
    """codex-W08: a server that was down for a night has cost no session its tries."""
    server = start(*[reply] * 3)
    told = say(code=1)
    assert MODEL in told
    assert "ater `vade learn` tries it again" in told
    assert MODEL in last_run(product, "extraction")["error"]
    asked = len(server.asked)
    say()
    assert len(server.asked) == asked
    for _ in range(6):
        let_waits_pass(product)
        server.replies[:] = [reply] * 3
        say(code=1)
    let_waits_pass(product)
    server.replies.clear()
    assert "3 learned" in say()


def test_a_setting_that_was_mended_is_tried_at_once(product, start, say):
    """Nothing was the fault of a session: neither reading nor writing waits for what a former address did."""
    server = start()
    product.call("config", "set", "model.base_url", "http://127.0.0.1:9/v1")
    say(code=1)
    product.call("config", "set", "model.base_url", server.base_url)
    good, server.then = server.then, lambda body: Reply(status=500) if body.get("tools") else good(body)
    assert "3 learned" in say(code=1)
    assert "the learner rests" in say()
    server.then = good
    product.call("config", "set", "model.timeout_seconds", "6")
    assert "memory was updated" in say()


def test_with_now_a_server_that_is_back_is_asked_at_once(product, start, say):
    server = start(*[Reply(status=500)] * 3)
    say(code=1)
    assert "3  failed, tried again later" in say()
    assert len(server.asked) == 3
    assert "3 learned" in say("--now")


def let_waits_pass(product):
    with State.open(product.identity / "state.db") as state, state.transaction():
        state._database.run("UPDATE jobs SET retry_at = NULL")


def test_a_session_that_is_too_large_is_given_less_of_itself_next_time(product, start, say):
    server = start(Reply(status=400, message="prompt is too long: 90000 tokens"), NOTHING)
    rules = (f"Never do thing {at} again. {'word ' * 300}" for at in range(200))
    product.tell(ruled(*rules, label="long", started_at=datetime.now(UTC) - timedelta(days=1)))
    long = max(product.sessions.rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    words = ("learn", "--from", str(long), "--now", "--no-consolidate")
    told = product.call(*words, code=1).out
    assert "cannot read so much at once" in told
    assert "Next: Set `model.input_tokens` to what the model can read" in told
    product.call(*words)
    whole, less = (len(request.text) for request in server.asked)
    assert less < 0.7 * whole


def test_a_useless_answer_gets_one_repair_request_and_is_told(product, start, say):
    server = start(REFUSAL, REFUSAL, HALF, HALF)
    told = say("--no-consolidate")
    assert len(server.asked) == 5
    assert "the model refused to answer" in told
    assert "is not the one JSON object that was asked for" in told
    assert "1 learned" in told
    assert "is not the one JSON object" in last_run(product, "extraction")["error"]


class TestBudget:
    """codex-X29"""

    def test_of_a_run_ends_the_pass_and_burns_nothing(self, product, start, say, monkeypatch):
        monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_RUN", "300")
        server = start(REFUSAL, REFUSAL, REFUSAL)
        told = say("--no-consolidate", code=1)
        assert len(server.asked) == 3
        assert "budget.tokens_per_run is 300" in told
        assert "raise the limit" in told
        assert "1 begun and put off, through no fault of theirs" in status(product)

    def test_of_a_day_ends_the_pass_before_the_next_request(self, product, start, say, monkeypatch):
        monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_DAY", "150")
        server = start()
        told = say()
        assert len(server.asked) == 2
        assert "  ! 220 tokens were taken today, and budget.tokens_per_day is 150\n" in told
        assert "1 begun and put off, through no fault of theirs" in status(product)
        say()
        assert len(server.asked) == 2

    def test_that_one_consolidation_uses_up_is_not_used_up_by_the_next_one_too(self, product, start, say, monkeypatch):
        monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_RUN", "300")
        server = start()
        say("--no-consolidate", "--max", "2")
        failing_consolidation(server, Reply(tool="read", arguments={"path": "MEMORY.md"}))
        assert "budget.tokens_per_run is 300" in say(code=1)
        asked = len(server.asked)
        assert "the learner rests" in say()
        assert len(server.asked) == asked
