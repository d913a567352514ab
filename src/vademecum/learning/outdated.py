"""A proposal waits, and meanwhile a person removes what it would bring: accepting it must not bring that back."""

from collections.abc import Iterator
from datetime import UTC, datetime

from vademecum.artifacts import (
    NOTES_FOLDER,
    RENDERED,
    Forgotten,
    HandEdits,
    apply_hand_edits,
    keyed_bullets,
    spelled_session,
    without,
)
from vademecum.learning.catching_up import catch_up
from vademecum.learning.rollouts import rollout_path
from vademecum.learning.sources import Sources, text_of
from vademecum.learning.undone import recent_undos
from vademecum.memfs import Proposal, Repository, Tree, find_proposal
from vademecum.state import RecordHead, RecordState, RetiredReason, State

__all__ = ["without_removed"]

_NO_EDITS = HandEdits(reworded={}, deleted={}, added={})
#: Why a session is out of memory by the person's own word.
_TAKEN_OUT = frozenset({RetiredReason.DELETED, RetiredReason.FORGOTTEN, RetiredReason.DISABLED})


def without_removed(repository: Repository, state: State, proposal: Proposal) -> Proposal:
    """The proposal without the statements, sessions and notes that a person removed since; it is kept so.

    The books are brought to the present first: the commit that accepts it is one of learning, behind which no later run
    looks for undos.
    """
    tree = repository.tree()
    catch_up(state, repository, tree, recent_undos(repository), datetime.now(UTC))
    offered = {path: text_of(proposal.tree, path) for path in RENDERED if proposal.edits.get(path)}
    removed = _removed(state, proposal, tree, "\n".join(offered.values()))
    buried = frozenset(stone.key for stone in state.tombstones.all())
    words = Sources(state, proposal.tree).words
    left = {path: data for path, data in proposal.edits.items() if data is None or path not in removed.paths}
    for path, text in offered.items():
        rest = without(text, removed, words).text
        if rest != text or buried & keyed_bullets(text).keys():
            left[path] = apply_hand_edits(rest, _NO_EDITS, buried=buried).encode()
    if left == proposal.edits:
        return proposal
    commit = proposal.commit
    repository.keep_proposal(proposal.base, left, subject=commit.subject, provenance=commit.provenance)
    return find_proposal(repository, proposal.id)


def _removed(state: State, proposal: Proposal, tree: Tree, text: str) -> Forgotten:
    """The sessions and notes that the proposal or this text of it names, and that a person took out of memory."""
    retired = state.records.heads(RecordState.RETIRED)
    out = [head for head in retired if head.retired_reason in _TAKEN_OUT and _is_in(head, proposal, text)]
    paths = {rollout_path(head.stem) for head in out}
    return Forgotten.of(paths={*paths, *_missing_notes(text, tree)}, sessions=[head.session_id for head in out])


def _is_in(head: RecordHead, proposal: Proposal, text: str) -> bool:
    return head.stem in text or spelled_session(head.session_id) in text or proposal.tree.has(rollout_path(head.stem))


def _missing_notes(text: str, tree: Tree) -> Iterator[str]:
    for bullet in keyed_bullets(text).values():
        yield from (source for source in bullet.sources if source.startswith(NOTES_FOLDER) and not tree.has(source))
