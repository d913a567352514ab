"""How Claude Code is called, and what is read of what it prints. The real one is in tests/clients."""

import json

import pytest

from support.fake_agents import recorder
from vademecum.errors import LearnerFailed, LoginRefused, QuotaReached
from vademecum.learners.hosts.agent import Errand
from vademecum.learners.hosts.claude_code import ClaudeCode
from vademecum.learners.hosts.processes import Limits

DONE = {
    "type": "result",
    "is_error": False,
    "result": "the answer",
    "total_cost_usd": 0.5,
    "usage": {"input_tokens": 1},
    "modelUsage": {
        "one": {"inputTokens": 10, "outputTokens": 2, "cacheReadInputTokens": 30, "cacheCreationInputTokens": 5},
        "two": {"inputTokens": 1, "outputTokens": 1},
    },
}


@pytest.fixture
def ask(tmp_path):
    """Ask a program that prints this; the answer, and how it was called."""

    def asked(printed, *, status=0, may_write=False, settings=None, **environ):
        (tmp_path / "out").write_text(printed if isinstance(printed, str) else json.dumps(printed))
        called = recorder(tmp_path / "bin" / "claude", f"cat {tmp_path}/out; exit {status}")
        for folder in ("work", "scratch", "home/.claude"):
            (tmp_path / folder).mkdir(parents=True)
        if settings is not None:
            (tmp_path / "home" / ".claude" / "settings.json").write_text(settings)
        agent = ClaudeCode(
            program=str(tmp_path / "bin" / "claude"),
            limits=Limits(seconds=4),
            environ={"HOME": str(tmp_path / "home"), "PATH": f"{tmp_path}/bin:/usr/bin:/bin", **environ},
        )
        errand = Errand(
            prompt="the prompt", folder=tmp_path / "work", scratch=tmp_path / "scratch", may_write=may_write
        )
        return agent.ask(errand), called

    return asked


def test_answer_tokens_and_cost_are_read(ask):
    answer, _ = ask(DONE)
    assert (answer.text, answer.tokens_in, answer.tokens_out, answer.cost_usd) == ("the answer", 46, 3, 0.5)


def test_the_prompt_comes_by_input_in_the_folder_of_the_errand(ask, tmp_path):
    _, called = ask(DONE)
    assert called.stdin == "the prompt"
    assert "the prompt" not in called.arguments
    assert called.folder == tmp_path / "work"


@pytest.mark.parametrize(("may_write", "tools"), [(False, ""), (True, "Read,Write,Edit,Glob,Grep")])
def test_tools_are_those_of_the_errand(ask, may_write, tools):
    _, called = ask(DONE, may_write=may_write)
    arguments = called.arguments
    assert arguments[arguments.index("--tools") + 1] == tools
    for restriction in ("--restricted", "--safe-mode", "--strict-mcp-config", "--no-session-persistence"):
        assert restriction in arguments


def test_login_and_model_of_the_settings_are_kept_and_nothing_else(ask):
    """user-U31."""
    settings = {
        "model": "opus",
        "apiKeyHelper": "/bin/key",
        "hooks": {"Stop": []},
        "permissions": {"allow": ["Bash"]},
        "env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "OTHER": "x"},
    }
    _, called = ask(DONE, settings=json.dumps(settings))
    kept = json.loads(called.arguments[called.arguments.index("--settings") + 1])
    assert kept == {"model": "opus", "apiKeyHelper": "/bin/key", "disableAllHooks": True}
    assert called.environ["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:1"
    assert "OTHER" not in called.environ


def test_what_an_agent_around_us_set_does_not_reach_it(ask):
    _, called = ask(DONE, CLAUDECODE="1", CLAUDE_CODE_MESSAGING_TOKEN="t", ANTHROPIC_API_KEY="k")
    assert not {"CLAUDECODE", "CLAUDE_CODE_MESSAGING_TOKEN"} & set(called.environ)
    assert called.environ["ANTHROPIC_API_KEY"] == "k"
    assert called.environ["VADEMECUM_LEARNER"] == "1"


@pytest.mark.parametrize("settings", ["", "[]", "{", '{"env": []}', '{"env": {"A": 1}, "model": 7}'])
def test_settings_that_cannot_be_read_are_passed_over(ask, settings):
    assert ask(DONE, settings=settings)[0].text == "the answer"


def test_an_error_is_told_by_its_status_and_words(ask):
    with pytest.raises(QuotaReached):
        ask({"is_error": True, "result": "API Error", "api_error_status": 429}, status=1)


def test_an_error_without_a_result_is_told_by_its_list(ask):
    with pytest.raises(QuotaReached):
        ask({"is_error": True, "subtype": "error_during_execution", "errors": ["usage limit reached"]}, status=1)


def test_a_missing_login_is_told(ask):
    with pytest.raises(LoginRefused):
        ask({"is_error": True, "result": "Not logged in · Please run /login"}, status=1)


def test_an_old_version_is_refused(ask):
    with pytest.raises(LearnerFailed, match="cannot be restricted"):
        ask("error: unknown option '--restricted'", status=1)


@pytest.mark.parametrize("printed", ["", "[]", "null", '{"result": 1}', '{"is_error": false, "result": " "}'])
def test_anything_else_is_a_failure(ask, printed):
    with pytest.raises(LearnerFailed):
        ask(printed)
