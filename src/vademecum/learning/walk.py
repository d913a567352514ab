"""One walk over session references: what a pass and its rehearsal have in common, so that they cannot disagree."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from enum import StrEnum

import msgspec

from vademecum.errors import SessionUnreadable, VademecumError
from vademecum.home import project_root
from vademecum.learners import Extraction, ExtractionTask, Learner
from vademecum.learning.eligibility import Skip, Window, why_not
from vademecum.learning.evidence_check import keep_proven
from vademecum.sessions import Session, SessionRef, load
from vademecum.state import Claim, State

__all__ = ["JOB_KIND", "REFUSALS", "ExtractionReport", "Learned", "Problem", "Progress", "Walk"]

JOB_KIND = "extraction"
#: Why a session is left alone whose job cannot be claimed.
REFUSALS = {
    Claim.UP_TO_DATE: Skip.UNCHANGED,
    Claim.RUNNING: Skip.BUSY,
    Claim.BACKOFF: Skip.WAITING,
    Claim.EXHAUSTED: Skip.GIVEN_UP,
}
_NOT_ASKED_FOR = "not asked for"


class Learned(StrEnum):
    """What became of a session that was read; of every other one, a `Skip` says why."""

    LEARNED = "learned"  #: a record holds what it taught
    NOTHING_TO_KEEP = "nothing to keep"  #: nothing in it lasts


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


class Walk(ABC):
    """Decides what is learned. What learning means is `learn`; what is done with a session that was read, `settle`."""

    def __init__(
        self, *, state: State | None, learner: Learner, window: Window, only: str | None, limit: int | None
    ) -> None:
        self._known, self.learner, self.window, self._only, self._limit = state, learner, window, only, limit
        self.report = ExtractionReport()
        #: Session id -> the last moment of it that this walk has met.
        self._seen: dict[str, datetime] = {}

    def over(self, refs: Iterable[SessionRef], progress: Progress) -> None:
        """Take them one by one, until as many are learned as were asked for."""
        for ref in refs:
            if self._limit is not None and self.report.extracted + self.report.no_output >= self._limit:
                break
            if not (self._only and ref.session_id and ref.session_id != self._only):
                progress(ref, self._take(ref))

    @abstractmethod
    def learn(self, task: ExtractionTask) -> Learned | Skip:
        """Learn a session that nothing speaks against."""

    @abstractmethod
    def settle(self, ref: SessionRef, task: ExtractionTask, became: Learned | Skip) -> None:
        """Note what became of a session that was read."""

    def extract(self, task: ExtractionTask) -> Extraction:
        """What the learner finds in it, proven. Raises VademecumError."""
        proven, dropped = keep_proven(self.learner.extract(task), task.session)
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

    def _take(self, ref: SessionRef) -> str:
        if self._known and self._known.sources.unchanged(ref.host, ref.path, ref.session_id, ref.fingerprint):
            return self._counted(Skip.UNCHANGED)
        try:
            session = load(ref)
        except SessionUnreadable as error:
            self.report.note(ref.path, error)
            return self._counted(Skip.UNREADABLE)
        if self._only and session.id != self._only:
            return _NOT_ASKED_FOR
        # The one place that looks for the project on the disk: everything behind it is told.
        task = ExtractionTask(session=session, project=project_root(session.cwd))
        became = self._why_not(session) or self._begin(task)
        self.settle(ref, task, became)
        return self._counted(became) if isinstance(became, Skip) else became.value

    def _why_not(self, session: Session) -> Skip | None:
        """Why this session is left alone; None: it is learned now."""
        if session.id in self._seen and session.updated_at <= self._seen[session.id]:
            return Skip.DUPLICATE
        mode = self._known.modes.get(session.id) if self._known else None
        reason = why_not(session, mode, self.window)
        if reason is not None:
            return reason
        self._seen[session.id] = session.updated_at
        if self._known is None:
            return None
        return REFUSALS.get(self._known.jobs.look(JOB_KIND, session.id, watermark=session.updated_at))

    def _begin(self, task: ExtractionTask) -> Learned | Skip:
        self.report.eligible += 1
        self.report.skipped.update(task.session.skipped)
        return self.learn(task)

    def _counted(self, reason: Skip) -> str:
        self.report.skipped[reason.value] += 1
        return reason.value
