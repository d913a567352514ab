"""How opencode's server is asked, and what is read of its answers. The real one is in tests/clients."""

import json
import time
from contextlib import suppress

import pytest

from support.fake_opencode import FakeOpencode
from vademecum.errors import LearnerFailed, LearnerUnavailable, LoginRefused, QuotaReached
from vademecum.learners.hosts.agent import Errand
from vademecum.learners.hosts.opencode import Opencode
from vademecum.learners.hosts.processes import Limits
from vademecum.sessions import LEARNER_MARK

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SAID = {
    "info": {"role": "assistant", "cost": 0},
    "parts": [{"type": "step-start"}, {"type": "text", "text": "the answer"}, {"type": "step-finish"}],
}
SESSION = {
    "id": "ses_1",
    "cost": 0.5,
    "tokens": {"input": 100, "output": 7, "reasoning": 3, "cache": {"read": 50, "write": 5}},
}
SETTINGS = {
    "model": "mine/a-model",
    "provider": {"mine": {"options": {"apiKey": "k"}}},
    "mcp": {"evil": {"type": "local", "command": ["evil"]}},
    "plugin": ["evil"],
    "instructions": ["evil.md"],
}


@pytest.fixture
def ask(tmp_path):
    """Ask a server with these answers; the answer, and the server."""

    def asked(*, may_write=False, seconds=20, **replies):
        fake = FakeOpencode(tmp_path / "bin", **replies)
        for folder in ("work", "scratch"):
            (tmp_path / folder).mkdir()
        agent = Opencode(
            program=str(fake.path),
            limits=Limits(seconds=seconds, grace_seconds=1),
            environ={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": "k", "OTHER": "o"},
        )
        errand = Errand(
            prompt="the prompt", folder=tmp_path / "work", scratch=tmp_path / "scratch", may_write=may_write
        )
        return agent.ask(errand), fake

    return asked


def given(fake):
    return json.loads(fake.environs[-1]["OPENCODE_CONFIG_CONTENT"])


def test_text_tokens_and_cost_of_the_whole_session_are_read(ask):
    answer, _ = ask(message=SAID, session=SESSION)
    assert (answer.text, answer.tokens_in, answer.tokens_out, answer.cost_usd) == ("the answer", 155, 10, 0.5)


def test_the_session_has_our_mark_and_our_agent(ask):
    _, fake = ask(message=SAID)
    bodies = {path: body for _, path, body in fake.asked}
    assert bodies["/session"] == {"title": LEARNER_MARK}
    assert bodies["/session/ses_1/message"]["parts"] == [{"type": "text", "text": "the prompt"}]
    assert bodies["/session/ses_1/message"]["agent"] in given(fake)["agent"]


def test_providers_and_model_of_the_settings_are_kept_and_nothing_else(ask):
    _, fake = ask(message=SAID, settings=SETTINGS)
    kept = given(fake)
    assert (kept["model"], kept["provider"]) == (SETTINGS["model"], SETTINGS["provider"])
    assert not {"mcp", "plugin", "instructions"} & set(kept)


def test_settings_and_sessions_of_the_person_are_out_of_reach(ask, tmp_path):
    """codex-W11."""
    _, fake = ask(message=SAID)
    environ = fake.environs[-1]
    for variable in ("XDG_CONFIG_HOME", "OPENCODE_DB"):
        assert environ[variable].startswith(str(tmp_path / "scratch"))
    assert environ["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"
    assert environ["ANTHROPIC_API_KEY"] == "k"
    assert "OTHER" not in environ


@pytest.mark.parametrize("ending", [{"message": SAID}, {"message": {"info": {}, "parts": []}}, {"seconds": 2}])
def test_nothing_is_deleted_or_listed_on_any_server(ask, ending, tmp_path):
    """codex-A26: its sessions go with its own database, so no session of a person's can be taken for one of them."""
    with suppress(LearnerFailed):
        ask(**ending)
    (notes,) = tmp_path.rglob("asked")
    asked = [json.loads(line) for line in notes.read_text().splitlines()]
    assert asked
    assert {method for method, _, _ in asked} <= {"GET", "POST"}
    assert ("GET", "/session") not in {(method, path) for method, path, _ in asked}


def permission(fake):
    [agent] = given(fake)["agent"].values()
    return agent["permission"]


def test_without_files_to_write_everything_is_denied(ask):
    _, fake = ask(message=SAID)
    assert permission(fake) == {"*": "deny"}


@pytest.mark.parametrize("above", [None, ""], ids=["outside every work tree", "inside a work tree"])
def test_only_the_folder_may_be_edited_wherever_it_stands(ask, tmp_path, above):
    """codex-R95. Rules are relative to the work tree; one around the folder is not opened by them."""
    if above is not None:
        (tmp_path / ".git").mkdir()
    folder = "work" if above is not None else str(tmp_path / "work").lstrip("/")
    _, fake = ask(message=SAID, may_write=True)
    assert permission(fake) == {
        "*": "deny",
        "read": {"*": "deny", f"{folder}/*": "allow", folder: "allow"},
        "edit": {"*": "deny", f"{folder}/*": "allow"},
    }


def test_an_error_in_the_answer_is_told_by_status_and_words(ask):
    """codex-A10, codex-N19."""
    failed = {"info": {"error": {"name": "APIError", "data": {"message": "bad key", "statusCode": 401}}}, "parts": []}
    with pytest.raises(LoginRefused, match="bad key"):
        ask(message=failed)


def test_an_answer_without_text_is_a_failure(ask):
    """So ends what somebody aborted: without an error."""
    with pytest.raises(LearnerFailed, match="answered nothing"):
        ask(message={"info": {}, "parts": []})


def test_a_quota_that_would_be_waited_for_is_given_up_at_once(ask):
    retry = {"type": "retry", "attempt": 1, "message": "Rate limit reached", "next": (time.time() + 3600) * 1000}
    with pytest.raises(QuotaReached) as caught:
        ask(state=retry)
    assert 3500 < caught.value.retry_after_seconds <= 3600


def test_retries_in_vain_are_given_up(ask):
    with pytest.raises(LearnerUnavailable, match="overloaded"):
        ask(state={"type": "retry", "attempt": 3, "message": "overloaded", "next": 0})


def test_a_question_that_takes_too_long_is_ended(ask):
    began = time.monotonic()
    with pytest.raises(LearnerUnavailable, match="was not done after 2 seconds"):
        ask(seconds=2, state={"type": "busy"})
    assert time.monotonic() - began < 15


def test_a_server_that_does_not_start_is_told_by_its_words(ask):
    with pytest.raises(LearnerFailed, match="cannot be restricted"):
        ask(other={"fail": "error: unknown option '--pure'"})


@pytest.mark.parametrize("answer", [[500, "broken"], [200, []], [200, {"id": 7}]])
def test_an_answer_in_another_form_is_a_failure(ask, answer):
    with pytest.raises(LearnerFailed):
        ask(other={"POST /session": answer})
