"""Jobs: what is to be done, once, by whoever comes first.

A job is (kind, key), and its input has a watermark: the time up to which there is something to do. Taking a job gives
a lease; only the holder of the lease's token can finish it. A lease ends by time, or at once when its owner is dead.
The clock may jump: an owner that provably lives keeps its lease past the end, and a wait that was noted ahead of the
present moment does not hold.
"""

from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_row, from_rows
from vademecum.state.statements import load_statements
from vademecum.state.times import to_ms, utc_now
from vademecum.state.workers import is_alive, is_gone

__all__ = ["Claim", "ErrorClass", "Job", "JobStatus", "Jobs", "Terms"]

_SQL = load_statements("vademecum.state", "jobs")
_MAX_ERROR_CHARS = 4000
#: Its heartbeat moves the end of a lease every minute, so an end that passed under a living owner is a clock that
#: jumped, or a machine that slept. One that hangs for longer than this loses its job all the same.
_JUMP = timedelta(hours=12)


class JobStatus(StrEnum):
    """Where a job stands."""

    PENDING = "pending"  #: given back or failed, and will be tried again
    RUNNING = "running"  #: somebody holds a lease
    DONE = "done"  #: finished up to `success_watermark`
    FAILED = "failed"  #: out of retries until newer input arrives


class ErrorClass(StrEnum):
    """What kind of failure it was; decides how often the same input is tried again."""

    TRANSIENT = "transient"  #: network, time-out, server trouble: soon again, no retry burnt
    QUOTA = "quota"  #: the account is used up: later, no retry burnt
    AUTH = "auth"  #: the login is refused: when a person has mended it, no retry burnt
    OVERFLOW = "overflow"  #: the input is too large: again with less
    INVALID_OUTPUT = "invalid_output"  #: the learner answered nothing usable
    INTERNAL = "internal"  #: a fault of this program

    @property
    def is_about_input(self) -> bool:
        """Whether other input may fare better at once, so that a wait set for the old input does not bind it."""
        return self in {ErrorClass.OVERFLOW, ErrorClass.INVALID_OUTPUT}

    @property
    def is_about_access(self) -> bool:
        """Whether the learner could not be asked, which a person may have mended since."""
        return self in {ErrorClass.TRANSIENT, ErrorClass.AUTH}


#: Failures of one class after which the same input is left alone; classes that are absent burn no retries.
_FAILURE_LIMITS = {
    ErrorClass.OVERFLOW: 3,
    ErrorClass.INVALID_OUTPUT: 3,
    ErrorClass.INTERNAL: 3,
}


class Claim(StrEnum):
    """The answer to a claim."""

    CLAIMED = "claimed"  #: it is yours
    UP_TO_DATE = "up_to_date"  #: this input was already done
    RUNNING = "running"  #: a living owner has it
    BACKOFF = "backoff"  #: it failed and waits until `retry_at`
    RESTING = "resting"  #: an account was used up; it waits until `retry_at`
    EXHAUSTED = "exhausted"  #: it failed too often; newer input opens it again
    FULL = "full"  #: as many jobs of the kind run as may


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """On which terms a job is asked for."""

    #: Who asks, by which settings: what was tried by other ones binds nobody.
    setup: str = ""
    #: Whether a person asks to try again at once what failed because the learner could not be asked.
    is_eager: bool = False
    #: So many jobs of the kind may run at once, over all processes; None: any number.
    at_most: int | None = None


