"""`vade learn` by an agent of the person's own: from a transcript to the handbook."""

from datetime import UTC, datetime, timedelta

import pytest

from support.fake_agents import program
from support.fake_hosts import HOSTS, good_host
from support.good_model import GoodModel
from support.product import ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "Always use pnpm, never npm."


@pytest.fixture
def script(product):
    """A session of yesterday, told to the product."""
    told = ruled(RULE, started_at=datetime.now(UTC) - timedelta(days=1))
    product.tell(told)
    return told


@pytest.fixture
def work(product, script, tmp_path, monkeypatch):
    """Chooses a program as the agent of a host; returns `vade learn` by it."""
    monkeypatch.setenv("HOME", str(tmp_path / "persons"))
    (tmp_path / "persons" / ".codex").mkdir(parents=True)
    (tmp_path / "persons" / ".codex" / "auth.json").write_text("{}")

    def learn(host, path, *words, code=0):
        product.call("config", "set", "agent.program", str(path))
        told = ("learn", "--learner", host, "--from", str(product.sessions), "--all", *words)
        return product.call(*told, code=code).out

    return learn


@pytest.fixture
def good(script, tmp_path):
    return GoodModel(tmp_path / "good", script)


def asked(tmp_path, host):
    return (tmp_path / "bin" / f"{host}.notes" / "asked").read_text().split()


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_becomes_memory_by_way_of_an_agent(host, product, work, good, tmp_path):
    path = good_host(tmp_path / "bin", host, good.extraction(), good.artefacts())
    assert "memory was updated in one commit" in work(host, path)
    assert asked(tmp_path, host) == ["extraction", "consolidation"]
    assert RULE in product.read("MEMORY.md")
    assert RULE in product.context()
    runs = product.call("runs", "--json").json["runs"]
    assert [(run["learner"], run["tokens"]) for run in runs] == [(f"{host}/1", 110)] * 2
    (day,) = product.call("usage", "--json").json["days"]
    assert (day["tokens"], day["cost"]) == (220, None if host == "codex" else 0.02)
    assert "already learned" in work(host, path)
    assert len(asked(tmp_path, host)) == 2


@pytest.mark.parametrize("host", HOSTS)
def test_a_rehearsal_runs_no_agent(host, product, work, tmp_path):
    path = good_host(tmp_path / "bin", host, "", {})
    assert "would be read" in work(host, path, "--dry-run")
    assert asked(tmp_path, host) == []
    assert not product.memory.exists()


def test_an_agent_whose_limit_is_reached_is_left_alone(product, work, tmp_path):
    """codex-B01"""
    until = int(datetime.now(UTC).timestamp()) + 3600
    words = f'{{"is_error": true, "result": "Claude AI usage limit reached|{until}"}}'
    path = program(tmp_path / "claude", f"echo >> {tmp_path}/asked\necho '{words}'")
    told = work("claude-code", path)
    assert "claude-code has reached its limit" in told
    assert "resting    claude-code until 20" in product.call("status").out
    assert "left until the account of the model can be used again" in work("claude-code", path)
    assert (tmp_path / "asked").read_text() == "\n"


def test_an_agent_without_a_login_ends_the_pass_and_says_what_to_do(product, work, tmp_path):
    """codex-X06"""
    words = '{"is_error": true, "result": "Not logged in. Please run /login"}'
    path = program(tmp_path / "claude", f"echo '{words}'")
    told = work("claude-code", path, code=1)
    assert "  ! claude-code could not log in" in told
    assert "Next: Start claude-code once by hand and log in" in told


def test_an_agent_that_is_not_installed_is_told_before_anything_is_begun(product, work, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    told = product.call("learn", "--learner", "codex", "--from", str(product.sessions), "--all", code=1).err
    assert "the program `codex` is not on the PATH" in told
    assert "vade config set agent.program" in told
    assert product.call("runs", "--json").json["runs"] == []


def test_the_doctor_says_that_the_learner_of_the_settings_is_not_there(product, monkeypatch, tmp_path):
    product.call("init")
    product.call("config", "set", "memories.learner", "codex")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    findings = product.call("doctor", "--json", code=1).json["findings"]
    assert [one["what"] for one in findings if one["area"] == "learner"] == ["the program `codex` is not on the PATH"]


def test_a_pass_in_which_every_session_failed_has_failed(product, work, tmp_path):
    work("claude-code", program(tmp_path / "claude", "echo nonsense; exit 3"), code=1)
    (run,) = product.call("runs", "--json").json["runs"]
    assert run["outcome"] == "failed"


def test_a_session_too_old_for_a_paid_learner_says_so_and_not_to_use_all(product, work, monkeypatch, tmp_path):
    monkeypatch.setenv("VADEMECUM_MEMORIES_MAX_ROLLOUT_AGE_DAYS", "1")
    product.tell(ruled("always squash", label="old", started_at=datetime.now(UTC) - timedelta(days=40)))
    told = work("claude-code", program(tmp_path / "claude", "exit 3"), code=1)
    assert "older than a learner that asks a model may take" in told
