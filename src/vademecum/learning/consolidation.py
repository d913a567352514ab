"""Consolidation: the best records become handbook and summary, in one commit, one run at a time per identity.

The order is what makes it safe: claim, adopt hand edits, bring to its end what a killed run left, draft at HEAD,
learner, the person's edits put back, checks, the finished work kept on the disk, one commit (or a proposal), baseline
moved to what was seen, records marked. A run that dies anywhere leaves its work or its input to the next one.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from enum import StrEnum

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    NOTES_FOLDER,
    RENDERED,
    ROLLOUT_FOLDER,
)
from vademecum.errors import BudgetReached, BusyError, LearnerFailed, QuotaReached, RefusedError
from vademecum.learners import Consolidated, ConsolidationTask, Learner, Verdict, stamp
from vademecum.learning.ancestor import ancestor_of
from vademecum.learning.catching_up import catch_up
from vademecum.learning.cooldown import CLASS, Rest, rest_of
from vademecum.learning.deleted import bury_deleted
from vademecum.learning.finished_work import FinishedWork
from vademecum.learning.forgetting import follow_archive
from vademecum.learning.last_word import archive, put_back, unreadable
from vademecum.learning.ledger import in_words
from vademecum.learning.left_drafts import Recovered, recover_drafts
from vademecum.learning.metering import RunMeter, is_paid
from vademecum.learning.review import complete_accepted
from vademecum.learning.rollouts import retire_deleted, rollout_path, rollout_text
from vademecum.learning.settling import has_seen, settle, versions_of
from vademecum.learning.sources import text_of
from vademecum.learning.stage import Stage
from vademecum.learning.tasks import artefact_violations, task_for
from vademecum.learning.troubles import class_of
from vademecum.learning.undone import Undo, follow_undos, recent_undos, revive_rejected
from vademecum.locks import Domain
from vademecum.memfs import Draft, Frozen, Landing, Tree, check, misspelling
from vademecum.secrets import mask
from vademecum.state import INTERRUPTED, Record, RecordState, RunKind, State

__all__ = ["Consolidation", "ConsolidationStatus", "consolidate"]


_PURPOSE = "consolidate what was learned"
_WAITS = "The memory files are as they were; what was learned from sessions is kept and waits for the next run."


class ConsolidationStatus(StrEnum):
    """How a consolidation ended, in the words of `vade learn --json`."""

    LANDED = "landed"  #: a commit holds the new artefacts
    NO_NEW_INPUT = "no_new_input"  #: nothing was learned or written since the last one
    NO_CHANGES = "no_changes"  #: the input was read and changes no file
    PROPOSED = "proposed"  #: all of it waits for review: so it is set, or a person has to decide on all of it
    BUSY = "busy"  #: another process consolidates this identity
    COOLDOWN = "cooldown"  #: a learner that asks a model rests after its last run; the input waits
    INVALID = "invalid"  #: the learner's work broke a rule; the input waits
    FAILED = "failed"  #: the learner failed; the input waits
    SKIPPED = "skipped"  #: it was not asked for, or an account or a budget holds it back; the input waits


class Consolidation(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one consolidation."""

    status: ConsolidationStatus
    #: The revision that holds what was learned: the new commit, or HEAD where nothing changed. None before any.
    revision: str | None = None
    #: Why it did not land, in one sentence.
    reason: str = ""
    #: What a person can do about that.
    next_step: str = ""
    run: str | None = None
    #: Statements that a person had removed and has said again since, in words.
    came_back: tuple[str, ...] = ()
    #: Hand edits that were left uncommitted, with the reason.
    not_adopted: tuple[str, ...] = ()
    #: Files that were committed under a name too like one of memory's own: what it stands in the way of waits.
    in_the_way: tuple[str, ...] = ()
    #: What became of the drafts of runs that did not come to their end, one sentence each.
    recovered: tuple[str, ...] = ()
    #: Proposals that wait for a person after it.
    proposals: tuple[str, ...] = ()


def consolidate(stage: Stage, learner: Learner) -> Consolidation:
    """Bring what was learned into the memory repository.

    Another consolidation at work is an outcome (`BUSY`). Raises BusyError where others keep writing to the memory or
    the state, and what else the stores raise: what was extracted waits for the next run.
    """
    with ExitStack() as held:
        try:
            held.enter_context(stage.locks.hold(Domain.CONSOLIDATION, purpose=_PURPOSE, wait_seconds=0))
        except BusyError as busy:
            return Consolidation(status=ConsolidationStatus.BUSY, reason=str(busy), next_step=busy.next_step)
        try:
            return _consolidate_alone(stage, learner)
        except BusyError as busy:
            raise BusyError(
                str(busy), intact=_WAITS, next_step=f"{busy.next_step} `vade learn` goes on from there."
            ) from busy


