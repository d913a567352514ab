"""A person decides on what a consolidation proposed: the books say what is in memory now, and what never is to be.

The commit comes first and the proposal goes last, so a process that is killed in between is completed by the same call
again, or by the next consolidation.
"""

from collections.abc import Collection
from datetime import UTC, datetime

from vademecum.artifacts import ARCHIVE_PATH, HANDBOOK_PATH, RENDERED, Bullet, keyed_bullets
from vademecum.learning.ancestor import add_to_baseline, ancestor_of
from vademecum.learning.last_word import archive, scopes_of, tombstone_of
from vademecum.learning.rollouts import mark_landed
from vademecum.learning.settling import has_seen, keep_seen, versions_of
from vademecum.learning.sources import text_of
from vademecum.memfs import (
    Accepted,
    Commit,
    Proposal,
    Provenance,
    Repository,
    Writer,
    accept_proposal,
    accepted_before,
    take_from_proposal,
    waiting_proposals,
)
from vademecum.secrets import mask
from vademecum.state import State, Tombstone, TombstoneReason

__all__ = ["accept", "complete_accepted", "reject"]


def accept(repository: Repository, state: State, proposal: Proposal, paths: Collection[str]) -> Accepted:
    """Take in what was learned, or these paths of it. Raises what `accept_proposal` does.

    What was taken in is our own work from now on, and its sessions are in memory. What was not stays a proposal.
    """
    with repository.writing(f"accepting proposal {proposal.id}"):
        before = repository.tree().tree_id
        accepted = accept_proposal(repository, proposal, paths)
        _note_taken(repository, state, proposal, accepted.taken, before)
        return accepted


def complete_accepted(repository: Repository, state: State) -> None:
    """Bring to its end what a process was killed at that had accepted: its commit is there, the books do not know."""
    for proposal in waiting_proposals(repository):
        is_learned = proposal.commit.provenance.writer is Writer.LEARN
        commit = accepted_before(repository, proposal.id) if is_learned else None
        taken = [path for path in proposal.commit.paths if commit and path in commit.paths]
        if taken:
            _note_taken(repository, state, proposal, taken, repository.tree().tree_id)


def _note_taken(repository: Repository, state: State, proposal: Proposal, taken: Collection[str], before: str) -> None:
    edits = proposal.edits
    add_to_baseline(repository, proposal.base, {path: edits[path] for path in taken})
    _follow(repository, state, before)
    # Last: as long as it is there, all of this can be done again.
    take_from_proposal(repository, proposal, taken)


def reject(repository: Repository, state: State, proposal: Proposal) -> Commit | None:
    """Bullets that only the proposal has become tombstones, in state and archive: later runs leave them out.

    Returns the commit of the archive; None where there was no such bullet. The proposal is gone then.
    """
    with repository.writing(f"rejecting proposal {proposal.id}"):
        tree = repository.tree()
        tombstones = _rejected_bullets(repository, state, proposal, datetime.now(UTC))
        commit = None
        if tombstones:
            known = {tombstone.key: tombstone for tombstone in (*state.tombstones.all(), *tombstones)}
            listed = archive(known.values(), text_of(tree, ARCHIVE_PATH), ancestor_of(repository)[ARCHIVE_PATH])
            text = mask(listed or "")
            commit = repository.commit(
                {ARCHIVE_PATH: text},
                subject=f"Reject: {proposal.commit.subject}",
                provenance=Provenance(writer=Writer.MEMORY_TOOL, run=proposal.id, origin="human"),
            )
            # After the commit: were it the other way round, a refused commit would leave bullets removed that a person
            # may still accept. What the archive lists is taken over by the next consolidation in any case.
            state.tombstones.add(tombstones)
            add_to_baseline(repository, proposal.base, {ARCHIVE_PATH: text.encode()})
        _follow(repository, state, tree.tree_id)
        repository.drop_proposal(proposal.id)
        return commit


def _rejected_bullets(repository: Repository, state: State, proposal: Proposal, at: datetime) -> list[Tombstone]:
    """The generated bullets that the proposal would bring, and that are not in memory."""
    tree = repository.tree()
    scopes = scopes_of(text_of(proposal.tree, HANDBOOK_PATH))
    there = {key for path in RENDERED for key in keyed_bullets(text_of(tree, path))}
    brought: dict[str, Bullet] = {}
    for path in reversed(RENDERED):  # the handbook last: its wording of a bullet is the full one
        if path in proposal.commit.paths:
            brought |= keyed_bullets(text_of(proposal.tree, path))
    return [
        tombstone_of(bullet, scopes.get(key, ""), TombstoneReason.REJECTED, at, state, tree)
        for key, bullet in brought.items()
        if key not in there
    ]


def _follow(repository: Repository, state: State, before: str) -> None:
    """A person's decision is no new input: what the last consolidation has seen moves along with it."""
    tree = repository.tree()
    was_seen = has_seen(state, before, versions_of(state.records.unconsolidated()))
    mark_landed(state, tree)
    if was_seen:
        keep_seen(state, tree.tree_id, versions_of(state.records.unconsolidated()))
