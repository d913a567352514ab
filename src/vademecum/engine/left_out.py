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
from vademecum.engine.reasons import words_of
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


_RETIRED: dict[RetiredReason | None, str] = {
    RetiredReason.DELETED: "you deleted what was learned from it",
    RetiredReason.NO_OUTPUT: "it was read, and nothing in it was worth keeping",
    RetiredReason.UNUSED: "it was learned, and what nobody uses rests",
    RetiredReason.POLLUTED: "text from outside came into it, and your settings leave such alone",
}

_SECTIONS = {
    Skip.FORGOTTEN: (FORGOTTEN_SESSIONS, "it was forgotten on {day}"),
    Skip.REJECTED: (REJECTED_SESSIONS, "its proposal was rejected on {day}"),
    Skip.MODE_OFF: (SWITCHED_OFF, "it was switched off by vade mode on {day}"),
}
_ONE = {
    Skip.MODE_OFF: "it is switched off for memory",
    Skip.FORGOTTEN: "it was forgotten",
    Skip.REJECTED: "its proposal was rejected",
    Skip.BEFORE_RESET: "it ended before memory began anew",
    Skip.TOO_RECENT: "it is too new: it may still go on",
    Skip.TOO_OLD: "it is older than --since",
    Skip.BEYOND_CAP: "it is older than a learner that asks a model may take",
    Skip.NO_HUMAN_WORDS: "it is too short: nobody said anything in it",
    Skip.SUB_AGENT: "it is a sub-agent's; its parent session tells the story",
    Skip.LEARNER: "it is a learner's own session",
    Skip.IMPORT: "it is a copy of another agent's session",
    Skip.POLLUTED: "text from outside came into it, and your settings leave such alone",
    Skip.UNREADABLE: "its file cannot be read, or holds no session",
    Skip.BUSY: "another process learns it at this moment",
    Skip.WAITING: "it failed, and is tried again later",
    Skip.GIVEN_UP: "it failed too often",
}
#: What a person decided of a session, as its record has it -> as learning has it.
_SHUT_OUT: dict[str, Skip] = {
    RetiredReason.FORGOTTEN.value: Skip.FORGOTTEN,
    RetiredReason.REJECTED.value: Skip.REJECTED,
    RetiredReason.DISABLED.value: Skip.MODE_OFF,
}
_NEXT = {
    Skip.UNCHANGED: "Go on in it and learn again: what is new in it counts.",
    Skip.MODE_OFF: "`vade mode {session} enabled` switches it on.",
    Skip.FORGOTTEN: "`vade log ARCHIVE.md` shows the forgetting; `vade undo` of that commit takes it back.",
    Skip.REJECTED: "Go on in it: what is new in it counts.",
    Skip.BEFORE_RESET: "`vade mode {session} enabled` has the next `vade learn` take it in.",
    Skip.TOO_RECENT: "`vade learn --session {session} --now` does not wait.",
    Skip.TOO_OLD: "`vade learn --session {session} --all` takes it.",
    Skip.BEYOND_CAP: "`vade config` says how old it may be; `vade learn --learner extractive` takes any age.",
    Skip.POLLUTED: "`vade mode {session} enabled` has it learned all the same.",
    Skip.WAITING: "`vade learn --session {session} --now` tries it now where the learner could not be asked.",
    Skip.GIVEN_UP: "Something new in it opens it again.",
}


def why_left_out(session: str, skip: Skip, *, tree: Tree | None, state: State | None) -> LeftOut:
    """Say why; `tree`, `state`: of the identity that the session belongs to, as far as it has them."""
    if skip is Skip.UNCHANGED:
        why = _read_before(session, state)
    else:
        why = _with_day(session, skip, tree) or _ONE.get(skip) or words_of(skip.value)
    return LeftOut(session=session, reason=skip.value, why=why, next_step=_NEXT.get(skip, "").format(session=session))


def why_retired(session: str, reason: str, *, tree: Tree | None) -> str:
    """Why memory has nothing of a session whose record is retired; empty where it is not."""
    skip = _SHUT_OUT.get(reason)
    if skip is not None:
        return _with_day(session, skip, tree) or _ONE[skip]
    return _RETIRED[RetiredReason(reason)] if reason else ""


def _read_before(session: str, state: State | None) -> str:
    record = state.records.get(session) if state else None
    if record and record.state is RecordState.ACTIVE:
        return f"it is already learned (on {format_day(record.extracted_at)}), and nothing was added to it since"
    reason = record.retired_reason if record else None
    return _RETIRED[reason] if reason in _RETIRED else _RETIRED[RetiredReason.NO_OUTPUT]


def _with_day(session: str, skip: Skip, tree: Tree | None) -> str:
    """The sentence of a person's own decision; empty where the archive knows no day of it."""
    if tree is None:
        return ""
    if skip is Skip.BEFORE_RESET and (moment := began_anew_at(tree)):
        return f"it is kept out since the reset of {format_day(moment)}"
    if skip not in _SECTIONS:
        return ""
    section, sentence = _SECTIONS[skip]
    day = day_of_entry(tree, section, session)
    return sentence.format(day=day) if day else ""
