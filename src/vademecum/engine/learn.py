"""The write walk: discover -> extract -> consolidate -> refresh what recall serves."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from vademecum.artifacts import forgotten_sessions, switched_off_sessions
from vademecum.config import Config
from vademecum.engine.overview import take_listed_out
from vademecum.engine.reading import known_sessions, project_finder
from vademecum.engine.spending import spent_elsewhere
from vademecum.errors import VademecumError
from vademecum.home import IdentityFolder
from vademecum.learners import Learner, learner_named
from vademecum.learning import (
    Allowance,
    Budget,
    Citing,
    Consolidation,
    ConsolidationStatus,
    ExtractionReport,
    Listener,
    Problem,
    Progress,
    Rehearsed,
    Review,
    SelectionRules,
    Skip,
    Stage,
    Window,
    adopt_rollout_summaries,
    consolidate,
    extract_sessions,
    follow_archive,
    follow_switched_off,
    is_paid,
    rehearse,
    reunite,
)
from vademecum.locks import Locks
from vademecum.memfs import Repository, Tree
from vademecum.recall import SearchIndex, refresh
from vademecum.sessions import Discovery, Looked, Session, discover
from vademecum.state import LastPass, State

__all__ = [
    "FoundRecords",
    "LearnReport",
    "LearnRequest",
    "Plan",
    "adopt_lost_records",
    "conclude",
    "find_sessions",
    "indexing",
    "keep_failure",
    "learn",
    "nothing_done",
    "plan",
    "rehearse_learning",
    "report",
    "skipped",
    "stage_of",
    "window_on",
]


_MEND_ROLLOUT = "Give the file its header back (docs/format.md shows it), or delete it."


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
    #: How far back, in days or parts of one; None: as far as there are sessions.
    since_days: float | None = 90
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
    #: Of a rehearsal: what would become of every session.
    sessions: tuple[Rehearsed, ...] = ()
    #: What became of a state that was damaged or lost, one sentence each.
    rebuilt: tuple[str, ...] = ()
    #: Whose memory; empty where this is the sum of `parts`.
    identity: str = ""
    #: One report per identity, where sessions went to those of their folders.
    parts: tuple["LearnReport", ...] = ()


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A request with all that was decided for it, once."""

    request: LearnRequest
    learner: Learner
    window: Window
    #: Called after every session.
    progress: Progress
    #: Whether what was learned lands, or waits for the person.
    review: Review
    #: Which of all records a consolidation is given, by the same clock.
    rules: SelectionRules
    #: How many sessions, and what may be spent; all identities of a pass share it.
    allowance: Allowance


def plan(request: LearnRequest, config: Config, progress: Progress) -> Plan:
    """Decide who learns and from which span of time. Raises UsageError for an unknown learner."""
    learner = learner_named(request.learner or config.learner, config)
    spends = is_paid(learner)
    window = Window(
        now=datetime.now(UTC),
        idle=timedelta(0) if request.now else timedelta(hours=config.min_rollout_idle_hours),
        age=_age(request.since_days, config.max_rollout_age_days if spends else None),
        shuns_external=config.disable_on_external_context,
    )
    return Plan(
        request=request,
        learner=learner,
        window=window,
        progress=progress,
        review=Review(config.learn),
        rules=SelectionRules(
            now=window.now,
            most=config.max_raw_memories_for_consolidation,
            max_unused_days=config.max_unused_days,
        ),
        allowance=Allowance(
            limit=request.limit,
            most=config.max_rollouts_per_startup if spends else None,
            budget=_budget_of(config),
        ),
    )


def _budget_of(config: Config) -> Budget:
    return Budget(
        tokens_per_run=config.tokens_per_run,
        tokens_per_day=config.tokens_per_day,
        cost_per_day_usd=config.cost_per_day_cents / 100,
        elsewhere=spent_elsewhere,
    )


def _age(*days: float | None) -> timedelta | None:
    """How far back the nearest of these limits reaches; None: there is none."""
    limits = [limit for limit in days if limit is not None]
    return timedelta(days=min(limits)) if limits else None


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
    work: Plan, discovery: Discovery, *, folder: IdentityFolder, repository: Repository, locks: Locks
) -> LearnReport:
    """Learn from these sessions into this identity."""
    with State.open(folder.state) as state:
        try:
            extraction = _extract(work, discovery, state, folder, repository)
        except VademecumError as error:
            keep_failure(state, report(discovery, ExtractionReport(), skipped(None)), error)
            raise
        stage = stage_of(work, repository, state, locks, folder)
        done = conclude(work, stage, extraction, report(discovery, extraction, skipped(None)))
    refresh(repository.tree(), folder.cache)
    return msgspec.structs.replace(done, identity=folder.name)


def stage_of(work: Plan, repository: Repository, state: State, locks: Locks, folder: IdentityFolder) -> Stage:
    """What the consolidation of one identity works on."""
    return Stage(
        repository=repository,
        state=state,
        locks=locks,
        drafts=folder.drafts,
        review=work.review,
        budget=work.allowance.budget,
        is_eager=work.request.now,
        now=work.window.now,
        rules=work.rules,
    )


def conclude(work: Plan, stage: Stage, extraction: ExtractionReport, so_far: LearnReport) -> LearnReport:
    """Bring what was extracted into the memory repository, and keep for `vade status` what the pass came to."""
    wanted = work.request.consolidate
    try:
        outcome = consolidate(stage, work.learner) if wanted else skipped(stage.repository.head())
    except VademecumError as error:
        keep_failure(stage.state, so_far, error)
        raise
    done = msgspec.structs.replace(
        so_far,
        consolidation=outcome,
        runs=(*so_far.runs, *((outcome.run,) if outcome.run else ())),
        errors=(
            *so_far.errors,
            *(f"hand edit not taken in: {edit}" for edit in outcome.not_adopted),
            *outcome.in_the_way,
        ),
    )
    _keep(stage.state, done, _last_problem(extraction, outcome))
    return done


