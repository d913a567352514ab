"""What a learner that asks a model took and why it stopped, as a person is told."""

from datetime import UTC, datetime, timedelta

import pytest

from support.metered_learner import MeteredLearner
from support.product import ruled
from vademecum.engine import learn
from vademecum.errors import LearnerFailed, LoginRefused, QuotaReached

MODEL = MeteredLearner.model


@pytest.fixture
def model(monkeypatch):
    """The learner behind every `vade learn` of the test."""
    learner = MeteredLearner(cost_usd=0.25)
    monkeypatch.setattr(learn, "learner_named", lambda *_: learner)
    monkeypatch.setenv("VADEMECUM_MEMORIES_MAX_ROLLOUT_AGE_DAYS", "90")
    return learner


@pytest.fixture(autouse=True)
def told(product, monkeypatch):
    """Three sessions of yesterday."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    rules = ("always use pnpm", "always squash", "never push")
    product.tell(*(ruled(rule, label=f"s{at}", started_at=yesterday) for at, rule in enumerate(rules)))


def status(product):
    return product.call("status").out


def test_a_pass_takes_as_many_as_it_may_and_says_so(product, model):
    report = product.learn().json
    assert (report["extracted"], report["skipped"]["capped"]) == (2, 1)
    assert report["consolidation"]["status"] == "landed"
    assert "left for the next pass" in status(product)


def test_what_was_spent_is_shown_by_day_by_run_and_in_the_status(product, model):
    """codex-X37"""
    runs = product.learn().json["runs"]
    (day,) = product.call("usage", "--json").json["days"]
    assert (day["runs"], day["tokens"], day["cost"]) == (2, 303, 0.75)
    run = product.call("runs", "show", runs[0], "--json").json
    assert (run["tokens"], run["cost"]) == (202, 0.5)
    assert [(one["model"], one["tokens_in"]) for one in run["requests"]] == [(MODEL, 100)] * 2
    assert "2 requests, 202 tokens" in product.call("runs", "show", runs[0]).out
    assert "303 tokens" in product.call("usage").out
    assert "spent      303 of 3,000,000 tokens today (UTC), $0.75 of $2.00" in status(product)


def test_where_nothing_was_spent_usage_says_what_to_do(product):
    product.call("note", "always sign commits")
    assert "vade learn" in product.call("usage").out
    assert product.call("usage", "--json").json == {"cited": [], "days": []}


def test_an_account_that_is_used_up_is_told_with_the_time_when_it_is_tried_again(product, model):
    """codex-B01"""
    model.script = dict.fromkeys(model_sessions(product), QuotaReached("no credit", model=MODEL))
    report = product.learn().json
    assert (report["failed"], report["skipped"]["quota"]) == (0, 3)
    assert "resting    scripted:small until 20" in status(product)
    assert "no credit" in status(product)
    (resting,) = product.call("status", "--json").json["resting"]
    assert resting["model"] == MODEL


def test_a_login_that_is_refused_is_told_with_the_next_step(product, model):
    """codex-X06"""
    refused = LoginRefused("the key is wrong", next_step="Set the key in the environment.")
    model.script = dict.fromkeys(model_sessions(product), refused)
    report = product.learn(code=1).json
    assert report["skipped"]["login"] == 3
    assert "the key is wrong" in status(product)
    assert "Set the key in the environment." in status(product)


def test_a_budget_that_is_reached_ends_the_pass_as_done(product, model, monkeypatch):
    monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_DAY", "101")
    report = product.learn().json
    assert (report["extracted"], report["skipped"]["budget"]) == (1, 2)
    assert report["consolidation"]["status"] == "skipped"
    assert "budget.tokens_per_day" in status(product)
    assert product.learn().json["extracted"] == 0


def test_all_identities_share_one_day(product, model, monkeypatch):
    monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_DAY", "303")
    for name in ("one", "two"):
        product.call("init", "--identity", name)
    product.learn("--identity", "one")
    report = product.learn("--identity", "two").json
    assert (report["extracted"], report["skipped"]["budget"]) == (0, 3)


class TestRest:
    """codex-A07"""

    def test_the_memory_files_rest_after_a_success(self, product, model):
        product.learn()
        again = product.call("learn", "--from", str(product.sessions), "--all", "--json").json
        assert (again["extracted"], again["consolidation"]["status"]) == (1, "cooldown")
        assert product.learn().json["consolidation"]["status"] == "landed"

    def test_a_new_note_is_consolidated_at_once(self, product, model):
        """codex-W32"""
        product.learn()
        product.call("note", "always sign commits")
        again = product.call("learn", "--from", str(product.sessions), "--all", "--json").json
        assert again["consolidation"]["status"] in {"landed", "no_changes"}

    def test_a_failure_is_not_repeated_by_every_pass(self, product, model):
        """codex-W08"""
        model.script = {"consolidation": LearnerFailed("no answer")}
        product.learn(code=1)
        again = product.call("learn", "--from", str(product.sessions), "--all", "--json").json
        assert again["consolidation"]["status"] == "cooldown"
        assert model.asked.count("consolidation") == 1


def model_sessions(product):
    """The ids of all sessions, found by a rehearsal."""
    dry = product.learn("--dry-run").json
    return [session["id"] for session in dry["sessions"]]


def test_the_status_names_who_would_learn_and_whom_that_asks(product, model):
    product.learn()
    product.call("config", "set", "memories.learner", "model")
    product.call("config", "set", "model.extract_model", "openai:a-small-one")
    assert "learner    model   (asks openai:a-small-one)" in status(product)
    product.call("config", "set", "memories.learner", "extractive")
    assert "learner    extractive\n" in status(product)
    assert product.call("status", "--json").json["learner"] == "extractive"