_ANY = Terms()


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One job as it stands."""

    #: What is to be done, for example "extraction".
    kind: str
    #: On what, for example a session id.
    key: str
    #: Where it stands.
    status: JobStatus
    #: `pid@host:start` of the owner while running.
    worker: str | None
    #: Proof of ownership while running.
    token: str | None
    #: End of the lease while running, aware UTC.
    lease_until: datetime | None
    #: Last time it was taken.
    started_at: datetime | None
    #: Last time it was finished or failed; None while running.
    finished_at: datetime | None
    #: Failures of the present input by class.
    failures: dict[str, int]
    #: Not before this moment, unless newer input arrives whose failure would be another one.
    retry_at: datetime | None
    #: Class of the last failure; None after a success.
    error_class: ErrorClass | None
    #: The last failure in words; None after a success.
    last_error: str | None
    #: Newest input that was ever claimed.
    input_watermark: datetime
    #: Newest input that was done.
    success_watermark: datetime | None
    #: By which learner and settings it was last taken; None: an older version took it, or nobody did.
    setup: str | None

    @property
    def is_exhausted(self) -> bool:
        """Whether the present input has failed as often as its classes allow."""
        return any(self.failures.get(kind, 0) >= limit for kind, limit in _FAILURE_LIMITS.items())

    def is_held(self, now: datetime) -> bool:
        """Whether a living owner holds a lease that has not ended."""
        if self.status is not JobStatus.RUNNING or self.lease_until is None or self.worker is None:
            return False
        if self.lease_until > now:
            return not is_gone(self.worker)
        return self.lease_until + _JUMP > now and is_alive(self.worker)


class Jobs:
    """The table of jobs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, kind: str, key: str) -> Job | None:
        """One job, or None where nobody ever claimed it."""
        row = self._database.one(_SQL["get_job"], {"kind": kind, "key": key})
        return from_row(Job, row) if row else None

    def all(self, kind: str | None = None) -> list[Job]:
        """Every job, or those of one kind; what finished longest ago comes first."""
        return from_rows(Job, self._database.all(_SQL["all_jobs"], {"kind": kind}))

    def counts(self) -> dict[str, dict[JobStatus, int]]:
        """How many jobs stand in each status, by kind."""
        counts: dict[str, dict[JobStatus, int]] = {}
        for row in self._database.all(_SQL["count_jobs"]):
            counts.setdefault(row["kind"], {})[JobStatus(row["status"])] = row["count"]
        return counts

    def pending(self, kind: str) -> dict[ErrorClass | None, int]:
        """How many jobs of a kind wait, by the class of their last failure; None: they were only given back."""
        rows = self._database.all(_SQL["count_pending"], {"kind": kind})
        return {row["error_class"] and ErrorClass(row["error_class"]): row["count"] for row in rows}

    def running(self, kind: str, *, now: datetime | None = None) -> list[Job]:
        """The jobs of a kind that living owners hold, over all processes; for caps."""
        moment = now or utc_now()
        jobs = from_rows(Job, self._database.all(_SQL["running_jobs"], {"kind": kind}))
        return [job for job in jobs if job.is_held(moment)]

    def claim(
        self,
        kind: str,
        key: str,
        *,
        watermark: datetime,
        worker: str,
        token: str,
        lease_seconds: float,
        terms: Terms = _ANY,
        now: datetime | None = None,
    ) -> Claim:
        """Take a job whose input reaches up to `watermark`, or learn why not. Take it when work starts, not before."""
        moment = now or utc_now()
        with self._database.write():
            job = self.get(kind, key)
            refusal = job and _refusal(job, watermark, moment, terms)
            if refusal:
                return refusal
            if terms.at_most is not None and len(self.running(kind, now=moment)) >= terms.at_most:
                return Claim.FULL
            taking = {"kind": kind, "key": key, "worker": worker, "token": token, "watermark": to_ms(watermark)}
            lease_until = to_ms(moment + timedelta(seconds=lease_seconds))
            taking |= {"setup": terms.setup, "now": to_ms(moment), "lease_until": lease_until}
            self._database.run(_SQL["take_job"], taking)
        return Claim.CLAIMED

    def has_failed(self, kind: str, key: str, *, watermark: datetime) -> bool:
        """Whether this input was tried before and failed, so that others go first."""
        job = self.get(kind, key)
        return job is not None and bool(job.failures) and to_ms(job.input_watermark) >= to_ms(watermark)

    def look(
        self, kind: str, key: str, *, watermark: datetime, terms: Terms = _ANY, now: datetime | None = None
    ) -> Claim:
        """What `claim` would answer; nothing is taken, so another process may be faster."""
        job = self.get(kind, key)
        return (job and _refusal(job, watermark, now or utc_now(), terms)) or Claim.CLAIMED

    def renew(self, token: str, *, lease_seconds: float, now: datetime | None = None) -> bool:
        """Heartbeat: move the lease's end; False where the job was lost to somebody else."""
        lease_until = to_ms((now or utc_now()) + timedelta(seconds=lease_seconds))
        return bool(self._database.run(_SQL["renew_job"], {"token": token, "lease_until": lease_until}))

    def finish(self, token: str, *, watermark: datetime, now: datetime | None = None) -> bool:
        """Done up to `watermark`; False where the job was lost, and then the caller's result must not be stored.

        Call it in the transaction that stores the result.
        """
        values = {"token": token, "watermark": to_ms(watermark), "now": to_ms(now or utc_now())}
        return bool(self._database.run(_SQL["finish_job"], values))

    def fail(
        self,
        token: str,
        error_class: ErrorClass,
        message: str,
        *,
        retry_at: datetime | None,
        now: datetime | None = None,
    ) -> bool:
        """Note a failure; the job waits for `retry_at` (None: no wait). False where the job was lost."""
        with self._database.write():
            row = self._database.one(_SQL["job_of_token"], {"token": token})
            if row is None:
                return False
            job = _after_failure(from_row(Job, row), error_class)
            values = {
                "token": token,
                "status": job.status.value,
                "failures": msgspec.json.encode(job.failures).decode(),
                "error_class": error_class.value,
                "message": message[:_MAX_ERROR_CHARS],
                "retry_at": None if retry_at is None else to_ms(retry_at),
                "now": to_ms(now or utc_now()),
            }
            return bool(self._database.run(_SQL["fail_job"], values))

    def release(self, token: str) -> bool:
        """Give the job back at a shutdown: free at once, nothing counted. False where the job was lost."""
        return bool(self._database.run(_SQL["release_job"], {"token": token}))

    def forget(self, key: str) -> None:
        """Drop what was to be done on this; a worker who is at it cannot store what comes of it."""
        self._database.run(_SQL["drop_jobs_of_key"], {"key": key})

    def clear(self) -> None:
        """As `forget`, for every key."""
        self._database.run(_SQL["clear_jobs"])


