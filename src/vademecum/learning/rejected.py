"""Sessions that a person rejected: the archive lists them, so that no database that knows nothing of it brings them."""

from collections.abc import Iterator
from datetime import datetime

from vademecum.artifacts import (
    RolloutSummary,
    format_day,
    parse_rollout_summary,
    rejected_in,
    session_hash,
    with_rejected,
    without_rejected,
)
from vademecum.learning.partial import offered_rollouts
from vademecum.learning.sources import text_of
from vademecum.memfs import Proposal, Tree
from vademecum.state import RecordState, State

__all__ = ["with_rejections", "without_lifted"]


def with_rejections(text: str, state: State, proposal: Proposal, tree: Tree, at: datetime) -> str:
    """The archive with every session that comes by this proposal alone; `at`: when the person rejected it."""
    known = rejected_in(text)
    for offered in _brought(state, proposal, tree):
        if known.get(session_hash(offered.session_id)) != offered.updated_at:
            text = with_rejected(text, offered.session_id, offered.updated_at, format_day(at))
    return text


def _brought(state: State, proposal: Proposal, tree: Tree) -> Iterator[RolloutSummary]:
    """What memory does not have yet, of sessions that have not gone on since: those come again."""
    for path, offered in offered_rollouts(proposal).items():
        record, standing = state.records.get(offered.session_id), parse_rollout_summary(text_of(tree, path))
        has_gone_on = record is not None and record.updated_at > offered.updated_at
        is_there = standing is not None and standing.updated_at >= offered.updated_at
        if not has_gone_on and not is_there:
            yield offered


def without_lifted(text: str, state: State) -> str:
    """The archive without the sessions that a person let come back, or that went on: they are to be learned again."""
    rejected = rejected_in(text)
    for head in state.records.heads(RecordState.ACTIVE) if rejected else ():
        until = rejected.get(session_hash(head.session_id))
        if until is not None and head.updated_at >= until:
            text = without_rejected(text, head.session_id)
    return text
