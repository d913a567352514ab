"""How an identity stands: what is in it, what waits and why, what was spent, what a session would get."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path

from vademecum.artifacts import draft_skills, unconfirmed_notes, unseen_pages
from vademecum.config import Config
from vademecum.engine.answers import ProposalRow, Status
from vademecum.engine.spending import spent_elsewhere
from vademecum.home import IdentityFolder
from vademecum.learner_names import MODEL
from vademecum.memfs import Repository, Tree, WorkTreeEdits, is_of_a_reset, runs_drafting
from vademecum.recall import Context
from vademecum.routes import Route
from vademecum.state import Breaker, ErrorClass, JobStatus, LastPass, Run, State, past_rescues

__all__ = ["status_of", "waiting"]

#: Why a session that was begun waits without having failed: an account, a login, a budget, or the end of the process.
_NOT_ITS_FAULT = (None, ErrorClass.QUOTA, ErrorClass.AUTH)
_OFF = "the setting memories.generate_memories is off: nothing is learned"


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
        with State.read(folder.state) as state:
            records = {str(key): count for key, count in state.records.counts().items()}
            waits, runs = waiting(state), tuple(state.runs.list(limit=5))
            last_pass, at_work = state.passes.last(), state.runs.at_work()
            breakers = tuple(breaker for breaker in state.breakers.all() if breaker.open_until > now)
            spent += state.requests.spent_on(now)
            stems = state.records.stems()
    tree = repository.tree() if repository else None
    if tree and (unknown := _without_record(tree, stems)):
        waits = {**waits, "to_take_in": unknown}
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
        warnings=(*config.warnings, *_off(config), *(context.warnings if context else ())),
        rebuilt=tuple(map(str, past_rescues(folder.state))),
        is_after_reset=bool(repository) and not any(records.values()) and is_of_a_reset(repository),
        draft_skills=tuple(draft_skills(tree)) if tree else (),
        unconfirmed_notes=tuple(note.path for note in unconfirmed_notes(tree)) if tree else (),
        unseen_pages=tuple(unseen_pages(tree)) if tree else (),
    )


def _off(config: Config) -> tuple[str, ...]:
    return () if config.generate_memories else (_OFF,)


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


def _without_record(tree: Tree, stems: Collection[str]) -> int:
    """How many rollout summaries stand in the repository that the state knows nothing of: it was lost, or is new."""
    from vademecum.learning import unknown_rollouts  # whoever only reads memory should not wait for learning

    return len(unknown_rollouts(tree, stems))


def _models_of(config: Config) -> tuple[str, ...]:
    named = (config.extract_model, config.consolidation_model) if config.learner == MODEL else ()
    return tuple(dict.fromkeys(filter(None, named)))
