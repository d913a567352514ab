"""A learner that asks a model: what its failures mean, what it may take, and who comes first."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from support.metered_learner import MeteredLearner
from support.walking import extract_sessions, rehearse
from vademecum.errors import (
    BudgetReached,
    InputTooLarge,
    LearnerFailed,
    LearnerUnavailable,
    LoginRefused,
    QuotaReached,
)
from vademecum.learning import Allowance, Budget, walk
from vademecum.sessions import SessionRef
from vademecum.state import INTERRUPTED, ErrorClass, JobStatus, ModelRequest, Spend, this_worker

MODEL = MeteredLearner.model


@pytest.fixture
def stored(monkeypatch, compose):
    """Sessions by path."""
    sessions = {name: compose(session_id=name) for name in ("s1", "s2", "s3")}
    monkeypatch.setattr(walk, "load", lambda ref: sessions[ref.path])
    return sessions


@pytest.fixture
def refs(stored, now):
    def build():
        return [
            SessionRef(host="a-host", path=path, fingerprint=str(session.updated_at), modified_at=now)
            for path, session in stored.items()
        ]

    return build


@pytest.fixture
def learn(state, window, refs):
    def run(learner=None, *, window=window, **allowed):
        allowance = Allowance(**allowed)
        learner = learner or MeteredLearner()
        return extract_sessions(refs(), state=state, learner=learner, window=window, allowance=allowance)

    return run


@pytest.fixture
def let_pass(state):
    """Let every wait that a session was given end."""

    def call():
        state._database.run("UPDATE jobs SET retry_at = 0")

    return call


def job(state, name="s1"):
    return state.jobs.get("extraction", name)


class TestFailures:
    def test_a_session_that_the_server_failed_on_comes_soon_again_and_the_others_are_learned(self, learn, state):
        """codex-W12"""
        report = learn(MeteredLearner({"s1": LearnerUnavailable("time-out")}))
        assert (report.extracted, report.failed, report.skipped) == (2, 1, {"waiting": 1})
        assert (job(state).error_class, job(state).failures) == (ErrorClass.TRANSIENT, {"transient": 1})

    def test_an_account_that_is_used_up_ends_the_pass_and_costs_nobody_a_try(self, learn, state):
        """codex-B01, codex-N01"""
        learner = MeteredLearner({"s1": QuotaReached("429", model=MODEL, retry_after_seconds=1800)})
        report = learn(learner)
        assert (learner.asked, report.failed, report.skipped) == (["s1"], 0, {"quota": 3})
        (breaker,) = state.breakers.all()
        assert (breaker.model, job(state).retry_at) == (MODEL, breaker.open_until)
        assert timedelta(minutes=29) < breaker.open_until - datetime.now(UTC) < timedelta(minutes=31)
        assert (job(state).status, job(state, "s2")) == (JobStatus.PENDING, None)

    def test_while_it_rests_nothing_is_asked_nothing_is_counted_and_no_row_is_written(self, learn, state, let_pass):
        """codex-B01"""
        learn(MeteredLearner({"s1": QuotaReached("429", model=MODEL)}))
        let_pass()
        runs, refusals = len(state.runs.list()), state.breakers.get(MODEL).refusals
        learner = MeteredLearner()
        report = learn(learner)
        assert (learner.asked, report.skipped, report.run) == ([], {"quota": 3}, None)
        assert (len(state.runs.list()), state.breakers.get(MODEL).refusals) == (runs, refusals)
        assert "429" in report.problems[0].what

    def test_a_session_is_never_given_up_for_an_account(self, learn, state, let_pass):
        """codex-N01, codex-B02"""
        for _ in range(8):
            learn(MeteredLearner(dict.fromkeys(("s1", "s2", "s3"), QuotaReached("429", model=MODEL))))
            state.breakers.close(MODEL)
            let_pass()
        assert learn().extracted == 3

    def test_a_login_that_is_refused_ends_the_pass_says_so_and_costs_nobody_a_try(self, learn, state):
        """codex-X06"""
        learner = MeteredLearner({"s1": LoginRefused("the key is wrong", next_step="Set the key.")})
        report = learn(learner)
        assert (learner.asked, report.skipped) == (["s1"], {"login": 3})
        assert report.problems[0].next_step == "Set the key."
        assert state.runs.list()[0].error == "the key is wrong"
        assert learn().extracted == 3

    def test_what_was_too_large_is_given_less_of_the_session_next_time(self, learn, state):
        """codex-W12, codex-X06"""
        learner = MeteredLearner({"s1": InputTooLarge("too many tokens")})
        learn(learner), learn(learner)
        learner.script = {}
        assert learn(learner).extracted == 1
        assert learner.rooms == {"s1": [100_000, 50_000, 25_000], "s2": [100_000], "s3": [100_000]}

    def test_an_answer_that_is_no_use_is_tried_three_times(self, learn, state, let_pass):
        """codex-A03"""
        learner = MeteredLearner({"s1": LearnerFailed("no JSON")})
        for _ in range(5):
            learn(learner)
            let_pass()
        assert learner.asked.count("s1") == 3
        assert learn(learner).skipped["given_up"] == 1

    def test_newer_activity_opens_it_again_with_every_try(self, learn, stored, state, let_pass, compose):
        """codex-A03, codex-R32"""
        for _ in range(4):
            learn(MeteredLearner({"s1": LearnerFailed("no JSON")}))
            let_pass()
        stored["s1"] = compose(session_id="s1", hours_ago=20)
        assert learn().extracted == 1
        assert job(state).failures == {}

    @pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
    def test_an_interrupt_gives_the_session_back_and_closes_the_row(self, learn, state, stop):
        """codex-A28, codex-R40"""
        with pytest.raises(stop):
            learn(MeteredLearner({"s2": stop()}))
        assert (job(state, "s2").status, job(state, "s2").failures) == (JobStatus.PENDING, {})
        assert state.runs.list()[0].finished_at
        assert learn().extracted == 2

    def test_the_row_of_an_interrupted_pass_says_so(self, learn, state):
        with pytest.raises(KeyboardInterrupt):
            learn(MeteredLearner({"s1": KeyboardInterrupt()}))
        assert state.runs.list()[0].outcome == INTERRUPTED


class TestMended:
    def test_with_now_a_session_is_tried_at_once_where_the_server_was_out_of_reach(self, learn, window):
        learner = MeteredLearner(dict.fromkeys(("s1", "s2", "s3"), LearnerUnavailable("time-out")))
        learn(learner)
        learner.script = {}
        assert learn(learner).skipped["waiting"] == 3
        assert learn(learner, window=msgspec.structs.replace(window, is_eager=True)).extracted == 3

    def test_with_now_an_account_that_is_used_up_is_still_left_alone(self, learn, window):
        """codex-B01"""
        learner = MeteredLearner({"s1": QuotaReached("429", model=MODEL, retry_after_seconds=1800)})
        learn(learner)
        again = learn(learner, window=msgspec.structs.replace(window, is_eager=True))
        assert (learner.asked, again.skipped) == (["s1"], {"quota": 3})

    def test_a_learner_with_other_settings_tries_at_once_what_the_former_ones_failed_on(self, learn, let_pass, state):
        learner = MeteredLearner(dict.fromkeys(("s1", "s2"), LearnerFailed("no JSON")))
        for _ in range(3):
            learn(learner)
            let_pass()
        learner.script = {}
        assert learn(learner).skipped["given_up"] == 2
        learner.setup = "another model"
        assert learn(learner).extracted == 2


class TestLostLease:
    def test_work_that_somebody_took_over_is_neither_stored_nor_counted_against_the_session(self, learn, state):
        """codex-A02, codex-A08"""

        def taken_over():
            (running,) = state.jobs.running("extraction")
            state.jobs.release(running.token)

        learner = MeteredLearner({"s1": LearnerFailed("no JSON")}, meanwhile=taken_over)
        report = learn(learner, most=1)
        assert (report.failed, report.skipped["busy"], state.records.all()) == (0, 1, [])
        assert job(state).failures == {}


class TestBudget:
    def test_a_pass_ends_where_the_limit_of_a_run_is_reached_and_the_next_goes_on(self, learn, state):
        budget = Budget(tokens_per_run=300)
        report = learn(MeteredLearner(tokens=150), budget=budget)
        assert (report.extracted, report.failed, report.skipped) == (2, 0, {"budget": 1})
        run = state.runs.list()[0]
        assert (run.outcome, run.tokens_in, run.tokens_out) == ("done", 300, 2)
        assert "tokens_per_run" in run.error
        assert learn(MeteredLearner(tokens=150), budget=budget).extracted == 1

    def test_what_killed_runs_took_counts_for_the_day(self, learn, state):
        """codex-X37"""
        taken = ModelRequest(
            run="killed", model=MODEL, tokens_in=500, tokens_out=1, cost_usd=None, at=datetime.now(UTC)
        )
        state.requests.note(taken)
        learner = MeteredLearner()
        report = learn(learner, budget=Budget(tokens_per_day=500))
        assert (learner.asked, report.skipped, report.run) == ([], {"budget": 3}, None)

    def test_a_session_that_alone_takes_most_of_a_limit_is_not_begun_again_and_again(self, learn, state):
        """codex-W19: it would spend every budget, and nothing behind it would ever be learned."""

        class Insatiable(MeteredLearner):
            def extract(self, task):
                for _ in range(100 if task.session.id == "s1" else 1):
                    self._request(task, task.session.id)
                return super().extract(task)

        learner = Insatiable(tokens=50)
        learn(learner, budget=Budget(tokens_per_run=1000))
        assert job(state).failures == {"overflow": 1}
        assert learn(learner, budget=Budget(tokens_per_run=1000), most=2).extracted == 2

    def test_the_error_of_a_learner_is_no_word_of_the_meter(self, learn, state):
        """Nobody is charged for a budget that another process used up meanwhile."""
        learn(MeteredLearner({"s1": BudgetReached("the day is over")}))
        assert job(state).failures == {}


class TestNumbers:
    def test_a_pass_takes_so_many_and_says_what_is_left(self, learn):
        learner = MeteredLearner()
        report = learn(learner, most=2)
        assert (report.extracted, report.skipped) == (2, {"capped": 1})
        assert learner.asked == ["s1", "s2"]
        assert learn(learner, most=2).extracted == 1

    def test_what_other_processes_learn_now_counts(self, learn, state, now):
        """codex-A01"""
        owner = {"worker": this_worker(), "token": "t", "lease_seconds": 60}
        state.jobs.claim("extraction", "elsewhere", watermark=now, **owner)
        learner = MeteredLearner()
        assert (learn(learner, most=1).skipped, learner.asked) == ({"capped": 3}, [])
        state.jobs.release("t")
        assert learn(learner, most=1).extracted == 1

    def test_sessions_that_failed_come_after_all_others(self, learn, let_pass):
        """codex-W19: two that always fail would take every place."""
        learner = MeteredLearner(dict.fromkeys(("s1", "s2"), LearnerUnavailable("time-out")))
        assert learn(learner, most=2).extracted == 0
        let_pass()
        assert learn(learner, most=1).extracted == 1
        assert learner.asked == ["s1", "s2", "s3"]

    def test_a_session_that_failed_is_met_and_counted_once(self, learn, state, let_pass):
        learner = MeteredLearner({"s1": LearnerUnavailable("time-out")})
        learn(learner, most=9)
        let_pass()
        report = learn(learner, most=9)
        assert (report.met, report.eligible, report.failed) == (3, 1, 1)


class TestRehearsal:
    @pytest.fixture
    def rehearsed(self, state, window, refs):
        def call(learner=None, **allowed):
            learner, allowance = learner or MeteredLearner(), Allowance(**allowed)
            return rehearse(refs(), state=state, learner=learner, window=window, allowance=allowance)

        return call

    def test_it_says_that_an_account_is_used_up_and_until_when(self, learn, state, rehearsed):
        """codex-B01"""
        learn(MeteredLearner({"s1": QuotaReached("429", model=MODEL, retry_after_seconds=1800)}))
        before = state.breakers.get(MODEL)
        report = rehearsed()
        assert (report.extracted, report.skipped) == (0, {"quota": 3})
        (problem,) = report.problems
        assert problem.what.startswith(
            f"nothing would be asked: no request is made until {before.open_until:%Y-%m-%d %H:%M} UTC"
        )
        assert state.breakers.get(MODEL) == before

    def test_asking_takes_no_turn_where_one_try_may_be_made(self, learn, state, rehearsed, monkeypatch, window):
        learn(MeteredLearner({"s1": QuotaReached("429", model=MODEL, retry_after_seconds=1800)}))
        state._database.run("UPDATE breakers SET open_until = refused_at, refused_at = refused_at - 1000")
        state._database.run("UPDATE jobs SET retry_at = NULL")
        assert rehearsed().extracted == 3
        assert state.breakers.get(MODEL).probe_worker is None

    def test_it_says_that_the_budget_of_the_day_is_reached_and_until_when(self, learn, rehearsed):
        budget = Budget(tokens_per_day=100)
        learn(budget=budget)
        report = rehearsed(budget=budget)
        assert (report.extracted, report.skipped) == (0, {"unchanged": 1, "budget": 2})
        (problem,) = report.problems
        assert problem.what.startswith("nothing would be asked: ")
        assert "tokens_per_day is 100" in problem.what
        assert "00:00 UTC" in problem.next_step

    def test_it_says_where_only_the_model_that_writes_memory_has_to_rest(self, state, rehearsed):
        learner = MeteredLearner()
        learner.models = (MODEL, "scripted:large")
        state.breakers.refuse("scripted:large", "429", retry_after_seconds=1800)
        report = rehearsed(learner)
        (problem,) = report.problems
        assert (report.extracted, problem.what.partition(":")[0]) == (3, "memory would not be written yet")

    def test_what_other_identities_spent_counts_where_there_is_no_memory_yet(self, window, refs):
        day = Budget(tokens_per_day=100, elsewhere=lambda _database, _now: Spend(tokens_in=500))
        report = rehearse(refs(), state=None, learner=MeteredLearner(), window=window, allowance=Allowance(budget=day))
        assert (report.extracted, report.skipped, len(report.problems)) == (0, {"budget": 3}, 1)

    def test_it_asks_no_model(self, state, window, refs):
        learner, listed = MeteredLearner(), []
        allowance = Allowance(most=2)
        report = rehearse(
            refs(), state=state, learner=learner, window=window, allowance=allowance, listed=listed.append
        )
        assert (learner.asked, report.extracted, report.skipped) == ([], 2, {"capped": 1})
        assert [one.statements for one in listed[:2]] == [None, None]

    def test_one_that_waits_for_its_turn_is_listed_with_its_own_day(self, state, window, refs, stored):
        listed, allowance = [], Allowance(most=1)
        learner = MeteredLearner()
        rehearse(refs(), state=state, learner=learner, window=window, allowance=allowance, listed=listed.append)
        assert [one.updated_at for one in listed] == [session.updated_at for session in stored.values()]
