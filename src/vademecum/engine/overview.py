"""What memory knows of sessions, and how an identity stands."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from vademecum.artifacts import (
    draft_skills,
    forgotten_sessions,
    session_hash,
    switched_off_sessions,
    unconfirmed_notes,
)
from vademecum.config import Config
from vademecum.engine.answers import ProposalRow, SessionRow, Status
from vademecum.engine.spending import spent_elsewhere
from vademecum.home import IdentityFolder
from vademecum.learner_names import MODEL
from vademecum.memfs import Repository, Tree, WorkTreeEdits, is_of_a_reset, runs_drafting
from vademecum.recall import Context, SearchIndex, Visibility
from vademecum.routes import Route
from vademecum.state import (
    Breaker,
    CitedKind,
    ErrorClass,
    JobStatus,
    LastPass,
    RecordHead,
    RecordState,
    RetiredReason,
    Run,
    SessionMode,
    State,
    past_rescues,
)

__all__ = [
    "kept_away",
    "session_rows",
    "status_of",
    "take_listed_out",
    "usage_counts",
    "visibility",
    "waiting",
    "which_are_listed",
]

_HIDDEN = frozenset({RetiredReason.FORGOTTEN, RetiredReason.DELETED, RetiredReason.DISABLED, RetiredReason.POLLUTED})
#: Why a session that was begun waits without having failed: an account, a login, a budget, or the end of the process.
_NOT_ITS_FAULT = (None, ErrorClass.QUOTA, ErrorClass.AUTH)
_OFF = "the setting memories.generate_memories is off: nothing is learned"


def which_are_listed(sessions: Iterable[str], forgotten: Collection[str]) -> frozenset[str]:
    """Those of these session ids whose hash is among the forgotten ones."""
    return frozenset(name for name in sessions if session_hash(name) in forgotten) if forgotten else frozenset()


def take_listed_out(index: SearchIndex, tree: Tree) -> None:
    """Take the text of sessions that are forgotten at this revision out of the search index."""
    forgotten = forgotten_sessions(tree)
    if forgotten and (gone := which_are_listed(index.sessions(), forgotten)):
        index.forget(*sorted(gone))


def kept_away(tree: Tree) -> frozenset[str]:
    """The hashes of the sessions that a person forgot or switched off."""
    return forgotten_sessions(tree) | switched_off_sessions(tree)


def session_rows(state: State, forgotten: Collection[str] = (), switched_off: Collection[str] = ()) -> list[SessionRow]:
    """Every session with a record, newest first. `forgotten`, `switched_off`: the hashes that the archive lists."""
    counts = {cited: total.count for cited, total in state.usage.totals(CitedKind.SESSION).items()}
    heads = state.records.heads()
    names = [head.session_id for head in heads]
    gone = which_are_listed(names, forgotten)
    off = which_are_listed(names, switched_off)
    modes = {name: mode for mode in SessionMode for name in state.modes.sessions(mode)}
    # What was learned although text from outside came into it, was learned because that was allowed.
    modes |= {head.session_id: SessionMode.ENABLED for head in heads if _is_learned_all_the_same(head, modes)}
    modes |= dict.fromkeys(off, SessionMode.DISABLED)
    return [_row(_as_forgotten(head) if head.session_id in gone else head, modes, counts) for head in heads]


def _is_learned_all_the_same(head: RecordHead, modes: Mapping[str, SessionMode]) -> bool:
    return head.state is RecordState.ACTIVE and modes.get(head.session_id) is SessionMode.POLLUTED


def _as_forgotten(head: RecordHead) -> RecordHead:
    return msgspec.structs.replace(head, state=RecordState.RETIRED, retired_reason=RetiredReason.FORGOTTEN)


def _row(head: RecordHead, modes: dict[str, SessionMode], counts: dict[str, int]) -> SessionRow:
    return SessionRow(
        id=head.session_id,
        host=head.host,
        cwd=head.cwd,
        updated_at=head.updated_at,
        mode=modes.get(head.session_id, SessionMode.ENABLED),
        state=head.state,
        reason=head.retired_reason or "",
        usage_count=counts.get(head.session_id, 0),
    )


def waiting(state: State) -> dict[str, int]:
    """What waits for the next pass: reason (as in `learning.Skip`, where it is a session that waits) -> how many."""
    pending = state.jobs.pending("extraction")
    put_off = sum(pending.get(kind, 0) for kind in _NOT_ITS_FAULT)
    counts: Iterable[tuple[str, int]] = (
        ("to_consolidate", state.records.count_unconsolidated()),
        ("waiting", sum(pending.values()) - put_off),
        ("put_off", put_off),
        ("given_up", state.jobs.counts().get("extraction", {}).get(JobStatus.FAILED, 0)),
    )
    return {what: count for what, count in counts if count}


def visibility(state: State, listed: frozenset[str] = frozenset()) -> Visibility:
    """What search may not show: sessions that were switched off, polluted or forgotten.

    `listed`: ids of sessions that the archive lists as forgotten or switched off; the state may not know of it yet.
    """
    gone = frozenset(head.session_id for head in state.records.heads() if head.retired_reason in _HIDDEN)
    return Visibility(hidden_sessions=gone | state.modes.sessions(SessionMode.DISABLED) | listed)


def usage_counts(state: State) -> dict[str, int]:
    """Session id or memory path -> how many answers used it."""
    return {cited: total.count for kind in CitedKind for cited, total in state.usage.totals(kind).items()}


def _without_record(tree: Tree, stems: Collection[str]) -> int:
    """How many rollout summaries stand in the repository that the state knows nothing of: it was lost, or is new."""
    from vademecum.learning import unknown_rollouts  # whoever only reads memory should not wait for learning

    return len(unknown_rollouts(tree, stems))


def _models_of(config: Config) -> tuple[str, ...]:
    named = (config.extract_model, config.consolidation_model) if config.learner == MODEL else ()
    return tuple(dict.fromkeys(filter(None, named)))


def status_of(
    folder: IdentityFolder,
    config: Config,
    *,
    repository: Repository | None,
    context: Context | None,
    proposals: Collection[ProposalRow],
    route: Route,
    home: Path,
) -> Status:
    """How an identity stands. `repository` and `context` are None where nothing was written yet."""
    edits = repository.hand_edits() if repository else WorkTreeEdits(edits={}, refused={})
    records: dict[str, int] = {}
    waits: dict[str, int] = {}
    runs: tuple[Run, ...] = ()
    last_pass: LastPass | None = None
    breakers: tuple[Breaker, ...] = ()
    spent = spent_elsewhere(folder.state, now := datetime.now(UTC))
    at_work: frozenset[str] = frozenset()
    stems = frozenset[str]()
    if folder.state.exists():
        with State.open(folder.state) as state:
            records = {str(key): count for key, count in state.records.counts().items()}
            waits, runs = waiting(state), tuple(state.runs.list(limit=5))
            last_pass, at_work = state.passes.last(), state.runs.at_work()
            breakers = tuple(breaker for breaker in state.breakers.all() if breaker.open_until > now)
            spent += state.requests.spent_on(now)
            stems = state.records.stems()
    tree = repository.tree() if repository else None
    if tree and (unknown := _without_record(tree, stems)):
        waits = {**waits, "to_take_in": unknown}
    off = () if config.generate_memories else (_OFF,)
    return Status(
        identity=folder.name,
        route=route,
        home=str(home),
        revision=context.revision if context else None,
        records=records,
        learner=config.learner,
        models=_models_of(config),
        waiting=waits,
        hand_edits=tuple(edits.edits),
        unfit_edits=dict(edits.refused),
        proposals=tuple(proposals),
        left_drafts=tuple(run for run in runs_drafting(folder.drafts) if run not in at_work),
        last_pass=last_pass,
        runs=runs,
        breakers=breakers,
        spent_today=spent,
        tokens_per_day=config.tokens_per_day,
        cost_per_day_cents=config.cost_per_day_cents,
        context_tokens=context.tokens if context else 0,
        context_bytes=context.bytes if context else 0,
        budget_tokens=config.budget_tokens,
        warnings=(*config.warnings, *off, *(context.warnings if context else ())),
        rebuilt=tuple(map(str, past_rescues(folder.state))),
        is_after_reset=bool(repository) and not any(records.values()) and is_of_a_reset(repository),
        draft_skills=tuple(draft_skills(tree)) if tree else (),
        unconfirmed_notes=tuple(note.path for note in unconfirmed_notes(tree)) if tree else (),
    )
