"""Learning as it is asked for, planned and told.

The walk itself: discover -> extract -> consolidate -> refresh what recall serves (`identity_pass`, `routed`).
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from vademecum.config import Config
from vademecum.engine.left_out import LeftOut
from vademecum.engine.read_before import read_before
from vademecum.engine.spending import spent_elsewhere
from vademecum.errors import SessionUnreadable
from vademecum.home import IdentityFolder
from vademecum.learners import Learner, asks_model, learner_named
from vademecum.learning import (
    Allowance,
    Budget,
    Consolidation,
    ConsolidationStatus,
    ExtractionReport,
    Progress,
    Rehearsed,
    Review,
    SelectionRules,
    Skip,
    Window,
)
from vademecum.sessions import Discovery, Looked, PassedOver, discover, is_address, server_holds, with_server

__all__ = [
    "LearnReport",
    "LearnRequest",
    "Plan",
    "each_once",
    "find_sessions",
    "nothing_done",
    "plan",
    "report",
    "skipped",
]


#: Ends of a consolidation in which the learner failed: what was learned is kept, but is not in memory yet.
_UNFINISHED = frozenset({ConsolidationStatus.INVALID, ConsolidationStatus.FAILED})


class LearnRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a person or a host asked for."""

    #: Only these hosts; None: all.
    hosts: tuple[str, ...] | None = None
    #: Only below these files and folders, and of servers at these addresses; None: where the hosts keep their sessions.
    sources: tuple[str, ...] | None = None
    #: Only the session of this id.
    session: str | None = None
    #: Do not wait for sessions to be idle, nor for a server that was out of reach or a login that was refused.
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
    #: What a person can do about it, each once.
    next_steps: tuple[str, ...] = ()
    #: Of a rehearsal: what would become of every session.
    sessions: tuple[Rehearsed, ...] = ()
    #: What became of a state that was damaged or lost, one sentence each.
    rebuilt: tuple[str, ...] = ()
    #: Whose memory; empty where this is the sum of `parts`.
    identity: str = ""
    #: The one session that was asked for by name and not learned; else None.
    left_out: LeftOut | None = None
    #: One report per identity, where sessions went to those of their folders.
    parts: tuple["LearnReport", ...] = ()

    @property
    def has_failed(self) -> bool:
        """Whether the learner did not do its work, be it the reading of sessions or the writing of memory.

        It was not let in, it failed on every session that it was given, or what it wrote could not be taken in. An
        account or a budget that is used up for now is no failure: that mends itself.
        """
        has_failed_on_all = bool(self.failed) and not (self.extracted or self.no_output)
        return has_failed_on_all or Skip.LOGIN.value in self.skipped or self.consolidation.status in _UNFINISHED


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
    spends = asks_model(learner)
    window = Window(
        now=datetime.now(UTC),
        idle=timedelta(0) if request.now else timedelta(hours=config.min_rollout_idle_hours),
        age=None if request.since_days is None else timedelta(days=request.since_days),
        most_age=timedelta(days=config.max_rollout_age_days) if spends else None,
        shuns_external=config.disable_on_external_context,
        is_eager=request.now,
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


def find_sessions(
    request: LearnRequest,
    environ: Mapping[str, str],
    folders: Iterable[IdentityFolder],
    *,
    named: Mapping[str, str] | None = None,
) -> Discovery:
    """The sessions that this request is about, oldest first, so that none starves.

    `folders`: the identities that may have read them before.
    `named`: place -> host of sessions that hosts told of; they may lie where no reader looks by itself.
    Raises UsageError for an address that is not of this machine, SessionUnreadable where its server does not answer.
    """
    sources = request.sources or ()
    found = discover(
        hosts=request.hosts,
        sources=None if request.sources is None else [Path(source) for source in sources if not is_address(source)],
        environ=environ,
        home=Path.home(),
        read_before=read_before(folders if sources else ()),
    )
    for address in filter(is_address, sources):
        found = with_server(found, address, hosts=request.hosts, environ=environ, home=Path.home())
    if named and request.sources is None:
        mine = {place: host for place, host in named.items() if host in (request.hosts or (host,))}
        found = _with_named(found, [place for place in mine if not is_address(place)])
        found = _with_servers(found, filter(is_address, mine), request, environ)
    refs = tuple(sorted(found.refs, key=lambda ref: (ref.modified_at, ref.path, ref.session_id)))
    return msgspec.structs.replace(found, refs=refs)


def _with_named(found: Discovery, named: Iterable[str]) -> Discovery:
    """Also what hosts told of, where it lies outside the folders that were searched."""
    searched = tuple(f"{os.path.realpath(place.path)}/" for place in found.looked)
    odd = [path for path in map(os.path.realpath, named) if not path.startswith(searched) and Path(path).is_file()]
    if not odd:
        return found
    also = discover(hosts=None, sources=[Path(path) for path in odd], environ={}, home=Path.home())
    looked = (*found.looked, *(place for place in also.looked if also.refs))
    return msgspec.structs.replace(found, refs=(*found.refs, *also.refs), looked=looked)


def _with_servers(
    found: Discovery, addresses: Iterable[str], request: LearnRequest, environ: Mapping[str, str]
) -> Discovery:
    """Also what servers list that hosts told of. One that has ended since is nothing to tell."""
    for address in filter(server_holds, addresses):
        try:
            found = with_server(found, address, hosts=request.hosts, environ=environ, home=Path.home())
        except SessionUnreadable:
            count = found.skipped.get(PassedOver.SERVER, 0) + 1
            found = msgspec.structs.replace(found, skipped={**found.skipped, PassedOver.SERVER.value: count})
    return found


def nothing_done(discovery: Discovery, revision: str | None, *, kept_out: int = 0) -> LearnReport:
    """The answer where there is nothing to learn from, or learning is switched off.

    `kept_out`: sessions that began while it was off.
    """
    left = ExtractionReport(skipped=Counter({Skip.MODE_OFF.value: kept_out} if kept_out else {}))
    return report(discovery, left, skipped(revision))


def each_once(steps: Iterable[str]) -> tuple[str, ...]:
    """These next steps without empty and repeated ones."""
    return tuple(filter(None, dict.fromkeys(steps)))


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
        next_steps=each_once(problem.next_step for problem in extraction.problems),
    )
