"""A memory folder whose history is not the one that the state saw last: one was lost, or has come back.

What it lacks was lost, and what it has again was not deleted: a person's deletion stands in its own history. So nothing
is retired, and what only the state knows is learned into it anew.
"""

from datetime import UTC, datetime

from vademecum.amounts import plural
from vademecum.artifacts import (
    ARCHIVE_PATH,
    FORGOTTEN_SESSIONS,
    HANDBOOK_PATH,
    RENDERED,
    Forgotten,
    RolloutSummary,
    forgotten_session,
    forgotten_sessions,
    format_day,
    parse_rollout_summary,
    session_hash,
    switched_off_sessions,
    with_switch,
    without,
)
from vademecum.learning.forgetting import forget_bullets
from vademecum.learning.last_word import scopes_of
from vademecum.learning.rollouts import is_rollout, let_land_again, never_landed, record_of, rollout_path
from vademecum.learning.sources import Sources, text_of
from vademecum.memfs import Provenance, Repository, Tree, Writer
from vademecum.state import RecordHead, RecordState, RetiredReason, State

__all__ = ["keep_switched_off", "reunite", "told_of_loss"]

_KEPT_FORGOTTEN = "Forget what was forgotten in the memory that was here before"
_KEPT_OFF = "Keep switched off what was switched off in the memory that was here before"


def reunite(state: State, repository: Repository) -> str:
    """Bring the state to a memory that is another one than it saw last; what came of it, in a sentence.

    Empty where it is the same, or has all that the state knows.
    """
    tree = repository.tree()
    behind = sorted(never_landed(state, repository, tree))
    told = _told(len(behind), tree)
    back = 0
    if _is_other(state, repository):
        keep_switched_off(state, repository)
        _keep_forgotten(state, repository)
        behind += [head.session_id for head in state.records.heads(RecordState.ACTIVE) if _is_older(tree, head)]
        back = _take_back(state, repository.tree())
        state.inputs.clear()
    let_land_again(state, behind)
    if told or not (behind or back):
        return told
    count = len(behind) + back
    were = "was" if count == 1 else "were"
    return f"another memory folder than before lies here: {plural(count, 'session')} {were} brought to it"


def told_of_loss(state: State, repository: Repository) -> str:
    """That the memory lacks what the state saw land in another one, and what becomes of it; empty where it does not."""
    tree = repository.tree()
    return _told(len(never_landed(state, repository, tree)), tree)


def _told(count: int, tree: Tree) -> str:
    if not count:
        return ""
    sessions = plural(count, "learned session")
    if tree.newest_of(Writer.LEARN) is None:
        return (
            f"the memory folder was gone, and a new one was begun: {sessions} that state.db still knows are written "
            "into it anew. Notes and edits of your own stood in the old folder only; put it back into its place when "
            "you find it, and `vade learn` joins both"
        )
    return f"another memory folder than before lies here: {sessions} that it lacks are written into it"


def keep_switched_off(state: State, repository: Repository) -> None:
    """List the sessions that a person switched off in the archive of a memory that does not know of it."""
    with repository.writing("keeping sessions switched off"):
        tree = repository.tree()
        listed = switched_off_sessions(tree) | forgotten_sessions(tree)
        off = [name for name in state.records.retired_for(RetiredReason.DISABLED) if session_hash(name) not in listed]
        text, day = text_of(tree, ARCHIVE_PATH), format_day(datetime.now(UTC))
        for name in sorted(off):
            text = with_switch(text, name, day)
        if off:
            repository.commit(
                {ARCHIVE_PATH: text}, subject=_KEPT_OFF, provenance=Provenance(writer=Writer.USER, origin="human")
            )


def _keep_forgotten(state: State, repository: Repository) -> None:
    """Take out what a person asked to forget while this memory was away; the next consolidation lists it."""
    forgotten = {stone.key for stone in state.tombstones.all() if stone.scope == FORGOTTEN_SESSIONS}
    tree = repository.tree()
    summaries = {path: parse_rollout_summary(text_of(tree, path)) for path in tree.paths() if is_rollout(path)}
    sessions = {
        path: summary.session_id
        for path, summary in summaries.items()
        if summary and forgotten_session(summary.session_id, "").key in forgotten
    }
    if not sessions:
        return
    gone, said = Forgotten.of(paths=sessions, sessions=sessions.values()), Sources(state, tree)
    left = {path: without(text_of(tree, path), gone, said.words) for path in RENDERED if tree.has(path)}
    scopes = scopes_of(text_of(tree, HANDBOOK_PATH))
    keys = {bullet.key: scopes.get(bullet.key, "") for remainder in left.values() for bullet in remainder.gone}
    forget_bullets(state, keys, gone, said, datetime.now(UTC))
    edits = {**dict.fromkeys(sessions), **{path: remainder.text or None for path, remainder in left.items()}}
    repository.commit(edits, subject=_KEPT_FORGOTTEN, provenance=Provenance(writer=Writer.USER, origin="human"))


def _is_other(state: State, repository: Repository) -> bool:
    seen = state.inputs.last()
    return seen is not None and not repository.holds(seen.tree)


def _is_older(tree: Tree, head: RecordHead) -> bool:
    """Whether the memory has a former version of what landed in another one."""
    summary = _summary_of(tree, head) if head.consolidated_updated_at else None
    return summary is not None and summary.updated_at < head.updated_at


def _take_back(state: State, tree: Tree) -> int:
    """Sessions whose rollout summaries stand here were not deleted here; how many were taken for deleted."""
    deleted = (head for head in state.records.heads() if head.retired_reason is RetiredReason.DELETED)
    back = [(head, summary) for head in deleted if (summary := _summary_of(tree, head))]
    for head, summary in back:
        state.records.put_back(record_of(head.stem, summary, datetime.now(UTC)))
    return len(back)


def _summary_of(tree: Tree, head: RecordHead) -> RolloutSummary | None:
    path = rollout_path(head.stem)
    return parse_rollout_summary(text_of(tree, path)) if tree.has(path) else None
