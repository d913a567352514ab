"""A session whose rollout summary a person deleted stays out of memory: what rested on it alone does not come back.

The records may not know of it (a lost database), and other sessions may hold the same words: so what went is buried,
which the archive tells every later state.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime

from vademecum.artifacts import (
    Bullet,
    RolloutSummary,
    forgotten_sessions,
    keyed_bullets,
    parse_rollout_summary,
    session_hash,
    session_of,
    spelled_session,
)
from vademecum.learning.ancestor import left_by_learning
from vademecum.learning.last_word import edited_at, scopes_of, tombstone_of
from vademecum.learning.rollouts import are_lost, is_rollout
from vademecum.learning.sources import Sources, text_of
from vademecum.learning.undone import Undo
from vademecum.memfs import Repository, Tree
from vademecum.state import RecordState, RetiredReason, State, Tombstone, TombstoneReason

__all__ = ["bury_deleted"]


def bury_deleted(
    state: State, repository: Repository, undos: Collection[Undo], tree: Tree, handbook: str, said: Sources
) -> frozenset[str]:
    """Bury the statements that rested on deleted sessions only, and retire these where the state forgot that they went.

    Returns the keys of those statements, buried now or before. What an undo or a forgetting took away is not looked at,
    nor where most of all summaries are gone: those were lost. `handbook`: as learning left it.
    """
    former = left_by_learning(repository)
    taken_back = {path for undo in undos for path in undo.paths}
    deleted = _deleted(former, tree, taken_back) if former else {}
    if not deleted:
        return frozenset()
    # Before the records lose their words: they say how old the evidence is.
    resting = _resting_on(frozenset(spelled_session(one.session_id) for one in deleted.values()), handbook)
    state.tombstones.add(_tombstones(state, repository, deleted, resting, scopes_of(handbook), said))
    for summary in deleted.values():
        record = state.records.get(summary.session_id)
        is_known = record is not None and record.consolidated_updated_at is not None
        if record and not is_known and record.state is RecordState.ACTIVE and record.updated_at <= summary.updated_at:
            state.records.retire(record.session_id, RetiredReason.DELETED)
    return frozenset(resting)


def _deleted(former: Tree, tree: Tree, taken_back: Collection[str]) -> dict[str, RolloutSummary]:
    """Path -> what stood there, of the sessions that are in memory under no name any more."""
    if former.tree_id == tree.tree_id:
        return {}
    before = [path for path in former.paths() if is_rollout(path)]
    missing = [path for path in before if not tree.has(path)]
    if not missing or are_lost(len(missing), len(before)):
        return {}
    new = (path for path in tree.paths() if is_rollout(path) and not former.has(path))
    renamed = {summary.session_id for summary in map(parse_rollout_summary, (text_of(tree, p) for p in new)) if summary}
    forgotten = forgotten_sessions(tree)
    found = {path: parse_rollout_summary(text_of(former, path)) for path in missing if path not in taken_back}
    return {
        path: summary
        for path, summary in found.items()
        if summary and summary.session_id not in renamed and session_hash(summary.session_id) not in forgotten
    }


def _resting_on(sessions: Collection[str], handbook: str) -> dict[str, Bullet]:
    """Key -> bullet of what rests on nothing but these sessions."""
    return {
        key: bullet
        for key, bullet in keyed_bullets(handbook).items()
        if bullet.sources and all(session_of(source) in sessions for source in bullet.sources)
    }


def _tombstones(
    state: State,
    repository: Repository,
    deleted: Mapping[str, RolloutSummary],
    resting: Mapping[str, Bullet],
    scopes: Mapping[str, str],
    said: Sources,
) -> Iterator[Tombstone]:
    went: dict[str, datetime] = {
        spelled_session(summary.session_id): edited_at(repository, path) for path, summary in deleted.items()
    }
    known = {stone.key for stone in state.tombstones.all()}
    for key, bullet in resting.items():
        if key not in known:
            at = max(went[session_of(source)] for source in bullet.sources)
            yield tombstone_of(bullet, scopes.get(key, ""), TombstoneReason.DELETED, at, said)