def _consolidate_alone(stage: Stage, learner: Learner) -> Consolidation:
    repository, state = stage.repository, stage.state
    adoption = repository.adopt()
    undos = recent_undos(repository)  # before any commit of ours comes behind them
    recovered = tuple(recover_drafts(stage))
    complete_accepted(repository, state)
    tree = repository.tree()
    left = (
        *(f"{path} {reason}" for path, reason in adoption.refused.items()),
        *(f"{path} is no readable text: it is written anew, yours stays in the history" for path in unreadable(tree)),
    )
    follow_undos(state, undos, tree)
    follow_archive(state, tree, datetime.now(UTC))  # before a file that went is taken for a deleted one
    revive_rejected(state, undos, tree, ancestor_of(repository)[ARCHIVE_PATH])
    bury_deleted(state, repository, undos, tree)
    lost = retire_deleted(state, tree)
    pending = versions_of(state.records.unconsolidated())
    is_new = lost or pending or _has_news(repository.baseline(), tree)
    if not is_new or has_seen(state, tree.tree_id, pending):
        outcome = _outcome_of(recovered, tree.revision)
    elif rest := _rest(stage, learner, tree):
        outcome = _resting(rest, tree.revision)
    else:
        run = state.runs.start(RunKind.CONSOLIDATION, stamp(learner))
        with _ledger(state, run) as finish:
            work = _Run(stage, learner, tree, run, lost, undos)
            outcome = finish(work.write_and_land(), work)
    return msgspec.structs.replace(
        outcome,
        not_adopted=left,
        in_the_way=tuple(_in_the_way(tree)),
        recovered=tuple(map(_told, recovered)),
        proposals=tuple(repository.proposals()),
    )


def _in_the_way(tree: Tree) -> Iterator[str]:
    for path in tree.paths():
        if found := misspelling(path):
            yield f"{path} stands in the way of memory ({found}): rename it with `git mv`, and commit"


def _outcome_of(recovered: Iterable[Recovered], revision: str) -> Consolidation:
    """Without new input: how what was left of an earlier run came in, if there was any."""
    outcome = Consolidation(status=ConsolidationStatus.NO_NEW_INPUT, revision=revision)
    for draft in recovered:
        if draft.landing:
            outcome = Consolidation(
                status=ConsolidationStatus(draft.landing.status),
                revision=revision,
                run=draft.run,
                came_back=draft.came_back,
            )
    return outcome


def _told(draft: Recovered) -> str:
    became = f"taken in ({draft.landing.status})" if draft.landing else f"thrown away: {draft.reason}"
    remains = f"; {draft.remains}" if draft.remains else ""
    return f"the draft of run {draft.run}, which did not come to its end, was {became}{remains}"


def _has_news(baseline: Tree | None, tree: Tree) -> bool:
    if baseline is None:
        return any(path.startswith((NOTES_FOLDER, ROLLOUT_FOLDER)) and path.endswith(".md") for path in tree.paths())
    return bool(baseline.diff(tree))


def _rest(stage: Stage, learner: Learner, tree: Tree) -> Rest | None:
    """Until when a learner that asks a model lets the input gather; a person's note does not wait for it."""
    if stage.is_eager or not is_paid(learner):
        return None
    baseline = stage.repository.baseline()
    known = frozenset(baseline.paths()) if baseline else frozenset[str]()
    has_note = any(path.startswith(NOTES_FOLDER) and path not in known for path in tree.paths())
    return rest_of(stage.state, learner, datetime.now(UTC), has_note=has_note)


def _resting(rest: Rest, revision: str) -> Consolidation:
    return Consolidation(
        status=ConsolidationStatus.COOLDOWN,
        revision=revision,
        reason=f"{rest.why}; it works again at {rest.until:%Y-%m-%d %H:%M} UTC",
        next_step="Nothing to do: a later `vade learn` goes on by itself, `vade learn --now` does not wait.",
    )


@contextmanager
def _ledger(state: State, run: str) -> Generator[Callable[[Consolidation, "_Run"], Consolidation]]:
    """Every run that did anything ends with a row that says how, also when it ends by an error."""

    def finish(result: Consolidation, work: "_Run") -> Consolidation:
        if work.meter.is_idle:
            state.runs.discard(run)
            return result
        state.runs.finish(run, result.status, error=result.reason or None, detail=work.told)
        return msgspec.structs.replace(result, run=run)

    try:
        yield finish
    except KeyboardInterrupt:
        state.runs.finish(run, INTERRUPTED)
        raise
    except BaseException as error:
        state.runs.finish(run, ConsolidationStatus.FAILED, error=in_words(error))
        raise