def _refusal(job: Job, watermark: datetime, now: datetime, terms: Terms) -> Claim | None:
    """Why this input cannot be claimed now; None: it can."""
    asked = to_ms(watermark)
    if job.success_watermark is not None and to_ms(job.success_watermark) >= asked:
        return Claim.UP_TO_DATE
    if job.is_held(now):
        return Claim.RUNNING
    if job.setup is not None and job.setup != terms.setup:
        return None  # what failed is the learner or its settings, as far as anybody knows
    is_newer = asked > to_ms(job.input_watermark)
    if job.is_exhausted and not is_newer:
        return Claim.EXHAUSTED
    # Noted ahead of now: the clock went back since, and how much of the wait is left cannot be known.
    is_ahead = job.finished_at is not None and job.finished_at > now
    waits = job.retry_at is not None and job.retry_at > now and not is_ahead
    kind = job.error_class
    # Newer input must not cut short a wait for a server or a quota: a busy session would hammer it. A person may.
    is_free = kind is not None and ((is_newer and kind.is_about_input) or (terms.is_eager and kind.is_about_access))
    if waits and not is_free:
        return Claim.RESTING if kind is ErrorClass.QUOTA else Claim.BACKOFF
    return None


def _after_failure(job: Job, error_class: ErrorClass) -> Job:
    failures = job.failures | {error_class.value: job.failures.get(error_class, 0) + 1}
    failed = msgspec.structs.replace(job, failures=failures)
    return msgspec.structs.replace(failed, status=JobStatus.FAILED if failed.is_exhausted else JobStatus.PENDING)
