"""Why one session that was asked for by name was left alone, with the day of it and the command that changes it."""

import msgspec

from vademecum.artifacts import (
    FORGOTTEN_SESSIONS,
    REJECTED_SESSIONS,
    SWITCHED_OFF,
    began_anew_at,
    day_of_entry,
    format_day,
)
from vademecum.learning import Skip
from vademecum.memfs import Tree
from vademecum.state import RecordState, RetiredReason, State

__all__ = ["LeftOut", "why_left_out", "why_retired"]


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """One session that was asked for and not learned."""

    #: The session's whole id.
    session: str
    #: As `skipped` counts it.
    reason: str
    #: In one sentence, with the day where a person decided it.
    why: str
    #: The command that changes it, or what does; empty where nothing can.
    next_step: str = ""


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of a session that one reason keeps out."""

    why: str
    #: As in `LeftOut`, with the session's id put in.
    next_step: str = ""
    #: The part of the archive that holds the day of a person's decision, and the sentence with it.
    section: str = ""
    on_day: str = ""


_TOLD: dict[Skip, _Told] = {
    Skip.UNCHANGED: _Told(
        why="it was read, and nothing in it was worth keeping",
        next_step="Go on in it and learn again: what is new in it counts.",
    ),
    Skip.MODE_OFF: _Told(
        why="it is switched off for memory",
        next_step="`vade mode {session} enabled` switches it on.",
        section=SWITCHED_OFF,
        on_day="it was switched off by vade mode on {day}",
    ),
    Skip.FORGOTTEN: _Told(
        why="it was forgotten",
        next_step="`vade log ARCHIVE.md` shows the forgetting; `vade undo` of that commit takes it back.",
        section=FORGOTTEN_SESSIONS,
        on_day="it was forgotten on {day}",
    ),
    Skip.REJECTED: _Told(
        why="its proposal was rejected",
        next_step="Go on in it: what is new in it counts.",
        section=REJECTED_SESSIONS,
        on_day="its proposal was rejected on {day}",
    ),
    Skip.BEFORE_RESET: _Told(
        why="it ended before memory began anew",
        next_step="`vade mode {session} enabled` has the next `vade learn` take it in.",
        on_day="it is kept out since the reset of {day}",
    ),
    Skip.TOO_RECENT: _Told(
        why="it is too new: it may still go on",
        next_step="`vade learn --session {session} --now` does not wait.",
    ),
    Skip.TOO_OLD: _Told(why="it is older than --since", next_step="`vade learn --session {session} --all` takes it."),
    Skip.BEYOND_CAP: _Told(
        why="it is older than a learner that asks a model may take",
        next_step="`vade config` says how old it may be; `vade learn --learner extractive` takes any age.",
    ),
    Skip.NO_HUMAN_WORDS: _Told(why="it is too short: nobody said anything in it"),
    Skip.SUB_AGENT: _Told(why="it is a sub-agent's; its parent session tells the story"),
    Skip.LEARNER: _Told(why="it is a learner's own session"),
    Skip.IMPORT: _Told(why="it is a copy of another agent's session"),
    Skip.DUPLICATE: _Told(why="another copy of it was learned"),
    Skip.POLLUTED: _Told(
        why="text from outside came into it, and your settings leave such alone",
        next_step="`vade mode {session} enabled` has it learned all the same.",
    ),
    Skip.UNREADABLE: _Told(why="its file cannot be read, or holds no session"),
    Skip.BUSY: _Told(why="another process learns it at this moment"),
    Skip.WAITING: _Told(
        why="it failed, and is tried again later",
        next_step="`vade learn --session {session} --now` tries it now where the learner could not be asked.",
    ),
    Skip.GIVEN_UP: _Told(why="it failed too often", next_step="Something new in it opens it again."),
    Skip.CAPPED: _Told(why="other sessions were learned first: a learner that asks a model takes few at a time"),
    Skip.QUOTA: _Told(why="the account of the model is used up for now", next_step="`vade status` says until when."),
    Skip.LOGIN: _Told(
        why="the login of the model is refused, or there is no such model", next_step="`vade status` says which."
    ),
    Skip.BUDGET: _Told(why="the budget is used up", next_step="`vade usage` shows what was spent."),
}
_RETIRED: dict[RetiredReason, str] = {
    RetiredReason.DELETED: "you deleted what was learned from it",
    RetiredReason.NO_OUTPUT: _TOLD[Skip.UNCHANGED].why,
    RetiredReason.UNUSED: "it was learned, and what nobody uses rests",
    RetiredReason.POLLUTED: _TOLD[Skip.POLLUTED].why,
}
#: What a person decided of a session, as its record has it -> as learning has it.
_SHUT_OUT: dict[RetiredReason, Skip] = {
    RetiredReason.FORGOTTEN: Skip.FORGOTTEN,
    RetiredReason.REJECTED: Skip.REJECTED,
    RetiredReason.DISABLED: Skip.MODE_OFF,
}


def why_left_out(session: str, skip: Skip, *, tree: Tree | None, state: State | None) -> LeftOut:
    """Say why; `tree`, `state`: of the identity that the session belongs to, as far as it has them."""
    why = _read_before(session, state) if skip is Skip.UNCHANGED else _with_day(session, skip, tree)
    next_step = _TOLD[skip].next_step.format(session=session)
    return LeftOut(session=session, reason=skip.value, why=why, next_step=next_step)


def why_retired(session: str, reason: RetiredReason, *, tree: Tree | None) -> str:
    """Why memory has nothing of a session whose record is retired."""
    return _with_day(session, _SHUT_OUT[reason], tree) if reason in _SHUT_OUT else _RETIRED[reason]


def _read_before(session: str, state: State | None) -> str:
    record = state.records.get(session) if state else None
    if record and record.state is RecordState.ACTIVE:
        return f"it is already learned (on {format_day(record.extracted_at)}), and nothing was added to it since"
    reason = record.retired_reason if record else None
    return _RETIRED.get(reason or RetiredReason.NO_OUTPUT, _TOLD[Skip.UNCHANGED].why)


def _with_day(session: str, skip: Skip, tree: Tree | None) -> str:
    """Why, with the day of a person's decision where the archive knows it."""
    day = _day_of(session, skip, tree) if tree is not None else ""
    return _TOLD[skip].on_day.format(day=day) if day else _TOLD[skip].why


def _day_of(session: str, skip: Skip, tree: Tree) -> str:
    if skip is Skip.BEFORE_RESET:
        moment = began_anew_at(tree)
        return format_day(moment) if moment else ""
    section = _TOLD[skip].section
    return day_of_entry(tree, section, session) if section else ""
