"""Several processes that ask one model, and one that is ended while it waits for an answer."""

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest

from support.fake_model_queue import QueueModel, Reply
from support.good_model import KEY, GoodModel, use
from support.product import Product, ruled
from vademecum.state import INTERRUPTED, JobStatus, State

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULES = ("Always use pnpm, never npm.", "Always squash before you merge.", "Never push to main.")


@pytest.fixture
def product(tmp_path):
    return Product(tmp_path)


@pytest.fixture
def model(product, tmp_path, monkeypatch):
    """A good model, which the product is told to ask about three sessions."""
    monkeypatch.setenv("VADEMECUM_MEMORIES_MAX_ROLLOUTS_PER_STARTUP", "8")
    yesterday = datetime.now(UTC) - timedelta(days=1)
    scripts = [ruled(rule, label=f"s{at}", started_at=yesterday) for at, rule in enumerate(RULES)]
    product.tell(*scripts)
    with QueueModel("openai", then=GoodModel(tmp_path / "good", *scripts)) as server:
        use(product, server, monkeypatch)
        yield server


def learner(product):
    """A process of its own that learns."""
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(product.folder),
        "MY_KEY": KEY,
        "VADEMECUM_MEMORIES_MAX_ROLLOUTS_PER_STARTUP": "8",
        **product.environ,
    }
    command = [sys.executable, "-m", "vademecum", "learn", "--from", str(product.sessions), "--all", "--now", "--json"]
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_three_at_once_ask_for_each_session_once(product, model):
    processes = [learner(product) for _ in range(3)]
    ends = [(*process.communicate(timeout=50), process.returncode) for process in processes]
    assert [code for _, _, code in ends] == [0, 0, 0], ends
    assert sum(not asked.body.get("tools") for asked in model.asked) == 3
    product.learn()
    assert all(rule in product.read("MEMORY.md") for rule in RULES)
    assert sum(not asked.body.get("tools") for asked in model.asked) == 3


def test_one_that_is_ended_while_it_waits_for_an_answer_leaves_nothing_behind(product, model):
    model.replies.append(Reply(hang=True))
    process = learner(product)
    assert model.came.wait(timeout=30)
    asked_to_end = time.monotonic()
    process.terminate()
    _, told = process.communicate(timeout=30)
    assert time.monotonic() - asked_to_end < 2
    assert "interrupted" in told
    with State.open(product.identity / "state.db") as state:
        (run,) = state.runs.list()
        (job,) = state.jobs.all()
    assert run.outcome == INTERRUPTED
    assert run.tokens_in  # what was sent is paid for
    assert (job.status, job.token, job.failures) == (JobStatus.PENDING, None, {})
    assert "1 begun and put off" in product.call("status").out
    assert product.learn().json["extracted"] == 3
