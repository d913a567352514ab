"""A proposal waits, and meanwhile a person removes what it would bring: accepting it must not bring that back."""

from collections.abc import Iterator

from vademecum.artifacts import NOTES_FOLDER, RENDERED, HandEdits, apply_hand_edits, keyed_bullets
from vademecum.learning.catching_up import catch_up
from vademecum.learning.sources import text_of
from vademecum.learning.undone import follow_undos, recent_undos
from vademecum.memfs import Proposal, Repository, Tree, find_proposal
from vademecum.state import State

__all__ = ["without_removed"]

_NO_EDITS = HandEdits(reworded={}, deleted={}, added={})


def without_removed(repository: Repository, state: State, proposal: Proposal) -> Proposal:
    """The proposal without the statements that a person removed, undid or forgot since; it is kept so.

    Undos are taken in first: the commit that accepts it is one of learning, behind which no later run looks for them.
    """
    tree, undos = repository.tree(), recent_undos(repository)
    follow_undos(state, undos, tree)
    catch_up(state, repository, tree, undos)
    gone = frozenset(_removed(state, proposal, tree))
    offered = {path: text_of(proposal.tree, path) for path in RENDERED if proposal.edits.get(path)}
    cleaned = {
        path: apply_hand_edits(text, _NO_EDITS, buried=gone).encode()
        for path, text in offered.items()
        if gone & keyed_bullets(text).keys()
    }
    if not cleaned:
        return proposal
    commit = proposal.commit
    edits = {**proposal.edits, **cleaned}
    repository.keep_proposal(proposal.base, edits, subject=commit.subject, provenance=commit.provenance)
    return find_proposal(repository, proposal.id)


def _removed(state: State, proposal: Proposal, tree: Tree) -> Iterator[str]:
    """Keys that have a tombstone, which nothing had that a run could propose, and those of notes that are gone."""
    yield from (stone.key for stone in state.tombstones.all())
    for path in RENDERED:
        for key, bullet in keyed_bullets(text_of(proposal.tree, path)).items():
            if bullet.sources and all(_is_gone(source, tree) for source in bullet.sources):
                yield key


def _is_gone(source: str, tree: Tree) -> bool:
    return source.startswith(NOTES_FOLDER) and not tree.has(source)
