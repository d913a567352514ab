"""How Codex is called, and what is read of what it prints. The real one is in tests/clients."""

import json
import tomllib

import pytest

from support.fake_agents import recorder
from vademecum.errors import LearnerFailed, LoginRefused, QuotaReached
from vademecum.learners.hosts.agent import Errand
from vademecum.learners.hosts.codex import Codex
from vademecum.learners.hosts.processes import Limits

DONE = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "item.completed", "item": {"id": "0", "type": "agent_message", "text": "looking"}},
    {"type": "item.completed", "item": {"id": "1", "type": "file_change", "changes": []}},
    {"type": "item.completed", "item": {"id": "2", "type": "agent_message", "text": "the answer"}},
    {"type": "turn.completed", "usage": {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": 7}},
]
USERS = """
model = "a-model"
model_provider = "mine"
sandbox_mode = "danger-full-access"
notify = ["evil"]
[model_providers.mine]
base_url = "http://127.0.0.1:1/v1"
env_key = "MY_KEY"
env_http_headers = { "X-Team" = "MY_TEAM" }
[mcp_servers.evil]
command = "evil"
[features]
hooks = true
"""


@pytest.fixture
def ask(tmp_path):
    """Ask a program that prints this; the answer, and how it was called."""

    def asked(events, *, status=0, may_write=False, settings=USERS, login=True, **environ):
        lines = events if isinstance(events, str) else "\n".join(map(json.dumps, events))
        (tmp_path / "out").write_text(lines)
        called = recorder(
            tmp_path / "bin" / "codex",
            f"cp $CODEX_HOME/config.toml {tmp_path}/given.toml; ls $CODEX_HOME > {tmp_path}/listed\n"
            f"if [ -e $CODEX_HOME/auth.json ]; then echo renewed > $CODEX_HOME/auth.json; fi\n"
            f"cat {tmp_path}/out; exit {status}",
        )
        for folder in ("work", "scratch", "home/.codex"):
            (tmp_path / folder).mkdir(parents=True)
        users = tmp_path / "home" / ".codex"
        (users / "config.toml").write_text(settings)
        (users / "AGENTS.md").write_text("mine")
        if login:
            (users / "auth.json").write_text("{}")
        environ = {"HOME": str(tmp_path / "home"), "PATH": f"{tmp_path}/bin:/usr/bin:/bin", **environ}
        agent = Codex(program=str(tmp_path / "bin" / "codex"), limits=Limits(seconds=4), environ=environ)
        errand = Errand(
            prompt="the prompt", folder=tmp_path / "work", scratch=tmp_path / "scratch", may_write=may_write
        )
        return agent.ask(errand), called

    return asked


def given(tmp_path):
    return tomllib.loads((tmp_path / "given.toml").read_text())


def test_the_last_message_and_the_tokens_are_read(ask):
    answer, called = ask(DONE)
    assert (answer.text, answer.tokens_in, answer.tokens_out, answer.cost_usd) == ("the answer", 100, 7, None)
    assert called.stdin == "the prompt"


def test_model_and_provider_of_the_settings_are_kept_and_nothing_else(ask, tmp_path):
    """user-U31."""
    _, called = ask(DONE, MY_KEY="k", MY_TEAM="t", OTHER_KEY="o")
    settings = given(tmp_path)
    assert settings["model"] == "a-model"
    assert settings["model_providers"]["mine"]["env_key"] == "MY_KEY"
    assert settings["features"]["hooks"] is False
    assert not {"mcp_servers", "notify"} & set(settings)
    assert (called.environ["MY_KEY"], called.environ["MY_TEAM"]) == ("k", "t")
    assert "OTHER_KEY" not in called.environ


@pytest.mark.parametrize(("may_write", "mode"), [(False, "read-only"), (True, "workspace-write")])
def test_the_sandbox_is_that_of_the_errand(ask, tmp_path, may_write, mode):
    _, called = ask(DONE, may_write=may_write)
    settings = given(tmp_path)
    assert settings["sandbox_mode"] == mode
    assert settings["approval_policy"] == "never"
    assert settings["features"]["shell_tool"] is False
    assert "--strict-config" in called.arguments


def test_its_home_holds_the_login_alone_and_a_renewed_one_is_kept(ask, tmp_path):
    ask(DONE)
    assert (tmp_path / "listed").read_text().split() == ["auth.json", "config.toml"]
    assert (tmp_path / "home" / ".codex" / "auth.json").read_text() == "renewed\n"


def test_without_a_login_nothing_is_started(ask, tmp_path):
    with pytest.raises(LoginRefused, match="no login") as caught:
        ask(DONE, settings="", login=False)
    assert "codex login" in caught.value.next_step
    assert not (tmp_path / "given.toml").exists()


def test_a_key_in_the_environment_is_a_login(ask):
    _, called = ask(DONE, settings="", login=False, CODEX_API_KEY="k")
    assert called.environ["CODEX_API_KEY"] == "k"


def test_a_turn_that_failed_is_told_by_its_words(ask):
    failed = {"type": "turn.failed", "error": {"message": "You’ve hit your usage limit. Try again at 8:20 PM."}}
    with pytest.raises(QuotaReached):
        ask([failed], status=1)


def test_a_version_that_does_not_know_a_setting_is_refused(ask):
    with pytest.raises(LearnerFailed, match="cannot be restricted"):
        ask("Error loading config.toml: unknown configuration field `agents.enabled`", status=1)


@pytest.mark.parametrize("settings", ["= no toml", 'model_providers = "x"', "[model_providers]\na = 1"])
def test_settings_that_make_no_sense_are_passed_over(ask, settings):
    assert ask(DONE, settings=settings)[0].text == "the answer"


@pytest.mark.parametrize("events", ["", "null\n[]\n{}", [{"type": "turn.completed"}]])
def test_anything_else_is_a_failure(ask, events):
    with pytest.raises(LearnerFailed):
        ask(events)
