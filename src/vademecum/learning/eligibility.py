"""Which sessions may be learned from now, and the reason why another one may not."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from vademecum.artifacts import session_hash
from vademecum.sessions import Exclusion, Role, Session
from vademecum.state import SessionMode

__all__ = ["Skip", "Window", "why_not", "why_shut_out"]


class Skip(StrEnum):
    """Why a session was left alone; `vade learn` and `vade status` count these."""

    UNCHANGED = "unchanged"  #: nothing was added since it was learned
    DUPLICATE = "duplicate"  #: another copy of it was learned in this pass
    UNREADABLE = "unreadable"  #: its file cannot be read, or holds no session
    TOO_RECENT = "too_recent"  #: it may still go on; `--now` does not wait
    TOO_OLD = "too_old"  #: older than `--since`; `--all` takes it
    BEYOND_CAP = "beyond_cap"  #: older than a learner that asks a model may take, whatever was asked for
    NO_HUMAN_WORDS = "no_human_words"  #: nobody said anything in it
    SUB_AGENT = "sub_agent"  #: an agent's helper: its parent tells the story
    LEARNER = "learner"  #: a session of our own learners
    IMPORT = "import"  #: a host's copy of another host's session
    MODE_OFF = "mode_off"  #: switched off for memory
    REJECTED = "rejected"  #: a person rejected what was learned from it; what is newer in it counts
    POLLUTED = "polluted"  #: text from outside came into it, and the setting says not to learn then
    BEFORE_RESET = "before_reset"  #: it ended before memory began anew, and nobody took it in since
    FORGOTTEN = "forgotten"  #: a person asked to forget it
    BUSY = "busy"  #: another process learns it at this moment
    WAITING = "waiting"  #: it failed and is tried again later
    GIVEN_UP = "given_up"  #: it failed too often; new activity in it opens it again
    CAPPED = "capped"  #: as many were learned, by all processes, as a paid learner may take at a time
    QUOTA = "quota"  #: the account of the model is used up for now
    LOGIN = "login"  #: the login is refused, or there is no such model
    BUDGET = "budget"  #: a limit that the person set is reached


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """The span of sessions that a pass takes."""

    now: datetime
    #: A session must be quiet for this long; zero takes all.
    idle: timedelta
    #: How far back a pass looks; None: as far as there are sessions.
    age: timedelta | None
    #: How far back the learner may look, whatever was asked for; None: as far as it likes.
    most_age: timedelta | None = None
    #: Hashes of the sessions that a person asked to forget.
    forgotten: frozenset[str] = frozenset()
    #: Hashes of the sessions that a person switched off.
    switched_off: frozenset[str] = frozenset()
    #: Hashes of the sessions that a person rejected -> up to when; records know the same, as long as there are any.
    rejected: Mapping[str, datetime] = {}
    #: When memory began anew; None: it never did.
    began_anew_at: datetime | None = None
    #: Hashes of the sessions that a person took in since, however old they are.
    taken_in: frozenset[str] = frozenset()
    #: Whether sessions are left alone into which text from outside came.
    shuns_external: bool = False
    #: Whether what failed because the learner could not be asked is tried again without a wait (`--now`).
    is_eager: bool = False


_SKIP_OF_EXCLUSION = {
    Exclusion.SUB_AGENT: Skip.SUB_AGENT,
    Exclusion.LEARNER: Skip.LEARNER,
    Exclusion.IMPORT: Skip.IMPORT,
    Exclusion.MODE_OFF: Skip.MODE_OFF,
}


def why_not(session: Session, mode: SessionMode | None, window: Window) -> Skip | None:
    """The reason to leave this session alone, or None."""
    if session.exclusion is not None:
        return _SKIP_OF_EXCLUSION[session.exclusion]
    shut_out = why_shut_out(session.id, session.updated_at, mode, window)
    if shut_out is not None:
        return shut_out
    # What a person decided (enabled) stands above what was found in it.
    if window.shuns_external and (mode is SessionMode.POLLUTED or (mode is None and session.is_polluted)):
        return Skip.POLLUTED
    if not any(message.role is Role.HUMAN for message in session.messages):
        return Skip.NO_HUMAN_WORDS
    return _outside(session.updated_at, window)


def why_shut_out(session_id: str, updated_at: datetime, mode: SessionMode | None, window: Window) -> Skip | None:
    """Why a person does not want it learned; `updated_at`: the last moment of it."""
    digest = session_hash(session_id)
    if digest in window.forgotten:
        return Skip.FORGOTTEN
    if mode is SessionMode.DISABLED or digest in window.switched_off:
        return Skip.MODE_OFF
    until = window.rejected.get(digest)
    # What memory says of a session ends with a whole second.
    if until is not None and updated_at.replace(microsecond=0) <= until:
        return Skip.REJECTED
    is_before = window.began_anew_at is not None and updated_at <= window.began_anew_at
    return Skip.BEFORE_RESET if is_before and digest not in window.taken_in else None


def _outside(updated_at: datetime, window: Window) -> Skip | None:
    # A clock that ran ahead must not keep a session from being learned for ever.
    quiet_since = min(updated_at, window.now)
    if window.now - quiet_since < window.idle:
        return Skip.TOO_RECENT
    age = window.now - quiet_since
    if window.most_age is not None and age > window.most_age:
        return Skip.BEYOND_CAP
    if window.age is not None and age > window.age:
        return Skip.TOO_OLD
    return None
