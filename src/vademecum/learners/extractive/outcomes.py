"""How a task ended: from what the person said about the work, and from what the checks said."""

from collections.abc import Sequence
from enum import StrEnum

from vademecum.artifacts.evidence import Kind
from vademecum.artifacts.raw_memory import Outcome
from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.heard import Heard
from vademecum.learners.extractive.sentences import sentences_of
from vademecum.learners.extractive.signals import Signal

__all__ = ["Mark", "feedback_in", "judge_session", "judge_task"]

#: Feedback stands at the beginning of a message; later sentences ask for more work.
FEEDBACK_SENTENCES = 3


class Mark(StrEnum):
    """One thing in the course of a task that says how it goes."""

    EDITED = "edited"  #: a file was changed
    WORKED = "worked"  #: a command with a goal succeeded
    PASSED = "passed"  #: a test, build, lint or type check succeeded
    FAILED = "failed"  #: a test, build, lint or type check failed
    ANSWERED = "answered"  #: the assistant closed its turn
    PRAISED = "praised"  #: the person accepts the work
    BLAMED = "blamed"  #: the person does not
    CORRECTED = "corrected"  #: the person says how they want it instead


_WORK = frozenset({Mark.EDITED, Mark.WORKED, Mark.PASSED})


def feedback_in(message: str, signals: Sequence[Signal]) -> Mark | None:
    """The verdict in a message that follows work of the assistant; a complaint outweighs a thank-you.

    Parameters
    ----------
    signals: the signals of the message. A preference says what is wanted, not that the work failed.
    """
    preferred = {signal.ordinal: signal.kind for signal in signals if signal.kind is not Kind.REQUEST}
    verdict: Mark | None = None
    for sentence in sentences_of(message)[:FEEDBACK_SENTENCES]:
        heard = Heard.of(sentence)
        kind = preferred.get(sentence.ordinal)
        if kind in {None, Kind.CORRECTION} and heard.shows(Cue.NEGATIVE):
            return Mark.CORRECTED if kind else Mark.BLAMED
        if heard.shows(Cue.POSITIVE) and not heard.asks and not heard.shows(Cue.HYPOTHETICAL):
            verdict = Mark.PRAISED
    return verdict


def judge_task(marks: Sequence[Mark], *, last: bool) -> Outcome:
    """The outcome of one task, from its marks in the order of time.

    Explicit feedback and checks outweigh everything. Moving on without an open blocker suggests success; the last
    task of a session, which nobody moved on from, is not given that credit.
    """
    feedback = _last(marks, Mark.PRAISED, Mark.BLAMED, Mark.CORRECTED)
    if feedback is not None:
        after = marks[feedback + 1 :]
        match marks[feedback]:
            case Mark.PRAISED:
                return _after_praise(after)
            case Mark.BLAMED:
                return _after_blame(after, last=last)
            case _:
                return _after_correction(after, last=last)
    check = _last(marks, Mark.PASSED, Mark.FAILED)
    if check is not None:
        return _after_check(marks, check)
    return Outcome.SUCCESS if not last and _WORK.intersection(marks) else Outcome.UNCERTAIN


def _last(marks: Sequence[Mark], *wanted: Mark) -> int | None:
    return next((place for place in range(len(marks) - 1, -1, -1) if marks[place] in wanted), None)


def _after_praise(after: Sequence[Mark]) -> Outcome:
    check = _last(after, Mark.PASSED, Mark.FAILED)
    broke_again = check is not None and after[check] is Mark.FAILED
    return Outcome.PARTIAL if broke_again else Outcome.SUCCESS


def _after_blame(after: Sequence[Mark], *, last: bool) -> Outcome:
    check = _last(after, Mark.PASSED, Mark.FAILED)
    if check is not None and after[check] is Mark.PASSED:
        return Outcome.PARTIAL if last else Outcome.SUCCESS
    return Outcome.PARTIAL if _WORK.intersection(after) and check is None else Outcome.FAIL


def _after_correction(after: Sequence[Mark], *, last: bool) -> Outcome:
    """Wanted otherwise is not failed: only a check may say that."""
    outcome = _after_blame(after, last=last)
    return Outcome.PARTIAL if outcome is Outcome.FAIL and Mark.FAILED not in after else outcome


def _after_check(marks: Sequence[Mark], check: int) -> Outcome:
    edited_since = Mark.EDITED in marks[check:]
    if marks[check] is Mark.PASSED:
        return Outcome.PARTIAL if edited_since else Outcome.SUCCESS
    return Outcome.PARTIAL if edited_since or Mark.PASSED in marks[:check] else Outcome.FAIL


def judge_session(outcomes: Sequence[Outcome]) -> Outcome:
    """One outcome for all tasks: what they share; where they differ and anything was reached, PARTIAL."""
    found = set(outcomes)
    if len(found) == 1:
        return outcomes[0]
    reached = found & {Outcome.SUCCESS, Outcome.PARTIAL}
    if reached:
        return Outcome.PARTIAL
    return Outcome.FAIL if Outcome.FAIL in found else Outcome.UNCERTAIN
