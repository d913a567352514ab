from datetime import UTC, datetime, timedelta

from support.two_projects import SHOP
from vademecum import Memory
from vademecum.engine import AskedBy
from vademecum.sessions import Origin
from vademecum.state import ErrorClass, State
from vademecum.toolbox import call_tool

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def fail(memory, key, error, *, retry_at, times=1, kind=ErrorClass.INVALID_OUTPUT):
    with State.open(memory.folder.state) as state:
        for number in range(times):
            token = f"{key}-{number}"
            state.jobs.claim(
                "extraction", key, watermark=NOW, worker="1@here:0", token=token, lease_seconds=60, now=NOW
            )
            state.jobs.fail(token, kind, error, retry_at=None if number < times - 1 else retry_at, now=NOW)


def test_it_says_what_memory_holds_and_what_a_session_gets(learned, ask):
    answer = ask("memory_inspect")
    status = learned.status()
    assert f"a session here gets {status.context_tokens:,} of {status.budget_tokens:,} tokens" in answer.text
    assert "2 rollout_summaries/" in answer.text
    assert "2 active" in answer.text
    assert answer.data["status"]["revision"] == status.revision
    assert answer.data["files"]["rollout_summaries/"] == 2
    assert {section["name"] for section in answer.data["context"]} >= {"summary"}


def test_jobs_by_state_and_the_last_errors_with_their_next_try(learned, ask):
    """codex-A23"""
    assert "error" not in ask("memory_inspect").text
    fail(learned, "session-x", "the answer was no JSON", retry_at=NOW + timedelta(hours=1))
    fail(learned, "session-y", "the answer was blank", retry_at=None, times=3)
    answer = ask("memory_inspect")
    assert "jobs of extraction: 2 done, 1 failed, 1 pending" in answer.text
    assert "in extraction of session-x: invalid_output: the answer was no JSON (again 2026-11-30 13:00Z)" in answer.text
    assert "session-y: invalid_output: the answer was blank (given up until there is more of it)" in answer.text
    assert answer.data["jobs"] == {"extraction": {"done": 2, "failed": 1, "pending": 1}}


def test_no_more_than_five_errors_are_told_and_each_shortly(learned, ask):
    for number in range(8):
        fail(learned, f"session-{number}", f"{number} {'word ' * 200}", retry_at=NOW)
    answer = ask("memory_inspect")
    assert len(answer.data["troubles"]) == 5
    assert max(len(trouble["error"]) for trouble in answer.data["troubles"]) <= 200


def test_what_the_last_pass_found_and_what_waits_is_told_with_the_reason(learned, ask):
    text = ask("memory_inspect").text
    assert "last pass" in text
    assert "2 sessions found, 2 learned" in text
    learned.edit.describe("system/human.md", description="x", reason="r", asked_by=AskedBy(origin=Origin.MODEL))
    ask("memory_add_note", note="The heron likes fish on Fridays")
    text = ask("memory_inspect").text
    assert "waits: 1 proposal for the user's word" in text
    assert "waits: 1 note of agents to be confirmed" in text


def test_settings_are_told_as_they_hold_and_a_warning_goes_when_its_cause_does(learned):
    """codex-A23"""

    def inspected():
        memory = Memory.open(home=learned.home.root, environ={})
        return call_tool(memory, "memory_inspect", {}, AskedBy())

    learned.home.config.write_text("[context]\nbudget_tokens = 1\n")
    answer = inspected()
    assert answer.data["settings"]["context.budget_tokens"] == 500
    assert "context.budget_tokens=500" in answer.text
    assert "warning: context.budget_tokens is 1" in answer.text
    learned.home.config.unlink()
    assert "warning" not in inspected().text


def test_a_session_that_is_kept_out_is_counted(ask):
    ask("memory_mode", mode="disabled")
    assert "sessions kept out: 1 switched off" in ask("memory_inspect").text


def test_a_model_that_rests_is_named_with_the_moment(learned, ask):
    with State.open(learned.folder.state) as state:
        state.breakers.refuse("a:model", "used up", retry_after_seconds=3600)
    assert "a:model: used up" in ask("memory_inspect").text


def test_it_answers_where_nothing_was_written_yet(tmp_path):
    answer = call_tool(Memory.open(home=tmp_path / "home", environ={}), "memory_inspect", {}, AskedBy())
    assert not answer.is_error
    assert "nothing written yet" in answer.text


def test_it_speaks_of_the_directory_of_the_session(learned):
    here = call_tool(learned, "memory_inspect", {}, AskedBy(cwd=SHOP)).data["status"]["context_bytes"]
    there = call_tool(learned, "memory_inspect", {}, AskedBy(cwd="/elsewhere")).data["status"]["context_bytes"]
    assert here != there
