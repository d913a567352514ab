"""Consolidation: the best records become handbook and summary, in one commit, one run at a time per identity.

The order is what makes it safe: claim, adopt hand edits, draft at HEAD, learner, the person's edits put back, checks,
one commit, baseline moved to what was seen, records marked. A run that dies anywhere leaves its input to the next one.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from pathlib import Path

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    EVERYWHERE,
    HANDBOOK_PATH,
    NOTES_FOLDER,
    ROLLOUT_FOLDER,
    SUMMARY_PATH,
    Bullet,
    Note,
    RolloutSummary,
    check_handbook,
    check_summary,
    parse_bullet,
    parse_note,
    parse_rollout_summary,
    parse_sections,
    render_rollout_summary,
)
from vademecum.errors import BusyError, LandingRefused, LearnerFailed
from vademecum.learners import ConsolidationTask, LearnedSession, Learner, Verdict
from vademecum.learning.last_word import archive, bury, exhume, put_back, text_of
from vademecum.locks import Domain, Locks
from vademecum.memfs import Draft, Frozen, Provenance, Repository, Tree, Writer, check, land
from vademecum.secrets import mask
from vademecum.state import Record, RecordOrigin, RecordState, RunKind, State

__all__ = ["Consolidation", "ConsolidationStatus", "Stage", "adopt_rollout_summaries", "consolidate"]


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
    run: str | None = None
    #: Hand edits that were left uncommitted, with the reason.
    not_adopted: tuple[str, ...] = ()


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """What a consolidation works on."""

    repository: Repository
    state: State
    locks: Locks
    #: Where drafts may lie.
    drafts: Path


def adopt_rollout_summaries(repository: Repository, state: State, now: datetime) -> list[str]:
    """Rollout summaries of sessions unknown here become records: a lost database loses nothing.

    Returns what is wrong with files that no record can rest on, one sentence each.
    """
    tree = repository.tree()
    known = {head.stem for head in state.records.heads()}
    unknown = [path for path in _rollout_paths(tree) if _stem(path) not in known]
    found = {path: parse_rollout_summary(text_of(tree, path)) for path in unknown}
    state.records.adopt(_record(_stem(path), summary, now) for path, summary in found.items() if summary)
    return [f"{path} holds no rollout summary" for path, summary in found.items() if summary is None]


def _rollout_paths(tree: Tree) -> Iterator[str]:
    return (path for path in tree.paths() if path.startswith(ROLLOUT_FOLDER) and path.endswith(".md"))


def _stem(path: str) -> str:
    return path.removeprefix(ROLLOUT_FOLDER).removesuffix(".md")


def _record(stem: str, summary: RolloutSummary, now: datetime) -> Record:
    return Record(
        session_id=summary.session_id,
        host=summary.host,
        cwd=summary.cwd,
        branch=summary.branch or None,
        started_at=summary.started_at,
        updated_at=summary.updated_at,
        outcome=summary.outcome,
        slug=stem[25:],
        stem=stem,
        raw_memory=summary.raw_memory,
        rollout_summary=summary.recap + "\n",
        learner=summary.learner,
        extracted_at=now,
        origin=RecordOrigin.REPOSITORY,
    )


def consolidate(stage: Stage, learner: Learner) -> Consolidation:
    """Bring what was learned into the memory repository."""
    try:
        with stage.locks.hold(Domain.CONSOLIDATION, purpose="consolidate what was learned", wait_seconds=0):
            return _consolidate_alone(stage, learner)
    except BusyError as busy:
        return Consolidation(status=ConsolidationStatus.BUSY, reason=str(busy))


def _consolidate_alone(stage: Stage, learner: Learner) -> Consolidation:
    repository, state = stage.repository, stage.state
    left = tuple(f"{path} {reason}" for path, reason in repository.adopt().refused.items())
    tree = repository.tree()
    if not state.records.unconsolidated() and not _has_news(repository.baseline(), tree):
        return Consolidation(status=ConsolidationStatus.NO_NEW_INPUT, revision=tree.revision, not_adopted=left)
    run = state.runs.start(RunKind.CONSOLIDATION, learner.name)
    with _ledger(state, run) as finish:
        outcome = _Run(stage, learner, tree, run).write_and_land()
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
        state.runs.finish(run, ConsolidationStatus.FAILED, error=f"{type(error).__name__}: {error}")
        raise


class _Run:
    """One consolidation that holds the lock."""

    def __init__(self, stage: Stage, learner: Learner, tree: Tree, run: str) -> None:
        self.stage, self.learner, self.tree, self.run = stage, learner, tree, run
        records = stage.state.records
        self.selected = records.all(RecordState.ACTIVE)
        self.changed = records.unconsolidated()

    def write_and_land(self) -> Consolidation:
        repository = self.stage.repository
        ancestor = _ancestor(repository)
        exhume(self.stage.state, self.tree)
        bury(self.stage.state, self.tree, ancestor)
        rollouts = self.rollouts()
        with Draft.open(repository, self.tree.revision, self.stage.drafts / self.run) as draft:
            try:
                self.write(draft, ancestor, rollouts)
                frozen = draft.freeze()
                check(frozen)
            except LearnerFailed as error:
                return self.ended(ConsolidationStatus.FAILED, str(error))
            except LandingRefused as error:
                return self.ended(ConsolidationStatus.INVALID, str(error))
        count = len(self.changed)
        landing = land(
            repository,
            frozen,
            subject=f"Learn from {count} session{'' if count == 1 else 's'}" if count else "Learn from notes and edits",
            provenance=Provenance(writer=Writer.LEARN, run=self.run),
            extra_edits=rollouts,
        )
        repository.move_baseline(landing.seen)
        self.mark_seen()
        return self.ended(ConsolidationStatus(landing.status))

    def ended(self, status: ConsolidationStatus, reason: str = "") -> Consolidation:
        """The outcome at the present revision."""
        return Consolidation(status=status, revision=self.stage.repository.head(), reason=reason)

    def rollouts(self) -> dict[str, str | None]:
        """The rollout summaries that change: every record stands in the repository, selected or not."""
        edits: dict[str, str | None] = {}
        for record in self.changed:
            path = _path_of(record)
            if record.state is RecordState.ACTIVE:
                edits[path] = mask(render_rollout_summary(_summary_of(record)))
            elif self.tree.has(path):
                edits[path] = None
        return edits

    def write(self, draft: Draft, ancestor: dict[str, str], rollouts: Mapping[str, str | None]) -> None:
        """Have the learner write, then put a person's edits back. Raises LearnerFailed, LandingRefused.

        The grammar of the artefacts binds the learner only: a person may write in them as they like.
        """
        if removed := archive(self.stage.state):
            draft.write(ARCHIVE_PATH, removed)
        verdict = self.learner.consolidate(_task(self.stage.state, self.tree, self.selected), draft)
        if verdict is Verdict.NOTHING_TO_SAY:
            return
        written = draft.freeze()
        if broken := _artefact_violations(written, rollouts):
            raise LandingRefused("; ".join(broken))
        texts = {path: text_of(written, path) for path in (HANDBOOK_PATH, SUMMARY_PATH)}
        for path, text in put_back(texts, self.tree, ancestor, self.stage.state).items():
            # What a person committed with plain git was never scanned; it must not make every later run invalid.
            draft.write(path, mask(text))

    def mark_seen(self) -> None:
        """What this run took in, in the version that it saw."""
        self.stage.state.records.mark_consolidated(
            {
                record.session_id: record.updated_at if record.state is RecordState.ACTIVE else None
                for record in self.changed
            }
        )


def _ancestor(repository: Repository) -> dict[str, str]:
    """Both artefacts as the last consolidation left them: what differs from them at HEAD, a person changed."""
    baseline = repository.baseline()
    return {
        path: text_of(baseline, path) if baseline else _last_learned(repository, path)
        for path in (HANDBOOK_PATH, SUMMARY_PATH)
    }


def _last_learned(repository: Repository, path: str) -> str:
    """The text of the newest `learn` commit: a clone has no baseline, but it has the history."""
    for commit in repository.log(path, limit=200):
        if commit.provenance.writer is Writer.LEARN:
            return text_of(repository.tree(commit.id), path)
    return ""


def _path_of(record: Record) -> str:
    return f"{ROLLOUT_FOLDER}{record.stem}.md"


def _summary_of(record: Record) -> RolloutSummary:
    return RolloutSummary(
        session_id=record.session_id,
        host=record.host,
        cwd=record.cwd,
        branch=record.branch or "",
        started_at=record.started_at,
        updated_at=record.updated_at,
        outcome=record.outcome,
        learner=record.learner,
        recap=record.rollout_summary,
        raw_memory=record.raw_memory,
    )


def _task(state: State, tree: Tree, selected: Iterable[Record]) -> ConsolidationTask:
    sessions = [LearnedSession(path=_path_of(record), summary=_summary_of(record)) for record in selected]
    sessions.sort(key=lambda session: (session.summary.updated_at, session.path))
    notes = [parse_note(path, text_of(tree, path)) for path in tree.paths() if path.startswith(NOTES_FOLDER)]
    return ConsolidationTask(
        sessions=tuple(sessions),
        notes=tuple(sorted(filter(_is_the_users, notes), key=lambda note: (note.created_at, note.path))),
        known_bullets=_known_bullets(text_of(tree, HANDBOOK_PATH)),
        buried=frozenset(tombstone.key for tombstone in state.tombstones.all()),
    )


def _is_the_users(note: Note) -> bool:
    return note.origin == "human"


def _known_bullets(handbook: str) -> dict[str, tuple[Bullet, ...]]:
    known: dict[str, tuple[Bullet, ...]] = {}
    for section in parse_sections(handbook):
        scope = section.path[0].removeprefix("# Task Group: ") if section.path else ""
        bullets = tuple(bullet for bullet in map(parse_bullet, section.lines) if bullet and bullet.key)
        scope = "" if scope == EVERYWHERE else scope
        known[scope] = (*known.get(scope, ()), *bullets)
    return known


def _artefact_violations(draft: Frozen, rollouts: Mapping[str, str | None]) -> list[str]:
    """What is wrong with both artefacts as the learner wrote them, beside what lands with them."""
    removed = {path for path, text in rollouts.items() if text is None}
    paths = frozenset(draft.paths()) | rollouts.keys() - removed
    handbook = check_handbook(text_of(draft, HANDBOOK_PATH), known_paths=frozenset(paths))
    return [*handbook, *check_summary(text_of(draft, SUMMARY_PATH))]
