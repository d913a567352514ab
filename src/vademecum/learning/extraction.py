"""Extraction: one session in, one record out. Commits nothing."""

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import msgspec

from vademecum.artifacts import rollout_stem
from vademecum.errors import BudgetReached, QuotaReached, StorageError, VademecumError
from vademecum.learners import Extraction, ExtractionTask, Learner, asks_model, stamp
from vademecum.learning.allowance import Allowance
from vademecum.learning.eligibility import Skip, Window
from vademecum.learning.heartbeat import LEASE_SECONDS, Lease, heartbeat
from vademecum.learning.ledger import in_words
from vademecum.learning.metering import RunMeter
from vademecum.learning.templates import Template, ledger_detail
from vademecum.learning.troubles import class_of, room_for, wait_after
from vademecum.learning.walk import JOB_KIND, REFUSALS, Learned, Walk, marked
from vademecum.sessions import Exclusion, Session, SessionRef, as_kept
from vademecum.state import (
    INTERRUPTED,
    Claim,
    ErrorClass,
    Record,
    RetiredReason,
    RunKind,
    SessionMode,
    Source,
    State,
    new_token,
    this_worker,
)

__all__ = ["Extractor", "Listener"]

#: How a pass ended; one in which every session failed has failed.
_DONE, _FAILED = "done", "failed"
#: Reasons that pass with time or by another setting: the session must be looked at again.
_PASSING = frozenset(
    {
        Skip.TOO_RECENT,
        Skip.TOO_OLD,
        Skip.BEYOND_CAP,
        Skip.BUSY,
        Skip.WAITING,
        Skip.GIVEN_UP,
        Skip.UNREADABLE,
        Skip.MODE_OFF,
        Skip.REJECTED,
        Skip.CAPPED,
        Skip.QUOTA,
        Skip.LOGIN,
        Skip.BUDGET,
    }
)

#: Called with every session that is learned, clean, and its project. What it raises of ours does not stop the pass.
Listener = Callable[[Session, str], object]


