"""How tasks and sessions ended."""

import pytest

from vademecum.artifacts import Outcome
from vademecum.learners.extractive.outcomes import Mark, feedback_in, judge_session, judge_task
from vademecum.learners.extractive.signals import signals_of

E, W, P, F, A = Mark.EDITED, Mark.WORKED, Mark.PASSED, Mark.FAILED, Mark.ANSWERED
GOOD, BAD, OTHERWISE = Mark.PRAISED, Mark.BLAMED, Mark.CORRECTED


@pytest.mark.parametrize(
    ("marks", "last", "outcome"),
    [
        ([E, A, GOOD], True, Outcome.SUCCESS),
        ([E, A, BAD], True, Outcome.FAIL),
        ([E, A, OTHERWISE], True, Outcome.PARTIAL),
        ([E, A, OTHERWISE, E, P, A], False, Outcome.SUCCESS),
        ([E, A, BAD, E, A, GOOD], True, Outcome.SUCCESS),
        ([E, A, BAD, E, A], True, Outcome.PARTIAL),
        ([E, A, BAD, E, P, A], True, Outcome.PARTIAL),
        ([E, A, BAD, E, P, A], False, Outcome.SUCCESS),
        ([E, P, A], True, Outcome.SUCCESS),
        ([E, P, E, A], True, Outcome.PARTIAL),
        ([E, F, A], True, Outcome.FAIL),
        ([P, E, F, A], True, Outcome.PARTIAL),
        ([E, A, GOOD, F], True, Outcome.PARTIAL),
        ([E, A], True, Outcome.UNCERTAIN),
        ([E, A], False, Outcome.SUCCESS),
        ([A], False, Outcome.UNCERTAIN),
        ([], True, Outcome.UNCERTAIN),
        ([W, A], True, Outcome.UNCERTAIN),
    ],
)
def test_feedback_and_checks_decide_and_the_last_task_gets_no_credit(
    marks: list[Mark], last: bool, outcome: Outcome
) -> None:
    """Explicit feedback beats checks, checks beat silence, and silence after the last task is uncertain."""
    assert judge_task(marks, last=last) is outcome


@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        ("Thanks, works!", GOOD),
        ("perfect", GOOD),
        ("LGTM, merge it", GOOD),
        ("谢谢,可以了", GOOD),
        ("Danke, klappt.", GOOD),
        ("still broken", BAD),
        ("No, that's wrong.", BAD),
        ("It doesn't work", BAD),
        ("Thanks, but the test still fails", BAD),
        ("还是报错", BAD),
        ("Now add a test.", None),
        ("Does it work now?", None),
        ("no problem, thanks", GOOD),
        ("No mutex in that ring.", None),
        ("Please don't fix warnings in vendor.", None),
    ],
)
def test_feedback_is_read_from_the_beginning_of_a_message(text: str, feedback: Mark | None) -> None:
    """A complaint outweighs a thank-you; a question is no verdict."""
    assert feedback_in(text, ()) is feedback


@pytest.mark.parametrize(
    ("text", "feedback"),
    [
        ("No, we use pnpm here.", Mark.CORRECTED),
        ("Please never commit the broken lockfile.", None),
        ("We use pnpm, not npm.", None),
    ],
)
def test_a_preference_says_what_is_wanted_not_that_the_work_failed(text: str, feedback: Mark | None) -> None:
    """A rule stated next is no verdict; a correction is one, but no failure."""
    assert feedback_in(text, signals_of(text, after_action=True)) is feedback


@pytest.mark.parametrize(
    ("outcomes", "whole"),
    [
        ([Outcome.SUCCESS, Outcome.SUCCESS], Outcome.SUCCESS),
        ([Outcome.SUCCESS, Outcome.FAIL], Outcome.PARTIAL),
        ([Outcome.SUCCESS, Outcome.UNCERTAIN], Outcome.PARTIAL),
        ([Outcome.FAIL, Outcome.UNCERTAIN], Outcome.FAIL),
        ([Outcome.UNCERTAIN], Outcome.UNCERTAIN),
    ],
)
def test_a_session_is_what_its_tasks_share(outcomes: list[Outcome], whole: Outcome) -> None:
    """Where tasks differ and anything was reached, the whole is partial."""
    assert judge_session(outcomes) is whole
