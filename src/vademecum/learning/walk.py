"""One walk over session references: what a pass and its rehearsal have in common, so that they cannot disagree.

A walk belongs to one identity. Several of them share the references of one pass: each session is read once, and goes to
the walk of its identity.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import Protocol

import msgspec

from vademecum.errors import SessionUnreadable, VademecumError
from vademecum.home import project_root
from vademecum.learners import Extraction, ExtractionTask, Learner, asks_model, setup_of
from vademecum.learning.allowance import Allowance
from vademecum.learning.asking import ask
from vademecum.learning.eligibility import Skip, Window, why_not
from vademecum.learning.shut_out import Place, shut_out_places
from vademecum.sessions import Session, SessionRef, as_kept, load
from vademecum.state import Claim, State, Terms, before_reset, left_alone

__all__ = [
    "JOB_KIND",
    "REFUSALS",
    "ExtractionReport",
    "Learned",
    "Problem",
    "Progress",
    "Walk",
    "Walks",
    "fingerprints",
    "marked",
    "session_at",
    "walk_over",
]

JOB_KIND = "extraction"
#: Why a session is left alone whose job cannot be claimed.
REFUSALS = {
    Claim.UP_TO_DATE: Skip.UNCHANGED,
    Claim.RUNNING: Skip.BUSY,
    Claim.BACKOFF: Skip.WAITING,
    Claim.RESTING: Skip.QUOTA,
    Claim.EXHAUSTED: Skip.GIVEN_UP,
    Claim.FULL: Skip.CAPPED,
}
_NOT_ASKED_FOR = "not asked for"
#: Reasons that may go while the session stays as it is, with what marks its fingerprint until then.
_MARKS = {Skip.POLLUTED: left_alone, Skip.BEFORE_RESET: before_reset}


class Learned(StrEnum):
    """What became of a session that was read; of every other one, a `Skip` says why."""

    LEARNED = "learned"  #: a record holds what it taught
    NOTHING_TO_KEEP = "nothing to keep"  #: nothing in it lasts


_LEARNED = frozenset(word.value for word in Learned)

#: Called after every session: the reference, and what became of it: a word of `Learned`, or why it was left alone.
Progress = Callable[[SessionRef, str], None]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that went wrong and did not stop the pass."""

    #: In one sentence.
    what: str
    #: What a person can do about it.
    next_step: str


class ExtractionReport(msgspec.Struct, kw_only=True):
    """What a pass did, counted."""

    #: References that came to this walk.
    met: int = 0
    #: Sessions that could be learned in this pass.
    eligible: int = 0
    extracted: int = 0
    no_output: int = 0
    failed: int = 0
    #: Reason -> count, of sessions and of parts of sessions that were left out.
    skipped: Counter[str] = msgspec.field(default_factory=Counter)
    problems: list[Problem] = []
    #: The ledger row; None where nothing was begun.
    run: str | None = None

    def note(self, subject: str, error: VademecumError) -> None:
        """Keep what went wrong with this file or session."""
        self.problems.append(Problem(what=f"{subject}: {error}", next_step=error.next_step))

    def note_for_all(self, error: VademecumError) -> None:
        """Keep what ended the pass, through no fault of any session."""
        self.problems.append(Problem(what=str(error), next_step=error.next_step))


def fingerprints(ref: SessionRef, window: Window) -> tuple[str, ...]:
    """By which a reference is known that need not be read again."""
    return (ref.fingerprint, *(marked(ref, reason) for reason in _reasons_in(window)))


def marked(ref: SessionRef, reason: Skip) -> str:
    """By which a reference is known that was left alone for this reason, which may go."""
    return _MARKS[reason](ref.fingerprint)


def _reasons_in(window: Window) -> Iterator[Skip]:
    """The reasons that may go and have not."""
    if window.shuns_external:
        yield Skip.POLLUTED
    if window.began_anew_at is not None:
        yield Skip.BEFORE_RESET


def session_at(ref: SessionRef) -> Session | None:
    """The session of a reference; None where it cannot be read."""
    try:
        return load(ref)
    except SessionUnreadable:
        return None


class Walks(Protocol):
    """The walks of one pass. A single walk is its own `Walks`."""

    def knowing(self, ref: SessionRef) -> "Walk | None":
        """The walk whose identity has read the reference as it is now."""
        ...

    def of(self, session: Session | None) -> "Walk":
        """The walk of the identity that a session belongs to; None stands for one that cannot be read."""
        ...


def walk_over(
    refs: Iterable[SessionRef], walks: Walks, *, only: str | None, progress: Progress, allowance: Allowance
) -> None:
    """Take the references one by one, as far as the allowance goes.

    Where that may not be far enough, sessions that failed before come after all others: they hold up nobody.
    """
    later: list[SessionRef] = []
    for ref, may_defer in chain(((ref, allowance.is_short) for ref in refs), ((ref, False) for ref in later)):
        if allowance.is_used_up:
            break
        if not (only and ref.session_id and ref.session_id != only):
            what = _take(ref, walks, only, allowance, may_defer=may_defer)
            if what is None:
                later.append(ref)
                continue
            progress(ref, what)
            allowance.count(what in _LEARNED)


