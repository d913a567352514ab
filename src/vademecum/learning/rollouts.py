"""Rollout summaries and records: each holds all of the other."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime

from vademecum.artifacts import (
    ROLLOUT_FOLDER,
    RolloutSummary,
    forgotten_sessions,
    older_project,
    parse_rollout_summary,
    render_rollout_summary,
    session_hash,
)
from vademecum.learning.sources import text_of
from vademecum.memfs import Repository, Tree
from vademecum.secrets import mask
from vademecum.state import Record, RecordOrigin, RecordState, RetiredReason, State

__all__ = [
    "adopt_rollout_summaries",
    "are_lost",
    "is_rollout",
    "let_land_again",
    "mark_landed",
    "never_landed",
    "record_of",
    "retire_deleted",
    "rollout_path",
    "rollout_text",
    "stem_of",
    "summary_of",
    "unknown_rollouts",
]

#: Up to so many deleted summaries are always taken for a person's wish.
_FREE_DELETIONS = 20
#: A stem begins with time and hash: `2026-11-02T09-00-00-6444-`.
_STEM_HEAD_CHARS = 25


def rollout_path(stem: str) -> str:
    """The memory path of a rollout summary."""
    return f"{ROLLOUT_FOLDER}{stem}.md"


def summary_of(record: Record) -> RolloutSummary:
    """What stands in the rollout summary of a record."""
    return RolloutSummary(
        session_id=record.session_id,
        host=record.host,
        cwd=record.cwd,
        project=record.project or older_project(record.raw_memory, record.cwd),
        branch=record.branch or "",
        started_at=record.started_at,
        updated_at=record.updated_at,
        outcome=record.outcome,
        learner=record.learner,
        recap=record.rollout_summary,
        raw_memory=record.raw_memory,
    )


def adopt_rollout_summaries(
    repository: Repository, state: State, now: datetime, *, forgotten: frozenset[str] = frozenset()
) -> list[str]:
    """Rollout summaries of sessions unknown here become records: a lost database loses nothing.

    Those of sessions whose hash is in `forgotten` do not, wherever the file came from.

    Returns what is wrong with files that no record can rest on, one sentence each.
    """
    tree = repository.tree()
    known = state.records.stems()
    unknown = _unknown(tree, known)
    found = {path: parse_rollout_summary(text_of(tree, path)) for path in unknown}
    state.records.adopt(
        record_of(stem_of(path), summary, now)
        for path, summary in found.items()
        if summary and session_hash(summary.session_id) not in forgotten
    )
    return [f"{path} holds no rollout summary" for path, summary in found.items() if summary is None]


def unknown_rollouts(tree: Tree, stems: Collection[str]) -> list[RolloutSummary]:
    """The rollout summaries at this revision that no record was made of yet. `stems`: those of all records."""
    forgotten = forgotten_sessions(tree)
    found = filter(None, (parse_rollout_summary(text_of(tree, path)) for path in _unknown(tree, stems)))
    return [summary for summary in found if session_hash(summary.session_id) not in forgotten]


def retire_deleted(state: State, repository: Repository, tree: Tree) -> list[Record]:
    """A rollout summary that a person deleted takes its session out of memory.

    Returns the records whose summaries are to be written again instead: those of most sessions at once were lost, not
    deleted. So were those that this history never had; what learning was to keep of them is taken in as new.
    """
    landed = state.records.landed()
    gone = _gone(landed, tree)
    if not gone:
        return []
    missing = [record for record in map(state.records.get, gone.values()) if record]
    strange = _strange(repository, gone)
    if are_lost(len(missing) - len(strange), len(landed)):
        return missing
    strangers = (path for path in _rollout_paths(tree) if stem_of(path) not in landed)
    summaries = (parse_rollout_summary(text_of(tree, path)) for path in strangers)
    renamed = {summary.session_id for summary in summaries if summary}
    for record in missing:
        if record.session_id not in renamed | strange:
            state.records.retire(record.session_id, RetiredReason.DELETED)
    let_land_again(state, strange)
    return [record for record in missing if record.session_id in renamed | strange]


def never_landed(state: State, repository: Repository, tree: Tree) -> frozenset[str]:
    """Sessions that landed, as the state says, whose rollout summaries this history never had: it is another one."""
    return _strange(repository, _gone(state.records.landed(), tree))


def _gone(landed: Mapping[str, str], tree: Tree) -> dict[str, str]:
    """Those of these sessions, by stem, whose rollout summaries are not there."""
    there = frozenset(tree.paths())
    return {stem: session for stem, session in landed.items() if rollout_path(stem) not in there}


def _unknown(tree: Tree, stems: Collection[str]) -> list[str]:
    """The rollout summaries that have none of these stems."""
    known = {f"{ROLLOUT_FOLDER}{stem}.md" for stem in stems}
    return [path for path in tree.below(ROLLOUT_FOLDER) if path not in known and is_rollout(path)]


def _strange(repository: Repository, gone: Mapping[str, str]) -> frozenset[str]:
    if not gone:
        return frozenset()
    names = {f"{stem}.md": session for stem, session in gone.items()}
    known = repository.once_there(ROLLOUT_FOLDER, names)
    return frozenset(session for name, session in names.items() if name not in known)


def let_land_again(state: State, sessions: Iterable[str]) -> None:
    """These sessions count as not consolidated: the memory has lost what it knew of them."""
    state.records.mark_consolidated(dict.fromkeys(sessions))


def are_lost(missing: int, known: int) -> bool:
    """Whether so many summaries that are gone at once were lost: nobody deletes most of them by hand."""
    return missing > max(_FREE_DELETIONS, known // 2)


def mark_landed(state: State, tree: Tree) -> None:
    """Records that wait although the memory has them in this version, or has them no more, were taken in."""
    taken: dict[str, datetime | None] = {}
    for record in state.records.unconsolidated():
        path = rollout_path(record.stem)
        there = parse_rollout_summary(text_of(tree, path)) if tree.has(path) else None
        if record.state is RecordState.RETIRED and there is None:
            taken[record.session_id] = None
        elif record.state is RecordState.ACTIVE and there and there.updated_at == record.updated_at:
            taken[record.session_id] = record.updated_at
    state.records.mark_consolidated(taken)


def rollout_text(record: Record) -> str | None:
    """The rollout summary of a record as it lands; None where the record was taken out.

    What rests because nobody uses it keeps its own: there it is found, and a lost database finds it again.
    """
    stays = record.state is RecordState.ACTIVE or record.retired_reason is RetiredReason.UNUSED
    return mask(render_rollout_summary(summary_of(record))) if stays else None


def _rollout_paths(tree: Tree) -> Iterator[str]:
    return (path for path in tree.paths() if is_rollout(path))


def is_rollout(path: str) -> bool:
    """Whether this is where rollout summaries stand."""
    return path.startswith(ROLLOUT_FOLDER) and path.endswith(".md")


def stem_of(path: str) -> str:
    """The stem in the path of a rollout summary."""
    return path.removeprefix(ROLLOUT_FOLDER).removesuffix(".md")


def record_of(stem: str, summary: RolloutSummary, now: datetime) -> Record:
    """The record that a rollout summary holds."""
    return Record(
        session_id=summary.session_id,
        host=summary.host,
        cwd=summary.cwd,
        project=summary.project,
        branch=summary.branch or None,
        started_at=summary.started_at,
        updated_at=summary.updated_at,
        outcome=summary.outcome,
        slug=stem[_STEM_HEAD_CHARS:],
        stem=stem,
        raw_memory=summary.raw_memory,
        rollout_summary=summary.recap + "\n",
        learner=summary.learner,
        extracted_at=now,
        origin=RecordOrigin.REPOSITORY,
    )
