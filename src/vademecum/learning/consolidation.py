"""Consolidation: the best records become handbook and summary, in one commit, one run at a time per identity.

The order is what makes it safe: claim, adopt hand edits, bring to its end what a killed run left, draft at HEAD,
learner, the person's edits put back, checks, the finished work kept on the disk, one commit (or a proposal), baseline
moved to what was seen, records marked. A run that dies anywhere leaves its work or its input to the next one.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial

import msgspec

from vademecum.amounts import plural
from vademecum.artifacts import (
    ARCHIVE_PATH,
    RENDERED,
    ROLLOUT_FOLDER,
    as_of_agent,
)
from vademecum.errors import (
    BudgetReached,
    BusyError,
    DatabaseBroken,
    LandingRefused,
    LearnerFailed,
    QuotaReached,
    RefusedError,
    VademecumError,
)
from vademecum.learners import Consolidated, ConsolidationTask, Learner, Verdict, asks_model, stamp
from vademecum.learning.briefing import Briefing, batch_of, brief, view_of
from vademecum.learning.catching_up import Books, catch_up
from vademecum.learning.cooldown import CLASS, Rest, rest_of
from vademecum.learning.faithful import refuse_false_verdict
from vademecum.learning.finished_work import FinishedWork
from vademecum.learning.last_word import archive, put_back, unreadable
from vademecum.learning.ledger import in_words
from vademecum.learning.left_drafts import recover_drafts
from vademecum.learning.metering import RunMeter
from vademecum.learning.outcome import Consolidation, ConsolidationStatus, outcome_of, resting, told
from vademecum.learning.partial_view import PartialView
from vademecum.learning.rejected import without_lifted
from vademecum.learning.review import complete_accepted
from vademecum.learning.rollouts import rollout_path, rollout_text
from vademecum.learning.said_again import SaidAgain
from vademecum.learning.selection import let_rest, reworded_sessions, select
from vademecum.learning.settling import has_seen, settle, versions_of
from vademecum.learning.sources import text_of
from vademecum.learning.stage import Stage
from vademecum.learning.tasks import Standing, artefact_violations, task_for
from vademecum.learning.templates import Template, ledger_detail
from vademecum.learning.tidying import heard_notes, is_input, tidy
from vademecum.learning.troubles import class_of
from vademecum.learning.undone import recent_undos
from vademecum.locks import Domain
from vademecum.memfs import Draft, Frozen, Landing, Tree, Violation, check, misspelling
from vademecum.secrets import mask
from vademecum.state import INTERRUPTED, ErrorClass, Record, RecordState, RunKind, State

__all__ = ["consolidate"]


_PURPOSE = "consolidate what was learned"
_UNTOUCHED = "The memory files are as they were."
_WAITS = "What was learned from sessions is kept and waits for the next run."


def consolidate(stage: Stage, learner: Learner) -> Consolidation:
    """Bring what was learned into the memory repository.

    Another consolidation at work is an outcome (`BUSY`). Raises BusyError where others keep writing to the memory or
    the state, and what else the stores raise: what was extracted waits for the next run, and the error says so.
    """
    with ExitStack() as held:
        try:
            held.enter_context(stage.locks.hold(Domain.CONSOLIDATION, purpose=_PURPOSE, wait_seconds=0))
        except BusyError as busy:
            return Consolidation(status=ConsolidationStatus.BUSY, reason=str(busy), next_step=busy.next_step)
        try:
            return _consolidate_alone(stage, learner)
        except BusyError as busy:
            busy.intact, busy.next_step = f"{_UNTOUCHED} {_WAITS}", f"{busy.next_step} `vade learn` goes on from there."
            raise
        except VademecumError as error:
            error.intact = _intact_after(error)
            raise


def _intact_after(error: VademecumError) -> str:
    """What is still as it was where a consolidation ended so: more than this one call was at work before."""
    if isinstance(error, DatabaseBroken):
        return error.intact  # what was learned may have gone with it
    return _WAITS if error.intact == VademecumError.intact else f"{error.intact} {_WAITS}"


def _consolidate_alone(stage: Stage, learner: Learner) -> Consolidation:
    repository, state = stage.repository, stage.state
    adoption = repository.adopt()
    undos = recent_undos(repository)  # before any commit of ours comes behind them
    recovered = tuple(recover_drafts(stage))
    complete_accepted(repository, state)
    tidy(repository, stage.now)
    tree = repository.tree()
    left = (
        *(f"{path} {reason}" for path, reason in adoption.refused.items()),
        *(f"{path} is no readable text: it is written anew, yours stays in the history" for path in unreadable(tree)),
    )
    books = catch_up(state, repository, tree, undos, stage.now)
    reworded = reworded_sessions(tree, books.ancestor)
    let_rest(state, stage.rules, tree, reworded)
    pending = versions_of(state.records.unconsolidated())
    is_new = books.lost or pending or _has_news(repository.baseline(), tree)
    if not is_new or has_seen(state, tree.tree_id, pending):
        outcome = outcome_of(recovered, tree.revision)
    elif rest := _rest(stage, learner, tree):
        outcome = resting(rest, tree.revision)
    else:
        run = state.runs.start(RunKind.CONSOLIDATION, stamp(learner))
        with _ledger(state, run, ledger_detail(learner, Template.CONSOLIDATION)) as finish:
            work = _Run(stage, learner, tree, run, books, reworded)
            outcome = finish(work.write_and_land(), work)
    return msgspec.structs.replace(
        outcome,
        not_adopted=left,
        in_the_way=tuple(_in_the_way(tree)),
        recovered=tuple(map(told, recovered)),
        proposals=tuple(repository.proposals()),
    )


def _in_the_way(tree: Tree) -> Iterator[str]:
    for path in tree.paths():
        if found := misspelling(path):
            yield f"{path} stands in the way of memory ({found}): rename it with `git mv`, and commit"


def _has_news(baseline: Tree | None, tree: Tree) -> bool:
    if baseline is None:
        rollouts = (path for path in tree.paths() if path.startswith(ROLLOUT_FOLDER) and path.endswith(".md"))
        return bool(heard_notes(tree)) or any(rollouts)
    return any(is_input(change, baseline, tree) for change in baseline.diff(tree))


def _rest(stage: Stage, learner: Learner, tree: Tree) -> Rest | None:
    """Until when a learner that asks a model lets the input gather; a person's note does not wait for it."""
    if stage.is_eager or not asks_model(learner):
        return None
    baseline = stage.repository.baseline()
    heard = heard_notes(baseline) if baseline else frozenset[str]()
    return rest_of(stage.state, learner, stage.now, has_note=bool(heard_notes(tree) - heard))


