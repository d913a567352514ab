"""The write walk: discover -> extract -> consolidate -> refresh what recall serves."""

from collections.abc import Mapping
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from vademecum.config import Config
from vademecum.engine.reading import known_sessions
from vademecum.home import IdentityFolder
from vademecum.learners import Learner, learner_named
from vademecum.learning import (
    Consolidation,
    ConsolidationStatus,
    ExtractionReport,
    Progress,
    Stage,
    Window,
    adopt_rollout_summaries,
    consolidate,
    extract_sessions,
    rehearse,
)
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.recall import SearchIndex, refresh
from vademecum.sessions import Discovery, Looked, discover
from vademecum.state import State

__all__ = [
    "LearnReport",
    "LearnRequest",
    "choose_learner",
    "find_sessions",
    "learn",
    "nothing_done",
    "rehearse_learning",
]


class LearnRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a person or a host asked for."""

    #: Only these hosts; None: all.
    hosts: tuple[str, ...] | None = None
    #: Only below these files and folders; None: where the hosts keep their sessions.
    sources: tuple[str, ...] | None = None
    #: Only the session of this id.
    session: str | None = None
    #: Do not wait for sessions to be idle.
    now: bool = False
    #: How far back; None: as far as there are sessions.
    since_days: int | None = 90
    #: At most so many sessions; None: no cap.
    limit: int | None = None
    #: By name; None: as the settings say.
    learner: str | None = None
    #: Bring what was learned into the memory repository.
    consolidate: bool = True
    #: Only say what would be learned from.
    dry_run: bool = False


class LearnReport(msgspec.Struct, frozen=True, kw_only=True):
    """What `learn` did."""

    #: Sessions found, learned before or not.
    discovered: int
    #: Sessions that could be learned in this pass.
    eligible: int
    extracted: int
    #: Read, and nothing worth keeping in them.
    no_output: int
    failed: int
    #: Reason -> count, of sessions and of parts of sessions that were left out.
    skipped: dict[str, int]
    consolidation: Consolidation
    #: Ledger rows of this pass.
    runs: tuple[str, ...]
    looked: tuple[Looked, ...]
    #: One sentence per session that could not be read or learned.
    errors: tuple[str, ...]


def choose_learner(request: LearnRequest, config: Config) -> Learner:
    """The learner that was asked for, else the one of the settings. Raises UsageError."""
    return learner_named(request.learner or config.learner)


def find_sessions(request: LearnRequest, environ: Mapping[str, str]) -> Discovery:
    """The sessions that this request is about, oldest first, so that none starves."""
    found = discover(
        hosts=request.hosts,
        sources=None if request.sources is None else [Path(source) for source in request.sources],
        environ=environ,
        home=Path.home(),
    )
    refs = tuple(sorted(found.refs, key=lambda ref: (ref.modified_at, ref.path, ref.session_id)))
    return msgspec.structs.replace(found, refs=refs)


def learn(
    request: LearnRequest,
    discovery: Discovery,
    *,
    folder: IdentityFolder,
    repository: Repository,
    locks: Locks,
    config: Config,
    progress: Progress,
) -> LearnReport:
    """Learn from these sessions into this identity."""
    learner = choose_learner(request, config)
    with State.open(folder.state) as state:
        extraction = _extract(request, discovery, learner, state, folder, repository, config, progress)
        stage = Stage(
            repository=repository,
            state=state,
            locks=locks,
            drafts=folder.drafts,
        )
        outcome = consolidate(stage, learner) if request.consolidate else skipped(repository.head())
    refresh(repository.tree(), folder.cache)
    return report(discovery, extraction, outcome)


def rehearse_learning(
    request: LearnRequest, discovery: Discovery, *, state_path: Path, config: Config, progress: Progress
) -> LearnReport:
    """What `learn` would do, without a write."""
    learner = choose_learner(request, config)
    with State.open(state_path) if state_path.exists() else nullcontext() as state:
        extraction = rehearse(
            discovery.refs,
            state=state,
            learner=learner,
            window=_window(request, config),
            only=request.session,
            limit=request.limit,
            progress=progress,
        )
    return report(discovery, extraction, skipped(None))


def _extract(
    request: LearnRequest,
    discovery: Discovery,
    learner: Learner,
    state: State,
    folder: IdentityFolder,
    repository: Repository,
    config: Config,
    progress: Progress,
) -> ExtractionReport:
    window = _window(request, config)
    unreadable = adopt_rollout_summaries(repository, state, window.now)
    with SearchIndex.open(folder.search) as index:
        if index.revision is None:
            # The index was lost: sessions that are learned already are not read again below.
            index.rebuild(repository.tree(), known_sessions(state))
        extraction = extract_sessions(
            discovery.refs,
            state=state,
            learner=learner,
            window=window,
            only=request.session,
            limit=request.limit,
            progress=progress,
            listener=lambda session: index.sync_sessions([session]),
        )
    extraction.errors += unreadable
    return extraction


def _window(request: LearnRequest, config: Config) -> Window:
    return Window(
        now=datetime.now(UTC),
        idle=timedelta(0) if request.now else timedelta(hours=config.min_rollout_idle_hours),
        age=None if request.since_days is None else timedelta(days=request.since_days),
    )


def nothing_done(discovery: Discovery, revision: str | None) -> LearnReport:
    """The answer where there is nothing to learn from, or learning is switched off."""
    return report(discovery, ExtractionReport(), skipped(revision))


def skipped(revision: str | None) -> Consolidation:
    """The answer where no consolidation was asked for."""
    return Consolidation(status=ConsolidationStatus.SKIPPED, revision=revision)


def report(discovery: Discovery, extraction: ExtractionReport, outcome: Consolidation) -> LearnReport:
    """Everything that a pass did, in one record."""
    reasons = dict(discovery.skipped)
    for reason, count in extraction.skipped.items():
        reasons[reason] = reasons.get(reason, 0) + count
    return LearnReport(
        discovered=len(discovery.refs),
        eligible=extraction.eligible,
        extracted=extraction.extracted,
        no_output=extraction.no_output,
        failed=extraction.failed,
        skipped=reasons,
        consolidation=outcome,
        runs=tuple(run for run in (extraction.run, outcome.run) if run),
        looked=discovery.looked,
        errors=(*extraction.errors, *(f"hand edit not taken in: {edit}" for edit in outcome.not_adopted)),
    )