class Extractor(Walk):
    """The walk that stores."""

    def __init__(
        self,
        state: Callable[[], State],
        listener: Listener,
        *,
        learner: Learner,
        window: Window,
        allowance: Allowance,
    ) -> None:
        super().__init__(state, learner=learner, window=window, allowance=allowance)
        self._state, self.listener = state, listener
        self._did_anything = False
        #: What the last session failed on, or what ended the pass: a person wants to read it in the ledger.
        self._trouble: str | None = None

    @property
    def state(self) -> State:
        """Where everything is stored."""
        return self._state()

    @contextmanager
    def ledger(self) -> Generator[None]:
        """A pass that began any session ends with a row that says how, also when it ends by an error."""
        outcome, error = _DONE, None
        try:
            yield
        except KeyboardInterrupt:
            outcome = INTERRUPTED
            raise
        except BaseException as raised:
            outcome, error = _FAILED, in_words(raised)
            raise
        finally:
            if self.report.run:
                self._close(self.report.run, outcome, error)

    def _close(self, run: str, outcome: str, error: str | None) -> None:
        if outcome == _DONE and self._trouble and not (self.report.extracted or self.report.no_output):
            outcome = _FAILED
        counts: dict[str, int | str] = {**self.report.skipped, "extracted": self.report.extracted}
        counts |= ledger_detail(self.learner, Template.EXTRACTION)
        if self._did_anything:
            self.state.runs.finish(run, outcome, error=error or self._trouble, detail=counts)
        else:
            # Held back before the first request: every pass would add such a row while an account rests.
            self.state.runs.discard(run)
            self.report.run = None

    def learn(self, task: ExtractionTask) -> Learned | Skip:
        """Claim the session, extract and store; a lease that was lost meanwhile stores nothing."""
        token = new_token()
        claim = self._claim(task, token)
        if claim is not Claim.CLAIMED:
            if claim is Claim.FULL:
                self.allowance.close(Skip.CAPPED)
            return REFUSALS[claim]
        self.allowance.begin()
        run = self.report.run = self.report.run or self.state.runs.start(RunKind.EXTRACTION, stamp(self.learner))
        lease = Lease(self.state.path, token)
        meter = RunMeter(self.state.path, run, self.allowance.budget, lease=lease)
        try:
            with heartbeat(lease):
                extraction = self.extract(self._readied(task, meter))
                stored = self._store(task, extraction, token)
        except StorageError:
            # The disk refuses everything now: no session is to blame. It may refuse the release as well; the claim of a
            # dead owner is free at once anyway.
            with suppress(StorageError):
                self.state.jobs.release(token)
            raise
        except VademecumError as error:
            return self._failed(task, token, meter, error)
        except BaseException:
            self.state.jobs.release(token)
            raise
        finally:
            self._did_anything |= not meter.is_idle
        return self.count(extraction) if stored else Skip.BUSY

    def _claim(self, task: ExtractionTask, token: str) -> Claim:
        return self.state.jobs.claim(
            JOB_KIND,
            task.session.id,
            watermark=task.session.updated_at,
            worker=this_worker(),
            token=token,
            lease_seconds=LEASE_SECONDS,
            terms=self.terms(),
        )

    def _readied(self, task: ExtractionTask, meter: RunMeter) -> ExtractionTask:
        """The task with what a learner that asks a model needs: less to read where it was too much before."""
        if not asks_model(self.learner):
            return task
        job = self.state.jobs.get(JOB_KIND, task.session.id)
        overflows = job.failures.get(ErrorClass.OVERFLOW, 0) if job else 0
        room = room_for(self.learner.input_tokens, overflows)
        return msgspec.structs.replace(task, meter=meter, room_tokens=room)

    def _failed(self, task: ExtractionTask, token: str, meter: RunMeter, error: VademecumError) -> Skip:
        """What becomes of a session that the learner failed on; whoever lost it has no say in that."""
        if isinstance(error, BudgetReached) and not self.allowance.budget.is_mostly(meter.spent):
            return self._halted(Skip.BUDGET, error, is_ours=self.state.jobs.release(token))
        if isinstance(error, QuotaReached):
            return self._halted(Skip.QUOTA, error, is_ours=self._rested(token, meter, error))
        kind = ErrorClass.OVERFLOW if isinstance(error, BudgetReached) else class_of(error)
        if kind is ErrorClass.AUTH:
            is_ours = self.state.jobs.fail(token, kind, str(error), retry_at=None)
            return self._halted(Skip.LOGIN, error, is_ours=is_ours)
        job = self.state.jobs.get(JOB_KIND, task.session.id)
        failures = 1 + (job.failures.get(kind, 0) if job else 0)
        retry_at = datetime.now(UTC) + wait_after(kind, failures)
        is_ours = self.state.jobs.fail(token, kind, str(error), retry_at=retry_at)
        self._trouble = f"{task.session.id}: {error}"
        return self.fail(task, error) if is_ours else Skip.BUSY

    def _rested(self, token: str, meter: RunMeter, error: QuotaReached) -> bool:
        """Leave the model alone for a while; the session waits as long, and nothing is counted against it."""
        if meter.held_by is not None:
            return self.state.jobs.release(token)
        model = error.model or self.learner.name
        breaker = self.state.breakers.refuse(model, str(error), retry_after_seconds=error.retry_after_seconds)
        return self.state.jobs.fail(token, ErrorClass.QUOTA, str(error), retry_at=breaker.open_until)

    def _halted(self, reason: Skip, error: VademecumError, *, is_ours: bool) -> Skip:
        """Nothing that this session could help: no further one is begun."""
        self.allowance.close(reason)
        self.report.note_for_all(error)
        self._trouble = str(error)
        return reason if is_ours else Skip.BUSY

    def settle(self, ref: SessionRef, task: ExtractionTask, became: Learned | Skip) -> None:
        """Remember the place, so that it is not read again, where nothing of the session is left to do.

        A session that was learned before is offered to the listener again: its turn may have failed then.
        """
        if isinstance(became, Learned) or became is Skip.UNCHANGED:
            try:
                self.listener(task.session, task.project)
            except VademecumError as error:
                self.report.skipped["not_indexed"] += 1
                self.report.note(task.session.id, error)
                return
        if became is Skip.FORGOTTEN:
            # Known by its hash only, after a lost database or on another machine: from now on by its id, so that
            # search hides it too.
            self.state.modes.set(task.session.id, SessionMode.DISABLED)
        self._note_pollution(task.session)
        if became in {Skip.POLLUTED, Skip.BEFORE_RESET}:
            left = msgspec.structs.replace(ref, fingerprint=marked(ref, Skip(became)))
            self.state.sources.remember([_source(left, task.session, self.window.now)])
        elif became not in _PASSING:
            self.state.sources.remember([_source(ref, task.session, self.window.now)])

    def _note_pollution(self, session: Session) -> None:
        """Text from outside came in: that is kept of the session whose story it is, whatever the setting says now."""
        name = session.parent_id if session.exclusion is Exclusion.SUB_AGENT else session.id
        if not name or not session.is_polluted:
            return
        mode = self.state.modes.stamp(name, SessionMode.POLLUTED)
        if mode is SessionMode.POLLUTED and name != session.id and self.window.shuns_external:
            # Its parent was learned before it in this pass.
            record = self.state.records.get(name)
            if record and record.consolidated_updated_at is None:
                self.state.records.retire(name, RetiredReason.POLLUTED)
                # So that it is learned after all when the setting goes.
                self.state.jobs.forget(name)
                self.state.sources.forget(name)

    def _store(self, task: ExtractionTask, extraction: Extraction, token: str) -> bool:
        """The record and the end of the job in one transaction; False where the job was lost to somebody else."""
        with self.state.transaction():
            if not self.state.jobs.finish(token, watermark=task.session.updated_at):
                return False
            if extraction.is_empty:
                self.state.records.retire(task.session.id, RetiredReason.NO_OUTPUT)
            else:
                self.state.records.upsert(_record(task, extraction, stamp(self.learner), self.window.now))
        return True


def _source(ref: SessionRef, session: Session, now: datetime) -> Source:
    return Source(
        host=ref.host,
        path=as_kept(ref.path),
        session_key=as_kept(ref.session_id),
        fingerprint=ref.fingerprint,
        session_id=session.id,
        seen_at=now,
    )


def _record(task: ExtractionTask, extraction: Extraction, learner: str, now: datetime) -> Record:
    session = task.session
    return Record(
        session_id=session.id,
        host=session.host,
        cwd=session.cwd,
        project=task.project,
        branch=session.branch,
        started_at=_to_second(session.started_at),
        updated_at=_to_second(session.updated_at),
        outcome=extraction.outcome or "uncertain",
        slug=extraction.rollout_slug,
        stem=rollout_stem(session.id, session.started_at, extraction.rollout_slug),
        raw_memory=extraction.raw_memory,
        rollout_summary=extraction.rollout_summary,
        learner=learner,
        extracted_at=now,
    )


def _to_second(moment: datetime) -> datetime:
    """Rollout summaries hold whole seconds; a record rebuilt from one must be the same record."""
    return moment.replace(microsecond=0)