@contextmanager
def _ledger(
    state: State, run: str, detail: dict[str, int | str]
) -> Generator[Callable[[Consolidation, "_Run"], Consolidation]]:
    """Every run that did anything ends with a row that says how, also when it ends by an error."""

    def finish(result: Consolidation, work: "_Run") -> Consolidation:
        if work.meter.is_idle:
            state.runs.discard(run)
            return result
        state.runs.finish(run, result.status, error=result.reason or None, detail=detail | work.told)
        return msgspec.structs.replace(result, run=run)

    try:
        yield finish
    except KeyboardInterrupt:
        state.runs.finish(run, INTERRUPTED)
        raise
    except BaseException as error:
        state.runs.finish(run, ConsolidationStatus.FAILED, error=in_words(error), detail=detail)
        raise


class _Run:
    """One consolidation that holds the lock."""

    def __init__(
        self,
        stage: Stage,
        learner: Learner,
        tree: Tree,
        run: str,
        books: Books,
        reworded: Collection[str],
    ) -> None:
        self.stage, self.learner, self.tree, self.run, self.books = stage, learner, tree, run, books
        records = stage.state.records
        waiting = records.unconsolidated()
        self.changed = waiting
        self.view: PartialView | None = None
        if asks_model(learner):
            self.view = view_of(stage, tree, books.ancestor, learner.files_tokens)
            self.changed = self.view.batch_of(batch_of(waiting, learner.input_tokens))
        taken = {record.session_id for record in self.changed}
        # Without a prompt a learner writes all of it anew: what a person said must not go for want of room.
        best = select(stage.state, stage.rules, keeps_words=not asks_model(learner), reworded=reworded)
        # What the memory has in an older version stays what its bullets rest on. What it has not is left for later
        # where it is not taken now: for want of room, or because another process has just learned it.
        known = (record for record in best if record.consolidated_updated_at or record.session_id in taken)
        self.selected = list(known)
        self.seen = versions_of(self.changed)
        self.meter = RunMeter(stage.state.path, run, stage.budget)
        #: For the ledger: the class of a failure.
        self.told: dict[str, int | str] = {}

    def write_and_land(self) -> Consolidation:
        repository, state = self.stage.repository, self.stage.state
        ancestor = self.books.ancestor
        rollouts = self.rollouts()
        task = self.readied(task_for(state, self.tree, self.selected))
        try:
            with Draft.open(repository, self.tree.revision, self.stage.drafts / self.run) as draft:
                briefing = self.briefing(draft, task)
                checked = partial(
                    self.checked, draft, task=task, ancestor=ancestor, rollouts=rollouts, briefing=briefing
                )
                answer = self.learner.consolidate(briefing.task if briefing else task, draft)
                try:
                    written = checked(answer)
                except LandingRefused as error:
                    if briefing is None:
                        raise
                    answer = self.repaired(briefing, error, draft)
                    written = checked(answer)
                work = self.finished(answer, written, {**rollouts, **self.archive(ancestor)})
                work.keep(self.stage.drafts)  # before the draft goes: killed in between, nothing is lost
            landing = self.settled(work)
        except LearnerFailed as error:
            return self.failed(error)
        except RefusedError as error:
            return self.ended(ConsolidationStatus.INVALID, str(error), error.next_step)
        ended = self.ended(ConsolidationStatus(landing.status))
        return msgspec.structs.replace(ended, came_back=work.came_back, subject=work.subject)

    def briefing(self, draft: Draft, task: ConsolidationTask) -> Briefing | None:
        """What a model is given; nothing for a learner that needs no prompt."""
        return brief(self.stage, draft, task, self.view, self.learner, new=self.seen) if self.view else None

    def repaired(self, briefing: Briefing, refused: LandingRefused, draft: Draft) -> Consolidated:
        """The answer to the one try at putting the work right; where nothing usable comes, the refusal holds."""
        try:
            return self.learner.consolidate(briefing.repair(refused), draft)
        except LearnerFailed as error:
            if type(error) is LearnerFailed:
                raise refused from error
            raise

    def readied(self, task: ConsolidationTask) -> ConsolidationTask:
        """The task with what a learner that asks a model needs."""
        if not asks_model(self.learner):
            return task
        return msgspec.structs.replace(task, meter=self.meter)

    def failed(self, error: LearnerFailed) -> Consolidation:
        """An account or a budget holds the input back; anything else is a failure, after which it rests.

        So is a budget that this run alone has used up: the next one would use up another in vain.
        """
        if isinstance(error, QuotaReached) and self.meter.held_by is None:
            model = error.model or self.learner.name
            self.stage.state.breakers.refuse(model, str(error), retry_after_seconds=error.retry_after_seconds)
        is_too_dear = isinstance(error, BudgetReached) and self.stage.budget.is_mostly(self.meter.spent)
        self.told[CLASS] = ErrorClass.OVERFLOW if is_too_dear else class_of(error)
        is_held_back = isinstance(error, QuotaReached | BudgetReached) and not is_too_dear
        status = ConsolidationStatus.SKIPPED if is_held_back else ConsolidationStatus.FAILED
        return self.ended(status, str(error), error.next_step)

    def finished(self, answer: Consolidated, written: Frozen, extra_edits: Mapping[str, str | None]) -> FinishedWork:
        """Everything of this run that becomes one commit."""
        return FinishedWork(
            run=self.run,
            learner=stamp(self.learner),
            base=self.tree.revision,
            subject=_subject(self.changed),
            edits=dict(written.edits),
            extra_edits=dict(extra_edits),
            records=self.seen,
            wrote=answer.verdict is Verdict.WROTE,
            came_back=self.came_back(answer, written),
            is_of_model=asks_model(self.learner),
        )

    def came_back(self, answer: Consolidated, written: Frozen) -> tuple[str, ...]:
        """What the learner says that a person has said again; of a model, as far as that is so."""
        claims = tuple(map(mask, answer.came_back))
        return SaidAgain(self.stage.state, written).confirmed(claims) if asks_model(self.learner) else claims

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
        for record in (*self.books.lost, *self.changed):
            path, text = rollout_path(record.stem), rollout_text(record)
            if text is not None or self.tree.has(path):
                edits[path] = text
        return edits

    def archive(self, ancestor: Mapping[str, str]) -> dict[str, str]:
        """The archive as it stands now, where there is one."""
        state = self.stage.state
        present = without_lifted(text_of(self.tree, ARCHIVE_PATH), state)
        text = archive(state.tombstones.all(), present, ancestor[ARCHIVE_PATH])
        return {} if text is None else {ARCHIVE_PATH: mask(text)}

    def checked(
        self,
        draft: Draft,
        answer: Consolidated,
        task: ConsolidationTask,
        ancestor: Mapping[str, str],
        rollouts: Mapping[str, str | None],
        briefing: Briefing | None,
    ) -> Frozen:
        """What lands: the learner's work with a person's edits put back, after the one check. Raises LandingRefused.

        The rules of the repository are asked of the very bytes that land, the grammar of the artefacts of what the
        learner wrote: a person may write in them as they like.
        """
        if answer.verdict is Verdict.NOTHING_TO_SAY and briefing is None:
            return Frozen(base=self.tree, edits={}, irregular={})
        written = draft.freeze()
        if briefing:
            written = briefing.whole(written)
            refuse_false_verdict(answer.verdict, written, briefing.given, task)
            if answer.verdict is Verdict.NOTHING_TO_SAY:
                check(briefing.given)
                return briefing.given
        texts = briefing.own_words(written) if briefing else {path: text_of(written, path) for path in RENDERED}
        merged = put_back(texts, self.tree, ancestor, self.stage.state)
        # Masked, because what a person committed with plain git was never scanned.
        judged = _as_of_learner(written.edits, self.tree)
        edits = {**judged, **{path: mask(text).encode() for path, text in merged.items()}}
        landing = msgspec.structs.replace(written, edits=edits)
        check(landing, extra_checks=(lambda _landing: self.violations(written, rollouts, task),))
        return landing

    def violations(
        self, written: Frozen, rollouts: Mapping[str, str | None], task: ConsolidationTask
    ) -> Iterable[Violation]:
        """What is wrong with the learner's own work."""
        standing = Standing.of(self.stage.state)
        return artefact_violations(written, rollouts, task, standing, is_of_model=asks_model(self.learner))


def _subject(changed: Collection[Record]) -> str:
    """What went into it: sessions that were learned, else those that are taken out, else what a person wrote."""
    learned = sum(record.state is RecordState.ACTIVE for record in changed)
    if learned:
        return f"Learn from {plural(learned, 'session')}"
    return f"Take {plural(len(changed), 'session')} out of memory" if changed else "Learn from notes and edits"


def _as_of_learner(edits: Mapping[str, bytes | None], tree: Tree) -> dict[str, bytes | None]:
    """What a learner wrote, with every skill in it, and what it says of other pages, waiting for a person."""
    texts = {path: None if data is None else data.decode(errors="surrogateescape") for path, data in edits.items()}
    judged = as_of_agent(texts, tree)
    return {path: None if text is None else text.encode(errors="surrogateescape") for path, text in judged.items()}
