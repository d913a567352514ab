"""A person decides on what a consolidation proposed: the books say what is in memory now, and what never is to be.

The commit comes first and the proposal goes last, so a process that is killed in between is completed by the same call
again, or by the next consolidation.
"""

from collections.abc import Collection
from datetime import UTC, datetime

from vademecum.artifacts import (
    ARCHIVE_PATH,
    HANDBOOK_PATH,
    RENDERED,
    Bullet,
    keyed_bullets,
    parse_rollout_summary,
)
from vademecum.learning.ancestor import add_to_baseline, ancestor_of
from vademecum.learning.catching_up import catch_up
from vademecum.learning.last_word import archive, is_a_standing_note, scopes_of, tombstone_of
from vademecum.learning.outdated import without_removed
from vademecum.learning.partial import offered_rollouts, what_goes_along
from vademecum.learning.rejected import with_rejections, without_lifted
from vademecum.learning.rollouts import mark_landed, record_of
from vademecum.learning.settling import has_seen, keep_seen, versions_of
from vademecum.learning.sources import Sources, text_of
from vademecum.learning.undone import recent_undos
from vademecum.memfs import (
    Accepted,
    Commit,
    Proposal,
    Provenance,
    Repository,
    Tree,
    Writer,
    accept_proposal,
    accepted_before,
    again_when_moved,
    take_from_proposal,
    waiting_proposals,
)
from vademecum.secrets import mask
from vademecum.state import RecordState, RetiredReason, State, Tombstone, TombstoneReason

__all__ = ["accept", "complete_accepted", "reject"]


def accept(repository: Repository, state: State, proposal: Proposal, paths: Collection[str]) -> Accepted:
    """Take in what was learned, or these paths of it. Raises what `accept_proposal` does.

    What these paths may not be without is taken with them, and what a person removed since it was made goes from it
    first. What was taken in is our own work from now on, and its sessions are in memory. What was not stays a proposal.
    """
    with repository.writing(f"accepting proposal {proposal.id}"):
        was_seen = _was_seen(state, repository.tree())
        proposal = without_removed(repository, state, proposal)
        accepted = accept_proposal(repository, proposal, what_goes_along(proposal, paths))
        _note_taken(repository, state, proposal, accepted.taken, was_seen=was_seen)
        return accepted


def complete_accepted(repository: Repository, state: State) -> None:
    """Bring to its end what a process was killed at that had accepted: its commit is there, the books do not know."""
    for proposal in waiting_proposals(repository):
        is_learned = proposal.commit.provenance.writer is Writer.LEARN
        commit = accepted_before(repository, proposal.id) if is_learned else None
        taken = [path for path in proposal.commit.paths if commit and path in commit.paths]
        if taken:
            was_seen = _was_seen(state, repository.tree())
            _note_taken(repository, state, proposal, taken, was_seen=was_seen)


def _note_taken(
    repository: Repository, state: State, proposal: Proposal, taken: Collection[str], *, was_seen: bool
) -> None:
    edits = proposal.edits
    add_to_baseline(repository, proposal.base, {path: edits[path] for path in taken})
    _follow(repository, state, was_seen=was_seen)
    # Last: as long as it is there, all of this can be done again.
    left = take_from_proposal(repository, proposal, taken)
    state.runs.decide(proposal.id, "accepted in part" if left else "accepted")


def reject(repository: Repository, state: State, proposal: Proposal) -> Commit | None:
    """Nothing of what is left of a proposal comes into memory, now or by a later run.

    Bullets that only it has become tombstones, and sessions that would have come by it alone are retired until there is
    more of them, both in state and archive. Returns the commit of the archive; None where there was nothing for it to
    list. The proposal is gone then.
    """
    with repository.writing(f"rejecting proposal {proposal.id}"):
        tree, now = repository.tree(), datetime.now(UTC)
        was_seen = _was_seen(state, tree)
        catch_up(state, repository, tree, recent_undos(repository), now)
        archived = again_when_moved(lambda: _archive(repository, state, proposal, now))
        _leave_out_sessions(state, proposal, repository.tree(), now)
        _follow(repository, state, was_seen=was_seen)
        repository.drop_proposal(proposal.id)
        state.runs.decide(proposal.id, "accepted in part" if accepted_before(repository, proposal.id) else "rejected")
        return archived


def _archive(repository: Repository, state: State, proposal: Proposal, at: datetime) -> Commit | None:
    tombstones = _rejected_bullets(repository, state, proposal, at)
    tree = repository.tree()
    before = without_lifted(text_of(tree, ARCHIVE_PATH), state)
    present = with_rejections(before, state, proposal, tree, at)
    if not tombstones and present == before:
        return None
    known = {tombstone.key: tombstone for tombstone in (*state.tombstones.all(), *tombstones)}
    text = mask(archive(known.values(), present, ancestor_of(repository)[ARCHIVE_PATH]) or "")
    commit = repository.commit(
        {ARCHIVE_PATH: text},
        subject=f"Reject: {proposal.commit.subject}",
        provenance=Provenance(writer=Writer.MEMORY_TOOL, run=proposal.id, origin="human"),
        on=tree.revision,
    )
    # After the commit: were it the other way round, a refused commit would leave bullets removed that a person
    # may still accept. What the archive lists is taken over by the next consolidation in any case.
    state.tombstones.add(tombstones)
    add_to_baseline(repository, proposal.base, {ARCHIVE_PATH: text.encode()})
    return commit


def _leave_out_sessions(state: State, proposal: Proposal, tree: Tree, now: datetime) -> None:
    """A session is in memory as far as it was before. One that went on since the proposal was made comes again."""
    for path, offered in offered_rollouts(proposal).items():
        record = state.records.get(offered.session_id)
        if record is None or record.state is not RecordState.ACTIVE or record.updated_at > offered.updated_at:
            continue
        standing = parse_rollout_summary(text_of(tree, path))
        if standing is None:
            state.records.retire(record.session_id, RetiredReason.REJECTED)
        else:
            state.records.put_back(record_of(record.stem, standing, now))
            state.records.mark_consolidated({record.session_id: standing.updated_at})


def _rejected_bullets(repository: Repository, state: State, proposal: Proposal, at: datetime) -> list[Tombstone]:
    """The generated bullets that the proposal would bring, and that are not in memory. A note stands by itself."""
    tree = repository.tree()
    scopes, said = scopes_of(text_of(proposal.tree, HANDBOOK_PATH)), Sources(state, tree)
    there = {key for path in RENDERED for key in keyed_bullets(text_of(tree, path))}
    brought: dict[str, Bullet] = {}
    for path in reversed(RENDERED):  # the handbook last: its wording of a bullet is the full one
        if path in proposal.commit.paths:
            brought |= keyed_bullets(text_of(proposal.tree, path))
    return [
        tombstone_of(bullet, scopes.get(key, ""), TombstoneReason.REJECTED, at, said)
        for key, bullet in brought.items()
        if key not in there and not is_a_standing_note(bullet, tree)
    ]


def _was_seen(state: State, tree: Tree) -> bool:
    return has_seen(state, tree.tree_id, versions_of(state.records.unconsolidated()))


def _follow(repository: Repository, state: State, *, was_seen: bool) -> None:
    """A person's decision is no new input: what the last consolidation has seen moves along with it."""
    tree = repository.tree()
    mark_landed(state, tree)
    if was_seen:
        keep_seen(state, tree.tree_id, versions_of(state.records.unconsolidated()))
