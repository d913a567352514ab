"""Consolidation: the best records become handbook and summary, in one commit, one run at a time per identity.

The order is what makes it safe: claim, adopt hand edits, draft at HEAD, learner, the person's edits put back, checks,
one commit, baseline moved to what was seen, records marked. A run that dies anywhere leaves its input to the next one.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    HANDBOOK_PATH,
    NOTES_FOLDER,
    ROLLOUT_FOLDER,
    SUMMARY_PATH,
    Bullet,
    Note,
    check_handbook,
    check_summary,
    parse_handbook,
    parse_note,
    render_rollout_summary,
)
from vademecum.errors import BusyError, FrontMatterInvalid, LearnerFailed, RefusedError
from vademecum.learners import Consolidated, ConsolidationTask, LearnedSession, Learner, Removed, Verdict, stamp
from vademecum.learning.last_word import archive, bury, exhume, lift, put_back, text_of, unreadable
from vademecum.learning.ledger import in_words
from vademecum.learning.rollouts import retire_deleted, rollout_path, summary_of
from vademecum.learning.undone import Undo, bury_undone, follow_undos, recent_undos, with_undos
from vademecum.locks import Domain, Locks
from vademecum.memfs import (
    Draft,
    Frozen,
    Landing,
    Provenance,
    Repository,
    Tree,
    Violation,
    Writer,
    check,
    land,
    sweep_drafts,
)
from vademecum.secrets import mask
from vademecum.state import Record, RecordState, RunKind, State

__all__ = ["Consolidation", "ConsolidationStatus", "Stage", "consolidate"]


_PURPOSE = "consolidate what was learned"
_WAITS = "The memory files are as they were; what was learned from sessions is kept and waits for the next run."


class ConsolidationStatus(StrEnum):
    """How a consolidation ended, in the words of `vade learn --json`."""

    LANDED = "landed"  #: a commit holds the new artefacts
    NO_NEW_INPUT = "no_new_input"  #: nothing was learned or written since the last one
    NO_CHANGES = "no_changes"  #: the input was read and changes no file
    PROPOSED = "proposed"  #: parts conflict with what a person did meanwhile, and wait for review
    BUSY = "busy"  #: another process consolidates this identity
    INVALID = "invalid"  #: the learner's work broke a rule; the input waits
    FAILED = "failed"  #: the learner failed; the input waits
    SKIPPED = "skipped"  #: it was not asked for


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


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """What a consolidation works on."""

    repository: Repository
    state: State
    locks: Locks
    #: Where drafts may lie.
    drafts: Path


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
            raise BusyError(str(busy), intact=_WAITS, next_step="Run `vade learn` again in a moment.") from busy


def _consolidate_alone(stage: Stage, learner: Learner) -> Consolidation:
    repository, state = stage.repository, stage.state
    # Whoever holds the lock is the only one who drafts: what lies there was left by a killed run.
    sweep_drafts(stage.drafts)
    adoption = repository.adopt()
    tree = repository.tree()
    left = (
        *(f"{path} {reason}" for path, reason in adoption.refused.items()),
        *(f"{path} is no readable text: it is written anew, yours stays in the history" for path in unreadable(tree)),
    )
    undos = recent_undos(repository)
    follow_undos(state, undos, tree)
    lost = retire_deleted(state, tree)
    if not lost and not state.records.unconsolidated() and not _has_news(repository.baseline(), tree):
        return Consolidation(status=ConsolidationStatus.NO_NEW_INPUT, revision=tree.revision, not_adopted=left)
    run = state.runs.start(RunKind.CONSOLIDATION, stamp(learner))
    with _ledger(state, run) as finish:
        outcome = _Run(stage, learner, tree, run, lost, undos).write_and_land()
        return finish(msgspec.structs.replace(outcome, not_adopted=left))


def _has_news(baseline: Tree | None, tree: Tree) -> bool:
    if baseline is None:
        return any(path.startswith((NOTES_FOLDER, ROLLOUT_FOLDER)) and path.endswith(".md") for path in tree.paths())
    return bool(baseline.diff(tree))


@contextmanager
def _ledger(state: State, run: str) -> Generator[Callable[[Consolidation], Consolidation]]:
    """Every run ends with a row that says how, also when it ends by an error."""

    def finish(result: Consolidation) -> Consolidation:
        state.runs.finish(run, result.status, error=result.reason or None)
        return msgspec.structs.replace(result, run=run)

    try:
        yield finish
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

    def write_and_land(self) -> Consolidation:
        repository, state = self.stage.repository, self.stage.state
        ancestor = with_undos(repository, self.undos, _ancestor(repository))
        exhume(state, self.tree)
        lift(state, self.tree, ancestor)
        bury_undone(state, self.undos, self.tree)
        bury(state, repository, self.tree, ancestor)
        rollouts = self.rollouts()
        with Draft.open(repository, self.tree.revision, self.stage.drafts / self.run) as draft:
            try:
                answer = self.learner.consolidate(_task(state, self.tree, self.selected), draft)
                written = self.checked(draft, answer, ancestor, rollouts)
                landing = self.land(written, {**rollouts, **self.archive(ancestor)})
            except LearnerFailed as error:
                return self.ended(ConsolidationStatus.FAILED, str(error), error.next_step)
            except RefusedError as error:
                return self.ended(ConsolidationStatus.INVALID, str(error), error.next_step)
        repository.move_baseline(landing.seen)
        self.mark_seen()
        ended = self.ended(ConsolidationStatus(landing.status))
        return msgspec.structs.replace(ended, came_back=answer.came_back)

    def land(self, written: Frozen, extra_edits: Mapping[str, str | None]) -> Landing:
        """One commit with everything of this run."""
        count = len(self.changed)
        return land(
            self.stage.repository,
            written,
            subject=f"Learn from {count} session{'' if count == 1 else 's'}" if count else "Learn from notes and edits",
            provenance=Provenance(writer=Writer.LEARN, run=self.run),
            extra_edits=extra_edits,
        )

    def ended(self, status: ConsolidationStatus, reason: str = "", next_step: str = "") -> Consolidation:
        """The outcome at the present revision."""
        revision = self.stage.repository.head()
        return Consolidation(status=status, revision=revision, reason=reason, next_step=next_step)

    def rollouts(self) -> dict[str, str | None]:
        """The rollout summaries that change: every record stands in the repository, selected or not."""
        edits: dict[str, str | None] = {}
        for record in (*self.lost, *self.changed):
            path = rollout_path(record.stem)
            if record.state is RecordState.ACTIVE:
                edits[path] = mask(render_rollout_summary(summary_of(record)))
            elif self.tree.has(path):
                edits[path] = None
        return edits

    def archive(self, ancestor: Mapping[str, str]) -> dict[str, str]:
        """The archive as it stands now, where there is one."""
        text = archive(self.stage.state, self.tree, ancestor)
        return {} if text is None else {ARCHIVE_PATH: mask(text)}

    def checked(
        self, draft: Draft, answer: Consolidated, ancestor: Mapping[str, str], rollouts: Mapping[str, str | None]
    ) -> Frozen:
        """What lands: the learner's work with a person's edits put back, after the one check. Raises LandingRefused.

        The rules of the repository are asked of the very bytes that land, the grammar of the artefacts of what the
        learner wrote: a person may write in them as they like.
        """
        if answer.verdict is Verdict.NOTHING_TO_SAY:
            return Frozen(base=self.tree, edits={}, irregular={})
        written = draft.freeze()
        texts = {path: text_of(written, path) for path in (HANDBOOK_PATH, SUMMARY_PATH)}
        merged = put_back(texts, self.tree, ancestor, self.stage.state)
        # Masked, because what a person committed with plain git was never scanned.
        edits = {**written.edits, **{path: mask(text).encode() for path, text in merged.items()}}
        landing = msgspec.structs.replace(written, edits=edits)
        check(landing, extra_checks=(lambda _landing: _artefact_violations(written, rollouts),))
        return landing

    def mark_seen(self) -> None:
        """What this run took in, in the version that it saw."""
        self.stage.state.records.mark_consolidated(
            {
                record.session_id: record.updated_at if record.state is RecordState.ACTIVE else None
                for record in self.changed
            }
        )


def _ancestor(repository: Repository) -> dict[str, str]:
    """Artefacts and archive as the last consolidation left them: what differs at HEAD, a person changed."""
    baseline = repository.baseline()
    return {
        path: text_of(baseline, path) if baseline else _last_learned(repository, path)
        for path in (HANDBOOK_PATH, SUMMARY_PATH, ARCHIVE_PATH)
    }


def _last_learned(repository: Repository, path: str) -> str:
    """The text of the newest `learn` commit: a clone has no baseline, but it has the history."""
    for commit in repository.log(path, limit=200):
        if commit.provenance.writer is Writer.LEARN:
            return text_of(repository.tree(commit.id), path)
    return ""


def _task(state: State, tree: Tree, selected: Iterable[Record]) -> ConsolidationTask:
    sessions = [LearnedSession(path=rollout_path(record.stem), summary=summary_of(record)) for record in selected]
    sessions.sort(key=lambda session: (session.summary.updated_at, session.path))
    notes = [parse_note(path, text_of(tree, path)) for path in tree.paths() if path.startswith(NOTES_FOLDER)]
    return ConsolidationTask(
        sessions=tuple(sessions),
        notes=tuple(sorted(filter(_is_the_users, notes), key=lambda note: (note.created_at, note.path))),
        known_bullets=_known_bullets(text_of(tree, HANDBOOK_PATH)),
        removed=tuple(Removed(key=t.key, sources=t.sources, until=t.until) for t in state.tombstones.all()),
    )


def _is_the_users(note: Note) -> bool:
    return note.origin == "human"


def _known_bullets(handbook: str) -> dict[str, tuple[Bullet, ...]]:
    known: dict[str, tuple[Bullet, ...]] = {}
    for group in parse_handbook(handbook):
        bullets = tuple(bullet for bullet in group.bullets if bullet.key)
        known[group.project] = (*known.get(group.project, ()), *bullets)
    return known


def _artefact_violations(written: Frozen, rollouts: Mapping[str, str | None]) -> Iterator[Violation]:
    """What is wrong with the artefacts as the learner wrote them, beside what lands with them."""
    removed = {path for path, text in rollouts.items() if text is None}
    paths = frozenset(written.paths()) | rollouts.keys() - removed
    try:
        handbook, summary = (written.read(path) if written.has(path) else "" for path in (HANDBOOK_PATH, SUMMARY_PATH))
    except FrontMatterInvalid as error:
        yield Violation(reason=str(error))
        return
    for problem in (*check_handbook(handbook, known_paths=frozenset(paths)), *check_summary(summary)):
        yield Violation(reason=problem)
    if ARCHIVE_PATH in written.edits:
        yield Violation(path=ARCHIVE_PATH, reason="lists what a person removed: no learner writes it")
