"""A learner that costs, many sessions that wait for it, and agents that are started again and again."""

import os
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from support.compose import Format, write_sessions
from support.fake_model_queue import QueueModel, Reply
from support.good_model import use
from support.hooks import hook_command
from support.metered_learner import MeteredLearner
from support.product import ruled
from vademecum.engine import background, learn
from vademecum.errors import LearnerFailed, LearnerUnavailable, QuotaReached
from vademecum.home import Home

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

STARTS, AT_ONCE = 50, 10
SESSIONS = 12
#: `memories.max_rollouts_per_startup`, as it is without a word of the person's.
PER_PASS = 2
NOTHING = Reply(text='{"raw_memory": "", "rollout_summary": "", "rollout_slug": "", "outcome": ""}')


@pytest.fixture(autouse=True)
def idle(product, closed_home):
    """Sessions of yesterday where an agent keeps them, none of them learned."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    scripts = [ruled(f"always use tool number {at}", label=f"s{at}", started_at=yesterday) for at in range(SESSIONS)]
    write_sessions(Format.CLAUDE_CODE, closed_home / ".claude/projects/p", scripts)
    for path in (closed_home / ".claude").rglob("*.jsonl"):
        os.utime(path, (yesterday.timestamp(), yesterday.timestamp()))
    product.call("init")


def is_learner_of(process, home):
    try:
        command, environ = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
    except OSError:
        return False  # it has ended
    return b"--background" in command and os.fsencode(home) in environ


class TestAgentsThatStart:
    """The hooks of an agent, and the passes that they start, as processes of their own."""

    @pytest.fixture
    def server(self, product, monkeypatch):
        """A model that finds nothing to keep in anything, and is paid for it."""
        with QueueModel("openai", then=lambda _body: NOTHING) as server:
            use(product, server, monkeypatch)
            yield server

    def start_agents(self, product):
        """Ten at once, until there were as many as there are starts."""
        environ = {**os.environ, "VADEMECUM_HOME": str(product.home)}
        command = hook_command("claude-code", "session-start")
        for first in range(0, STARTS, AT_ONCE):
            pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
            hooks = [subprocess.Popen(command, stdin=pipe, stdout=nowhere, env=environ) for _ in range(AT_ONCE)]
            for number, hook in enumerate(hooks, start=first):
                hook.communicate(b'{"session_id": "s%d", "cwd": "/srv/shop", "source": "startup"}' % number)

    def await_passes(self, product):
        """Wait until every process that a hook started for this home has ended."""
        deadline = time.monotonic() + 60
        while any(is_learner_of(process, product.home) for process in Path("/proc").glob("[0-9]*")):
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def runs(self, product):
        runs = product.call("runs", "--json").json["runs"]
        return [run for run in runs if run["kind"] == "extraction"]

    def test_fifty_starts_are_one_pass_and_a_later_one_takes_its_share_and_no_more(self, product, server):
        """user-U32: what is asked of a model follows the clock and the cap, never the number of starts."""
        for _ in range(2):  # all in one storm, and as many after the pass that it started
            self.start_agents(product)
            self.await_passes(product)
            assert len(server.asked) == PER_PASS
        began = product.home / "runtime/learner.started"
        earlier = time.time() - 11 * 60
        os.utime(began, (earlier, earlier))
        self.start_agents(product)
        self.await_passes(product)
        assert len(server.asked) == 2 * PER_PASS
        assert len(self.runs(product)) == 2


class TestPassesInARow:
    """As many passes as there were starts, one right after the other, as if no rest were kept between them."""

    @pytest.fixture
    def model(self, monkeypatch):
        learner = MeteredLearner(cost_usd=0.01)
        monkeypatch.setattr(learn, "learner_named", lambda *_: learner)
        return learner

    def run_passes(self, product):
        for _ in range(STARTS):
            assert background.learn_in_background(Home(root=product.home), {**os.environ, **product.environ})

    def test_each_session_is_paid_for_once_and_memory_is_written_once(self, product, model):
        """user-U32: what was learned asks for nothing more, and a consolidation is followed by a rest."""
        self.run_passes(product)
        assert len(model.asked) == len(set(model.asked)) == SESSIONS + 1
        assert model.asked.count("consolidation") == 1

    @pytest.mark.parametrize("error", [LearnerFailed, LearnerUnavailable], ids=["useless", "unreachable"])
    def test_what_failed_waits_before_it_is_asked_again(self, product, model, error):
        """user-U32"""
        model.script = dict.fromkeys(self.sessions(product), error("no use"))
        self.run_passes(product)
        asked = [what for what in model.asked if what != "consolidation"]
        assert len(asked) == len(set(asked)) == SESSIONS

    def test_a_used_up_account_is_asked_once(self, product, model):
        """user-U32"""
        refusal = QuotaReached("no credit", model=MeteredLearner.model)
        model.script = dict.fromkeys([*self.sessions(product), "consolidation"], refusal)
        self.run_passes(product)
        assert len(model.asked) == 1

    @pytest.mark.parametrize(("name", "limit"), [("TOKENS_PER_DAY", "303"), ("COST_PER_DAY_CENTS", "3")])
    def test_the_budget_of_the_day_ends_it_whatever_is_left_to_do(self, product, model, monkeypatch, name, limit):
        """user-U32: three requests of 101 tokens and one cent are what the day has."""
        monkeypatch.setenv(f"VADEMECUM_BUDGET_{name}", limit)
        self.run_passes(product)
        assert len(model.asked) == 3

    def test_a_pass_that_puts_right_what_hooks_read_asks_nobody(self, product, model):
        """user-U32: also where it cannot be put right, as with two versions at work that read each other's files."""
        home = Home(root=product.home)
        file = product.home / "runtime/hook.json"
        file.unlink()
        for _ in range(STARTS):
            assert background.learn_in_background(home, {**os.environ, **product.environ}, only_mends=True)
        assert file.exists()
        assert model.asked == []

    def sessions(self, product):
        rehearsal = product.call("learn", "--dry-run", "--all", "--now", "--json").json
        return [session["id"] for session in rehearsal["sessions"]]
