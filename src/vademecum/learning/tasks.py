"""What a learner is given to consolidate, and what is asked of the artefacts that it writes."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    FORGOTTEN_WORDS,
    HANDBOOK_PATH,
    NOTES_FOLDER,
    RENDERED,
    SUMMARY_PATH,
    Bullet,
    check_handbook,
    check_summary,
    parse_handbook,
    parse_note,
    without_yours,
)
from vademecum.errors import FrontMatterInvalid
from vademecum.learners import ConsolidationTask, LearnedSession, Removed
from vademecum.learning.faithful import unfaithful
from vademecum.learning.rollouts import rollout_path, summary_of
from vademecum.learning.sources import text_of
from vademecum.learning.unfounded import unfounded
from vademecum.memfs import Frozen, Tree, Violation
from vademecum.state import Record, RecordState, State, Tombstone, TombstoneReason

__all__ = ["Standing", "artefact_violations", "removed_from", "task_for"]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What of all records an artefact may rest on, whether a learner was given it or not."""

    #: Sessions with an active record.
    sessions: frozenset[str]
    #: Rollout summaries that lie there and belong to no active record: nothing may point to them.
    resting: frozenset[str]

    @classmethod
    def of(cls, state: State) -> "Standing":
        """As the state says now."""
        active = frozenset(head.session_id for head in state.records.heads(RecordState.ACTIVE))
        resting = frozenset(rollout_path(head.stem) for head in state.records.heads(RecordState.RETIRED))
        return cls(sessions=active, resting=resting)


def task_for(state: State, tree: Tree, selected: Iterable[Record]) -> ConsolidationTask:
    """The sessions and notes at this revision, with what a person removed from memory."""
    sessions = [LearnedSession(path=rollout_path(record.stem), summary=summary_of(record)) for record in selected]
    sessions.sort(key=lambda session: (session.summary.updated_at, session.path))
    notes = [parse_note(path, text_of(tree, path)) for path in tree.paths() if path.startswith(NOTES_FOLDER)]
    return ConsolidationTask(
        sessions=tuple(sessions),
        notes=tuple(
            sorted(
                (note for note in notes if note.text and not note.is_unconfirmed),
                key=lambda note: (note.created_at, note.path),
            )
        ),
        known_bullets=_known_bullets(text_of(tree, HANDBOOK_PATH)),
        removed=removed_from(state),
    )


def removed_from(state: State) -> tuple[Removed, ...]:
    """What a person removed, without words that are to be forgotten."""
    return tuple(map(_removed, state.tombstones.all()))


def _removed(stone: Tombstone) -> Removed:
    words = "" if stone.reason is TombstoneReason.FORGOTTEN or stone.text == FORGOTTEN_WORDS else stone.text
    return Removed(key=stone.key, sources=stone.sources, scope=stone.scope, text=words, until=stone.until)


def _known_bullets(handbook: str) -> dict[str, tuple[Bullet, ...]]:
    known: dict[str, tuple[Bullet, ...]] = {}
    for group in parse_handbook(handbook):
        bullets = tuple(bullet for bullet in group.bullets if bullet.key)
        known[group.project] = (*known.get(group.project, ()), *bullets)
    return known


def artefact_violations(
    written: Frozen,
    rollouts: Mapping[str, str | None],
    task: ConsolidationTask,
    standing: Standing,
    *,
    is_of_model: bool = False,
) -> Iterator[Violation]:
    """What is wrong with the artefacts of a learner, beside what lands with them.

    A person may write in them as they like: what stood there already between their marks is not looked at.
    `is_of_model`: a model wrote them, of which more is asked.
    """
    removed = {path for path, text in rollouts.items() if text is None} | standing.resting
    paths = (frozenset(written.paths()) | rollouts.keys()) - removed
    try:
        handbook, summary = (_of_the_learner(written, path) for path in RENDERED)
    except FrontMatterInvalid as error:
        yield Violation(reason=str(error))
        return
    for problem in (*check_handbook(handbook, known_paths=frozenset(paths)), *check_summary(summary)):
        yield Violation(reason=problem)
    for path in sorted(path for path in removed if path in summary):
        yield Violation(path=SUMMARY_PATH, reason=f"points to {path}, which is out of memory")
    yield from unfounded(handbook, summary, former=written.base, task=task, sessions=standing.sessions)
    if is_of_model:
        texts = {HANDBOOK_PATH: handbook, SUMMARY_PATH: summary}
        yield from unfaithful(written, texts, frozenset(paths), task)
    if ARCHIVE_PATH in written.edits:
        yield Violation(path=ARCHIVE_PATH, reason="lists what a person removed: no learner writes it")


def _of_the_learner(written: Frozen, path: str) -> str:
    text = written.read(path) if written.has(path) else ""
    return without_yours(text, text_of(written.base, path))