def _take(ref: SessionRef, walks: Walks, only: str | None, allowance: Allowance, *, may_defer: bool) -> str | None:
    """What became of it; None: it is to be taken again when the others were."""
    knowing = walks.knowing(ref)
    if knowing is not None:
        return knowing.leave(ref, knowing.skip_of(ref))
    if allowance.reason is not None:
        return walks.of(None).leave(ref, allowance.reason)
    try:
        session = load(ref)
    except SessionUnreadable as error:
        walk = walks.of(None)
        walk.report.note(as_kept(ref.path), error)
        return walk.leave(ref, Skip.UNREADABLE)
    if only and session.id != only:
        return _NOT_ASKED_FOR
    walk = walks.of(session)
    if may_defer and walk.has_failed(session):
        return None
    return walk.take(ref, session)


class Walk(ABC):
    """Decides what is learned. What learning means is `learn`; what is done with a session that was read, `settle`.

    `state` lends the identity's state for the moment; None where nothing was ever learned.
    """

    def __init__(
        self, state: Callable[[], State | None], *, learner: Learner, window: Window, allowance: Allowance
    ) -> None:
        self._known, self.learner, self.window = state, learner, window
        self.allowance = allowance
        self.report = ExtractionReport()
        #: Session id -> the last moment of it that this walk has met.
        self._seen: dict[str, datetime] = {}

    def knowing(self, ref: SessionRef) -> "Walk | None":
        """Itself, where the identity has read the reference as it is now."""
        state = self._known()
        known = state and any(
            state.sources.unchanged(ref.host, as_kept(ref.path), as_kept(ref.session_id), fingerprint)
            for fingerprint in fingerprints(ref, self.window)
        )
        return self if known else None

    def of(self, session: Session | None) -> "Walk":  # noqa: ARG002  one walk takes them all
        """Itself."""
        return self

    def has_failed(self, session: Session) -> bool:
        """Whether this very session was tried before, in vain."""
        state = self._known()
        return bool(state) and state.jobs.has_failed(JOB_KIND, session.id, watermark=session.updated_at)

    def leave(self, ref: SessionRef, reason: Skip) -> str:  # noqa: ARG002  a rehearsal lists it
        """Pass over a reference that was not read."""
        self.report.met += 1
        return self._counted(reason)

    def take(self, ref: SessionRef, session: Session) -> str:
        """Decide on a session that was read, and say what became of it."""
        self.report.met += 1
        # The one place that looks for the project on the disk: everything behind it is told.
        task = ExtractionTask(session=session, project=project_root(session.cwd))
        became = self._why_not(session) or self._begin(task)
        self.settle(ref, task, became)
        return self._counted(became) if isinstance(became, Skip) else became.value

    @abstractmethod
    def learn(self, task: ExtractionTask) -> Learned | Skip:
        """Learn a session that nothing speaks against."""

    @abstractmethod
    def settle(self, ref: SessionRef, task: ExtractionTask, became: Learned | Skip) -> None:
        """Note what became of a session that was read."""

    def extract(self, task: ExtractionTask) -> Extraction:
        """What the learner finds in it, proven. Raises VademecumError."""
        state = self._known()
        former = state.records.get(task.session.id) if state and asks_model(self.learner) else None
        proven, dropped = ask(self.learner, task, former)
        if dropped:
            self.report.skipped["unproven_evidence"] += dropped
        return proven

    def count(self, extraction: Extraction) -> Learned:
        """One more session learned, or read in vain."""
        self.report.no_output += extraction.is_empty
        self.report.extracted += not extraction.is_empty
        return Learned.NOTHING_TO_KEEP if extraction.is_empty else Learned.LEARNED

    def fail(self, task: ExtractionTask, error: VademecumError) -> Skip:
        """One more session that failed."""
        self.report.failed += 1
        self.report.note(task.session.id, error)
        return Skip.WAITING

    def skip_of(self, ref: SessionRef) -> Skip:
        """Why a reference that is known is left alone."""
        place = (ref.host, as_kept(ref.path), as_kept(ref.session_id))
        for reason in _reasons_in(self.window):
            state = self._known()
            if state and state.sources.unchanged(*place, marked(ref, reason)):
                return reason
        return self._shut_out.get(place, Skip.UNCHANGED)

    @cached_property
    def _shut_out(self) -> dict[Place, Skip]:
        state = self._known()
        return shut_out_places(state, self.window) if state else {}

    def _why_not(self, session: Session) -> Skip | None:
        """Why this session is left alone; None: it is learned now."""
        if session.id in self._seen and session.updated_at <= self._seen[session.id]:
            return Skip.DUPLICATE
        state = self._known()
        mode = state.modes.get(session.id) if state else None
        reason = why_not(session, mode, self.window)
        if reason is not None:
            return reason
        self._seen[session.id] = session.updated_at
        if state is None:
            return None
        return REFUSALS.get(state.jobs.look(JOB_KIND, session.id, watermark=session.updated_at, terms=self.terms()))

    def terms(self) -> Terms:
        """On which terms this pass asks for sessions."""
        return Terms(setup=setup_of(self.learner), is_eager=self.window.is_eager, at_most=self.allowance.most)

    def _begin(self, task: ExtractionTask) -> Learned | Skip:
        self.report.eligible += 1
        self.report.skipped.update(task.session.skipped)
        return self.learn(task)

    def _counted(self, reason: Skip) -> str:
        what = reason.value
        self.report.skipped[what] += 1
        return what