class _Run:
    """One consolidation that holds the lock."""

    def __init__(
        self, stage: Stage, learner: Learner, tree: Tree, run: str, lost: Iterable[Record], undos: Collection[Undo]
    ) -> None:
        self.stage, self.learner, self.tree, self.run, self.lost, self.undos = stage, learner, tree, run, lost, undos
        records = stage.state.records
        self.selected = records.all(RecordState.ACTIVE)
        self.changed = records.unconsolidated()
        self.seen = versions_of(self.changed)
        self.meter = RunMeter(stage.state.path, run, stage.budget)
        #: For the ledger: the class of a failure.
        self.told: dict[str, int | str] = {}

    def write_and_land(self) -> Consolidation:
        repository, state = self.stage.repository, self.stage.state
        ancestor = catch_up(state, repository, self.tree, self.undos)
        rollouts = self.rollouts()
        task = self.readied(task_for(state, self.tree, self.selected))
        try:
            with Draft.open(repository, self.tree.revision, self.stage.drafts / self.run) as draft:
                answer = self.learner.consolidate(task, draft)
                written = self.checked(draft, answer, task, ancestor, rollouts)
                work = self.finished(answer, written, {**rollouts, **self.archive(ancestor)})
                work.keep(self.stage.drafts)  # before the draft goes: killed in between, nothing is lost
            landing = self.settled(work)
        except LearnerFailed as error:
            return self.failed(error)
        except RefusedError as error:
            return self.ended(ConsolidationStatus.INVALID, str(error), error.next_step)
        ended = self.ended(ConsolidationStatus(landing.status))
        return msgspec.structs.replace(ended, came_back=answer.came_back)

    def readied(self, task: ConsolidationTask) -> ConsolidationTask:
        """The task with what a learner that asks a model needs."""
        if not is_paid(self.learner):
            return task
        return msgspec.structs.replace(task, meter=self.meter)

    def failed(self, error: LearnerFailed) -> Consolidation:
        """An account or a budget holds the input back; anything else is a failure, after which it rests."""
        if isinstance(error, QuotaReached) and self.meter.held_by is None:
            model = error.model or self.learner.name
            self.stage.state.breakers.refuse(model, str(error), retry_after_seconds=error.retry_after_seconds)
        self.told[CLASS] = class_of(error)
        is_held_back = isinstance(error, QuotaReached | BudgetReached)
        status = ConsolidationStatus.SKIPPED if is_held_back else ConsolidationStatus.FAILED
        return self.ended(status, str(error), error.next_step)

    def finished(self, answer: Consolidated, written: Frozen, extra_edits: Mapping[str, str | None]) -> FinishedWork:
        """Everything of this run that becomes one commit."""
        count = sum(record.state is RecordState.ACTIVE for record in self.changed)
        return FinishedWork(
            run=self.run,
            learner=stamp(self.learner),
            base=self.tree.revision,
            subject=f"Learn from {count} session{'' if count == 1 else 's'}" if count else "Learn from notes and edits",
            edits=dict(written.edits),
            extra_edits=dict(extra_edits),
            records=self.seen,
            wrote=answer.verdict is Verdict.WROTE,
            came_back=answer.came_back,
        )

    def settled(self, work: FinishedWork) -> Landing:
        """Takes the work in. Where others keep writing, or the disk fails, it waits on the disk for the next run."""
        try:
            landing = settle(self.stage, work)
        except RefusedError:
            work.let_go(self.stage.drafts)
            raise
        work.let_go(self.stage.drafts)
        return landing

    def ended(self, status: ConsolidationStatus, reason: str = "", next_step: str = "") -> Consolidation:
        """The outcome at the present revision."""
        revision = self.stage.repository.head()
        return Consolidation(status=status, revision=revision, reason=reason, next_step=next_step)

    def rollouts(self) -> dict[str, str | None]:
        """The rollout summaries that change: every record stands in the repository, selected or not."""
        edits: dict[str, str | None] = {}
        for record in (*self.lost, *self.changed):
            path = rollout_path(record.stem)
            if record.state is RecordState.ACTIVE or self.tree.has(path):
                edits[path] = rollout_text(record)
        return edits

    def archive(self, ancestor: Mapping[str, str]) -> dict[str, str]:
        """The archive as it stands now, where there is one."""
        text = archive(self.stage.state.tombstones.all(), text_of(self.tree, ARCHIVE_PATH), ancestor[ARCHIVE_PATH])
        return {} if text is None else {ARCHIVE_PATH: mask(text)}

    def checked(
        self,
        draft: Draft,
        answer: Consolidated,
        task: ConsolidationTask,
        ancestor: Mapping[str, str],
        rollouts: Mapping[str, str | None],
    ) -> Frozen:
        """What lands: the learner's work with a person's edits put back, after the one check. Raises LandingRefused.

        The rules of the repository are asked of the very bytes that land, the grammar of the artefacts of what the
        learner wrote: a person may write in them as they like.
        """
        if answer.verdict is Verdict.NOTHING_TO_SAY:
            return Frozen(base=self.tree, edits={}, irregular={})
        written = draft.freeze()
        texts = {path: text_of(written, path) for path in RENDERED}
        merged = put_back(texts, self.tree, ancestor, self.stage.state)
        # Masked, because what a person committed with plain git was never scanned.
        edits = {**written.edits, **{path: mask(text).encode() for path, text in merged.items()}}
        landing = msgspec.structs.replace(written, edits=edits)
        check(landing, extra_checks=(lambda _landing: artefact_violations(written, rollouts, task),))
        return landing
