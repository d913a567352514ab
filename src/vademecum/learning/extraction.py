"""Extraction: one session in, one record out. Commits nothing."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import msgspec

from vademecum.artifacts import rollout_stem
from vademecum.errors import SessionUnreadable, VademecumError
from vademecum.learners import Extraction, Learner
from vademecum.learning.eligibility import Skip, Window, why_not
from vademecum.learning.evidence_check import keep_proven
from vademecum.sessions import Session, SessionRef, load
from vademecum.state import Claim, ErrorClass, Record, RetiredReason, RunKind, Source, State, new_token, this_worker

__all__ = ["ExtractionReport", "Listener", "Progress", "extract_sessions", "rehearse"]

JOB_KIND = "extraction"
#: Longer than any session takes the built-in learner; a dead owner's lease ends at once anyway.
_LEASE_SECONDS = 600.0
_RETRY = timedelta(hours=1)
_REFUSALS = {
    Claim.UP_TO_DATE: Skip.UNCHANGED,
    Claim.RUNNING: Skip.BUSY,
    Claim.BACKOFF: Skip.WAITING,
    Claim.EXHAUSTED: Skip.GIVEN_UP,
}
#: Reasons that pass with time or by another setting: the session must be looked at again.
_PASSING = frozenset(
    {Skip.TOO_RECENT, Skip.TOO_OLD, Skip.BUSY, Skip.WAITING, Skip.GIVEN_UP, Skip.UNREADABLE, Skip.MODE_OFF}
)

#: Called after every session: the reference, and what became of it in a word.
Progress = Callable[[SessionRef, str], None]
#: Called with every session that is learned now, clean.
Listener = Callable[[Session], object]


class ExtractionReport(msgspec.Struct, kw_only=True):
    """What a pass did, counted."""

    eligible: int = 0
    extracted: int = 0
    no_output: int = 0
    failed: int = 0
    #: Reason -> count, of sessions and of parts of sessions that were left out.
    skipped: Counter[str] = msgspec.field(default_factory=Counter)
    errors: list[str] = []
    #: The ledger row; None where nothing was begun.
    run: str | None = None


def extract_sessions(
    refs: Iterable[SessionRef],
    *,
    state: State,
    learner: Learner,
    window: Window,
    only: str | None = None,
    limit: int | None = None,
    progress: Progress = lambda _ref, _what: None,
    listener: Listener = lambda _session: None,
) -> ExtractionReport:
    """Learn every session that may be learned, once. One bad session never stops the pass.

    `only`: nothing but the session of this id. `limit`: at most so many sessions are extracted.
    """
    extraction = _Pass(state, learner, window, only, listener)
    with extraction.ledger():
        for ref in refs:
            if limit is not None and extraction.report.extracted + extraction.report.no_output >= limit:
                break
            if not (only and ref.session_id and ref.session_id != only):
                progress(ref, extraction.take(ref))
    return extraction.report


def rehearse(
    refs: Iterable[SessionRef],
    *,
    state: State | None,
    learner: Learner,
    window: Window,
    only: str | None = None,
    limit: int | None = None,
    progress: Progress = lambda _ref, _what: None,
) -> ExtractionReport:
    """What `extract_sessions` would learn; nothing is stored. `state`: None where nothing was ever learned."""
    report = ExtractionReport()
    for ref in refs:
        if limit is not None and report.extracted + report.no_output >= limit:
            break
        if not (only and ref.session_id and ref.session_id != only):
            progress(ref, _rehearse_one(ref, state, learner, window, only, report))
    return report


def _rehearse_one(
    ref: SessionRef, state: State | None, learner: Learner, window: Window, only: str | None, report: ExtractionReport
) -> str:
    reason: Skip | None = None
    if state and state.sources.unchanged(ref.host, ref.path, ref.session_id, ref.fingerprint):
        reason = Skip.UNCHANGED
    else:
        try:
            session = load(ref)
        except SessionUnreadable as error:
            report.errors.append(f"{ref.path}: {error}")
            reason = Skip.UNREADABLE
        else:
            if only and session.id != only:
                return "not asked for"
            reason = why_not(session, state.modes.get(session.id) if state else None, window)
            if reason is None:
                report.eligible += 1
                is_empty = learner.extract(session).is_empty
                report.no_output += is_empty
                report.extracted += not is_empty
    if reason is not None:
        report.skipped[reason.value] += 1
    return reason.value if reason else "would be learned"


class _Pass:
    """One walk over session references."""

    def __init__(self, state: State, learner: Learner, window: Window, only: str | None, listener: Listener) -> None:
        self.state, self.learner, self.window, self.only, self.listener = state, learner, window, only, listener
        self.report = ExtractionReport()
        #: Session id -> the last moment that was learned of it.
        self.seen: dict[str, datetime] = {}

    @contextmanager
    def ledger(self) -> Generator[None]:
        """A pass that began any session ends with a row that says how, also when it ends by an error."""
        outcome, error = "done", None
        try:
            yield
        except BaseException as raised:
            outcome, error = "failed", f"{type(raised).__name__}: {raised}"
            raise
        finally:
            if self.report.run:
                counts: dict[str, int | str] = {**self.report.skipped, "extracted": self.report.extracted}
                self.state.runs.finish(self.report.run, outcome, error=error, detail=counts)

    def take(self, ref: SessionRef) -> str:
        """Learn one session, or count why not; what became of it in a word."""
        if self.state.sources.unchanged(ref.host, ref.path, ref.session_id, ref.fingerprint):
            return self.skip(Skip.UNCHANGED)
        try:
            session = load(ref)
        except SessionUnreadable as error:
            self.report.errors.append(f"{ref.path}: {error}")
            return self.skip(Skip.UNREADABLE)
        if self.only and session.id != self.only:
            return "not asked for"
        reason = self.learn(session)
        if reason not in _PASSING:
            self.state.sources.remember([_source(ref, session, self.window.now)])
        return self.skip(reason) if reason else "learned"

    def learn(self, session: Session) -> Skip | None:
        """Learn one session that was read; the reason where it was left alone."""
        if session.id in self.seen and session.updated_at <= self.seen[session.id]:
            return Skip.DUPLICATE
        reason = why_not(session, self.state.modes.get(session.id), self.window)
        if reason is None:
            self.report.eligible += 1
            self.report.skipped.update(session.skipped)
            reason = _claim_and_learn(session, self.state, self.learner, self.window.now, self.report)
            self.seen[session.id] = session.updated_at
        if reason is None:
            self.listener(session)
        return reason

    def skip(self, reason: Skip) -> str:
        """Count it."""
        self.report.skipped[reason.value] += 1
        return reason.value


def _source(ref: SessionRef, session: Session, now: datetime) -> Source:
    return Source(
        host=ref.host,
        path=ref.path,
        session_key=ref.session_id,
        fingerprint=ref.fingerprint,
        session_id=session.id,
        seen_at=now,
    )


def _claim_and_learn(
    session: Session, state: State, learner: Learner, now: datetime, report: ExtractionReport
) -> Skip | None:
    token = new_token()
    claim = state.jobs.claim(
        JOB_KIND,
        session.id,
        watermark=session.updated_at,
        worker=this_worker(),
        token=token,
        lease_seconds=_LEASE_SECONDS,
    )
    if claim is not Claim.CLAIMED:
        return _REFUSALS[claim]
    report.run = report.run or state.runs.start(RunKind.EXTRACTION, learner.name)
    try:
        _store(session, learner.extract(session), state, learner, token, now, report)
    except VademecumError as error:
        state.jobs.fail(token, ErrorClass.INTERNAL, str(error), retry_at=datetime.now(UTC) + _RETRY)
        report.failed += 1
        report.errors.append(f"{session.id}: {error}")
        return Skip.WAITING
    except BaseException:
        state.jobs.release(token)
        raise
    return None


def _store(
    session: Session,
    extraction: Extraction,
    state: State,
    learner: Learner,
    token: str,
    now: datetime,
    report: ExtractionReport,
) -> None:
    """The record and the end of the job in one transaction: a lost lease stores nothing."""
    with state.transaction():
        if not state.jobs.finish(token, watermark=session.updated_at):
            report.skipped[Skip.BUSY.value] += 1
        elif extraction.is_empty:
            state.records.retire(session.id, RetiredReason.NO_OUTPUT)
            report.no_output += 1
        else:
            state.records.upsert(_record(session, extraction, learner, now, report))
            report.extracted += 1


def _record(
    session: Session, extraction: Extraction, learner: Learner, now: datetime, report: ExtractionReport
) -> Record:
    raw_memory, unproven = keep_proven(extraction.raw_memory, session)
    if unproven:
        report.skipped["unproven_evidence"] += unproven
    return Record(
        session_id=session.id,
        host=session.host,
        cwd=session.cwd,
        branch=session.branch,
        started_at=_to_second(session.started_at),
        updated_at=_to_second(session.updated_at),
        outcome=extraction.outcome or "uncertain",
        slug=extraction.rollout_slug,
        stem=rollout_stem(session.id, session.started_at, extraction.rollout_slug),
        raw_memory=raw_memory,
        rollout_summary=extraction.rollout_summary,
        learner=learner.name,
        extracted_at=now,
    )


def _to_second(moment: datetime) -> datetime:
    """Rollout summaries hold whole seconds; a record rebuilt from one must be the same record."""
    return moment.replace(microsecond=0)
