"""Everything that is known of how an identity stands, for whoever has to find out why something did not happen."""

from collections import Counter
from datetime import datetime

import msgspec

from vademecum.artifacts import switched_off_sessions
from vademecum.config import SETTINGS, Config
from vademecum.engine.answers import Status
from vademecum.home import IdentityFolder
from vademecum.memfs import Tree
from vademecum.recall import Context, ContextSection
from vademecum.state import Job, JobStatus, SessionMode, State

__all__ = ["Inspection", "Trouble", "Work", "inspect"]

_MOST_TROUBLES = 5
_ERROR_CHARACTERS = 200


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong with one job."""

    #: What was to be done, and on what: for an extraction, a session id.
    kind: str
    key: str
    #: What kind of failure it was, in a word.
    error_class: str
    #: In words, shortened.
    error: str
    #: When, aware UTC.
    at: datetime | None
    #: Not tried again before this moment; None: at the next pass, or not before there is newer input.
    retry_at: datetime | None
    #: It failed so often that only newer input opens it again.
    is_given_up: bool


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """A job that somebody is at."""

    kind: str
    key: str
    #: Aware UTC; others may take it when the lease has ended.
    since: datetime | None
    lease_until: datetime | None


class Inspection(msgspec.Struct, frozen=True, kw_only=True):
    """How an identity stands, in full."""

    status: Status
    #: Folder (with a slash), or file beside the folders -> how many files.
    files: dict[str, int]
    #: Kind of job -> status -> how many.
    jobs: dict[str, dict[str, int]]
    #: Some of the jobs that somebody is at now.
    at_work: tuple[Work, ...]
    #: The newest failures, newest first.
    troubles: tuple[Trouble, ...]
    #: How many sessions are switched off, and into how many text from outside came.
    disabled: int
    polluted: int
    #: What a session here gets, part by part; none where nothing was written yet.
    context: tuple[ContextSection, ...]
    #: Every setting as it holds, odd values corrected.
    settings: dict[str, bool | int | str]


def inspect(
    status: Status, folder: IdentityFolder, config: Config, tree: Tree | None, context: Context | None
) -> Inspection:
    """Look at everything; nothing changes. `tree`, `context`: None where nothing was written yet."""
    jobs: list[Job] = []
    off = len(switched_off_sessions(tree)) if tree else 0
    polluted = 0
    if folder.state.exists():
        with State.read(folder.state) as state:
            jobs = state.jobs.all()
            off = max(off, len(state.modes.sessions(SessionMode.DISABLED)))
            polluted = len(state.modes.sessions(SessionMode.POLLUTED))
    counts: dict[str, Counter[str]] = {}
    for job in jobs:
        counts.setdefault(job.kind, Counter())[job.status.value] += 1
    return Inspection(
        status=status,
        files=_files(tree) if tree else {},
        jobs={kind: dict(sorted(by_status.items())) for kind, by_status in sorted(counts.items())},
        at_work=tuple(_work(job) for job in jobs if job.status is JobStatus.RUNNING)[:_MOST_TROUBLES],
        troubles=tuple(map(_trouble, _newest_failures(jobs))),
        disabled=off,
        polluted=polluted,
        context=context.sections if context else (),
        settings={setting.key: getattr(config, setting.name) for setting in SETTINGS},
    )


def _files(tree: Tree) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for path in tree.paths():
        folder, slash, _ = path.partition("/")
        counts[folder + slash] += 1
    return dict(sorted(counts.items()))


def _newest_failures(jobs: list[Job]) -> list[Job]:
    failed = [job for job in jobs if job.last_error is not None]
    failed.sort(key=lambda job: (job.finished_at is not None and job.finished_at.timestamp(), job.key), reverse=True)
    return failed[:_MOST_TROUBLES]


def _work(job: Job) -> Work:
    return Work(kind=job.kind, key=job.key, since=job.started_at, lease_until=job.lease_until)


def _trouble(job: Job) -> Trouble:
    return Trouble(
        kind=job.kind,
        key=job.key,
        error_class=job.error_class.value if job.error_class else "",
        error=" ".join((job.last_error or "").split())[:_ERROR_CHARACTERS],
        at=job.finished_at,
        retry_at=job.retry_at,
        is_given_up=job.is_exhausted,
    )