def keep_failure(state: State, so_far: LearnReport, error: VademecumError) -> None:
    """For `vade status`: what ended the pass."""
    _keep(state, so_far, Problem(what=str(error), next_step=error.next_step))


def _keep(state: State, done: LearnReport, problem: Problem | None) -> None:
    """For `vade status`: what this pass came to, also where it began nothing."""
    state.passes.keep(
        LastPass(
            at=datetime.now(UTC),
            discovered=done.discovered,
            extracted=done.extracted,
            no_output=done.no_output,
            failed=done.failed,
            skipped=done.skipped,
            error=problem and problem.what,
            next_step=problem and problem.next_step,
        )
    )


def _last_problem(extraction: ExtractionReport, outcome: Consolidation) -> Problem | None:
    if outcome.reason:
        return Problem(what=outcome.reason, next_step=outcome.next_step)
    return extraction.problems[-1] if extraction.problems else None


def rehearse_learning(work: Plan, discovery: Discovery, *, state_path: Path, tree: Tree | None) -> LearnReport:
    """What `learn` would do, without a write. `tree`: the present memory; None where there is none."""
    sessions: list[Rehearsed] = []
    with State.open(state_path) if state_path.exists() else nullcontext() as state:
        extraction = rehearse(
            discovery.refs,
            state=state,
            learner=work.learner,
            window=window_on(work, tree),
            only=work.request.session,
            progress=work.progress,
            listed=sessions.append,
            allowance=work.allowance,
        )
    told = report(discovery, extraction, skipped(None))
    return msgspec.structs.replace(told, sessions=tuple(sessions))


def _extract(
    work: Plan, discovery: Discovery, state: State, folder: IdentityFolder, repository: Repository
) -> ExtractionReport:
    found = adopt_lost_records(work, state, repository)
    with indexing(state, folder, repository) as listener:
        extraction = extract_sessions(
            discovery.refs,
            state=state,
            learner=work.learner,
            window=window_on(work, repository.tree()),
            only=work.request.session,
            progress=work.progress,
            listener=listener,
            allowance=work.allowance,
        )
    found.told_in(extraction)
    return extraction


class FoundRecords(msgspec.Struct, frozen=True, kw_only=True):
    """What the repository knew and the state did not."""

    #: Files that no record can rest on.
    problems: tuple[Problem, ...]
    #: What became of a state that was damaged or lost.
    rebuilt: tuple[str, ...]

    def told_in(self, report: ExtractionReport) -> None:
        """Say it in the report of the pass."""
        report.problems += self.problems
        report.rebuilt += self.rebuilt


def adopt_lost_records(work: Plan, state: State, repository: Repository) -> FoundRecords:
    """Take in the records that only the repository holds."""
    reunited = reunite(state, repository)
    tree = repository.tree()
    follow_archive(state, tree, work.window.now)
    known = sum(state.records.counts().values())
    unreadable = adopt_rollout_summaries(repository, state, work.window.now, forgotten=forgotten_sessions(tree))
    follow_switched_off(state, tree)
    adopted = sum(state.records.counts().values()) - known
    return FoundRecords(
        problems=tuple(Problem(what=what, next_step=_MEND_ROLLOUT) for what in unreadable),
        rebuilt=(*((reunited,) if reunited else ()), *_rebuilt(state, adopted)),
    )


def _rebuilt(state: State, adopted: int) -> Iterator[str]:
    if state.rescued:
        yield str(state.rescued)
    elif state.is_new and adopted:
        yield f"{state.path} was missing or empty: it was made anew from the memory repository"
    if adopted and (state.rescued or state.is_new):
        yield f"{adopted} learned session{'' if adopted == 1 else 's'} came from the rollout summaries"


def window_on(work: Plan, tree: Tree | None) -> Window:
    """The span of the plan, without what the archive of this memory (None: there is none) lists as forgotten."""
    if tree is None:
        return work.window
    return msgspec.structs.replace(
        work.window, forgotten=forgotten_sessions(tree), switched_off=switched_off_sessions(tree)
    )


@contextmanager
def indexing(state: State, folder: IdentityFolder, repository: Repository) -> Generator[Listener]:
    """What counts the citations of learned sessions, and puts them into the search index.

    An index that cannot be opened fails session by session.
    """
    citing = Citing(state, repository)
    with ExitStack() as opened:
        try:
            index = opened.enter_context(SearchIndex.open(folder.search))
            tree = repository.tree()
            take_listed_out(index, tree)
            if index.revision is None:
                # The index was lost: sessions that are learned already are not read again by this pass.
                index.rebuild(tree, known_sessions(state, forgotten_sessions(tree)), project_finder(state))
        except VademecumError as error:
            yield _failing(error)
            return

        def listen(session: Session, project: str) -> None:
            citing.count_session(session)
            index.sync_sessions([session], lambda _session: project)

        yield listen


def _failing(error: VademecumError) -> Listener:
    def listen(_session: Session, _project: str) -> None:
        raise error

    return listen


def nothing_done(discovery: Discovery, revision: str | None, *, kept_out: int = 0) -> LearnReport:
    """The answer where there is nothing to learn from, or learning is switched off.

    `kept_out`: sessions that began while it was off.
    """
    left = ExtractionReport(skipped=Counter({Skip.MODE_OFF.value: kept_out} if kept_out else {}))
    return report(discovery, left, skipped(revision))


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
        runs=(extraction.run,) if extraction.run else (),
        looked=discovery.looked,
        errors=tuple(problem.what for problem in extraction.problems),
        rebuilt=tuple(extraction.rebuilt),
    )
