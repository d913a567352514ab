"""Sessions that a person switched off: the archive lists them by hash, and the state follows it."""

from vademecum.artifacts import session_hash, switched_off_sessions
from vademecum.learning.rollouts import rollout_path
from vademecum.memfs import Tree
from vademecum.state import RecordHead, RecordState, RetiredReason, State

__all__ = ["follow_switched_off"]


def follow_switched_off(state: State, tree: Tree) -> None:
    """Retire the records of sessions that this revision lists as switched off; bring back what was switched on again.

    What rests on a retired one only leaves the memory files with the next consolidation, and comes back like that.
    """
    listed = switched_off_sessions(tree)
    with state.transaction():
        for name in state.records.retired_for(RetiredReason.DISABLED):
            if session_hash(name) not in listed:
                state.records.restore(name)
        for head in state.records.heads(RecordState.ACTIVE) if listed else ():
            if session_hash(head.session_id) in listed:
                _take_out(state, head, tree)


def _take_out(state: State, head: RecordHead, tree: Tree) -> None:
    if head.consolidated_updated_at is None and tree.has(rollout_path(head.stem)):
        # Its rollout summary is all that is known of it here, and it must go.
        state.records.mark_consolidated({head.session_id: head.updated_at})
    state.records.retire(head.session_id, RetiredReason.DISABLED)
