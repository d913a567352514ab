"""`vade learn --learner model` against a scripted server that speaks the providers' wire formats."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from support.fake_model_queue import QueueModel, Reply
from support.product import Product, ruled
from vademecum.learners import ExtractionTask
from vademecum.learners.extractive import ExtractiveLearner
from vademecum.sessions import discover, load

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "Always use pnpm, never npm."
KEY = "my-very-own-words"


@pytest.fixture
def product(tmp_path, monkeypatch):
    monkeypatch.setenv("VADEMECUM_MEMORIES_MAX_ROLLOUT_AGE_DAYS", "90")
    told = Product(tmp_path / "asked")
    told.tell(ruled(RULE, started_at=datetime.now(UTC) - timedelta(days=1)))
    return told


@pytest.fixture
def good(product, tmp_path):
    """The replies of a model that finds what the built-in learner finds."""
    other = Product(tmp_path / "built-in")
    for file in product.sessions.rglob("*.jsonl"):
        copied = other.sessions / file.relative_to(product.sessions)
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_bytes(file.read_bytes())
    other.learn()
    (ref,) = discover(hosts=None, sources=[product.sessions], environ={}, home=tmp_path).refs
    extraction = ExtractiveLearner().extract(ExtractionTask(session=load(ref), project="/srv/shop"))
    texts = {path: other.read(path) for path in ("MEMORY.md", "memory_summary.md")}
    return [
        Reply(text=json.dumps(msgspec.to_builtins(extraction))),
        Reply(tool="read", arguments={"path": "MEMORY.md"}),
        *(Reply(tool="write", arguments={"path": path, "text": text}) for path, text in texts.items()),
        Reply(text='{"verdict": "wrote", "came_back": []}'),
    ]


def use(product, server, monkeypatch):
    """Choose the server's model, as a person does."""
    monkeypatch.setenv("MY_KEY", KEY)
    for name, value in (("extract_model", server.model), ("base_url", server.base_url), ("api_key_env", "MY_KEY")):
        product.call("config", "set", f"model.{name}", value)
    product.call("config", "set", "model.timeout_seconds", "5")


@pytest.mark.parametrize("wire", ["openai", "openai-compatible", "openai-responses", "anthropic", "google"])
def test_a_session_becomes_memory_by_way_of_a_model(wire, product, good, monkeypatch):
    with QueueModel(wire, *good) as server:
        use(product, server, monkeypatch)
        report = product.learn("--learner", "model").json
    assert (report["extracted"], report["failed"]) == (1, 0)
    assert report["consolidation"]["status"] == "landed"
    assert RULE in product.read("MEMORY.md")
    assert RULE in product.read("memory_summary.md")
    (rollout,) = (product.memory / "rollout_summaries").glob("*.md")
    assert RULE in rollout.read_text(encoding="utf-8")
    assert RULE in product.context()
    assert len(server.asked) == len(good)
    assert RULE in server.asked[0].text
    assert {run["learner"] for run in product.call("runs", "--json").json["runs"]} == {"model/1"}
    assert KEY.encode() not in product.stored()


def test_the_setting_chooses_the_learner(product, good, monkeypatch):
    product.call("config", "set", "memories.learner", "model")
    with QueueModel("openai", *good) as server:
        use(product, server, monkeypatch)
        assert product.learn().json["extracted"] == 1


def test_an_account_that_is_used_up_leaves_all_as_it_was_and_says_so(product, monkeypatch):
    with QueueModel("openai", *[Reply(status=429, message="slow down", headers={"Retry-After": "60"})] * 2) as server:
        use(product, server, monkeypatch)
        answer = product.learn("--learner", "model", "--no-consolidate")
    assert (answer.json["extracted"], answer.json["skipped"]) == (0, {"quota": 1})
    assert "takes no more requests for now" in answer.err


def test_work_that_breaks_a_rule_never_lands_and_the_input_waits(product, good, monkeypatch):
    """The model says that it is done with a statement that rests on nothing."""
    forged = (
        good[2].arguments["text"].replace("pnpm, never npm. <!--", "npm. -->\n- Always use pnpm, never npm. <!--", 1)
    )
    replies = [*good[:2], Reply(tool="write", arguments={"path": "MEMORY.md", "text": forged}), *good[3:]]
    with QueueModel("openai", *replies) as server:
        use(product, server, monkeypatch)
        report = product.learn("--learner", "model", code=1).json
    assert report["consolidation"]["status"] in {"invalid", "failed"}
    assert not (product.memory / "MEMORY.md").exists()
    assert product.learn("--learner", "extractive").json["consolidation"]["status"] == "landed"


def test_without_a_model_the_command_says_what_to_set(product):
    refused = product.call("learn", "--learner", "model", "--json", code=2)
    assert refused.error["code"] == "config"
    assert "model.extract_model" in refused.error["next"]
    assert not product.home.exists()


def test_without_a_key_the_command_says_which_variable_to_set(product):
    product.call("config", "set", "model.extract_model", "anthropic:a-model")
    refused = product.call("learn", "--learner", "model", "--json", code=1)
    assert refused.error["code"] == "login"
    assert "ANTHROPIC_API_KEY" in refused.error["message"]
    assert not product.memory.exists()


def test_a_key_in_place_of_its_name_is_refused_and_not_shown(product):
    secret = "-".join(("sk", "ant", "api03", "q7Zk2LmX9vB4nR8t" * 4))
    refused = product.call("config", "set", "model.api_key_env", secret, code=4)
    assert secret not in refused.out + refused.err
    assert not product.home.exists()


WITHOUT_LIBRARIES = """
import socket, sys
from pathlib import Path

def closed(*arguments):
    raise AssertionError(f"somebody is contacted: {arguments[1:]}")

socket.socket.connect = closed
from vademecum.cli import cli
cli(sys.argv[1:], standalone_mode=False)
libraries = {"pydantic_ai", "pydantic", "openai", "anthropic", "google", "httpx", "httpx2", "genai_prices"}
print("brought in:", sorted(libraries & {name.partition(".")[0] for name in sys.modules}))
"""


def test_the_default_learner_brings_no_library_of_models_in_and_contacts_nobody(product):
    words = ("learn", "--from", str(product.sessions), "--all", "--now")
    command = [sys.executable, "-c", WITHOUT_LIBRARIES, *words]
    environ = {"PATH": str(Path(sys.executable).parent), "HOME": str(product.folder), **product.environ}
    run = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "brought in: []" in run.stdout
    assert RULE in product.read("MEMORY.md")
