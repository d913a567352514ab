"""Proposals: edits that wait for a person, off main, each under the run that made it.

A proposal is a commit on the revision that its edits were made on, so it can be shown, merged onto what main has become
meanwhile, and taken in path by path. What cannot be merged stays a proposal; nothing is lost before the person decides.
"""

from collections.abc import Collection, Mapping

import msgspec
import pygit2

from vademecum.errors import MergeConflict, NotFound
from vademecum.memfs.commits.commit import accepted_until, newest_commit_where
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.git.objects import blob_at, changes_between
from vademecum.memfs.git.opening import git_failures
from vademecum.memfs.git.refs import PROPOSALS, refuse_unusual_state
from vademecum.memfs.landing.attempts import again_when_moved
from vademecum.memfs.landing.merging import Edits, Merged, merge, merge_states
from vademecum.memfs.pages.text import decode
from vademecum.memfs.records import Commit, Provenance
from vademecum.memfs.repository import Repository
from vademecum.run_ids import find_run_id

__all__ = [
    "Accepted",
    "Proposal",
    "accept_proposal",
    "accepted_before",
    "accepted_runs",
    "find_proposal",
    "preview_proposal",
    "take_from_proposal",
    "waiting_proposals",
    "without_emptied",
]

#: What the trailer of a commit says that a person took in.
_BY_A_PERSON = "human"


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """Edits that wait for a person."""

    #: The run that made it; names the reference.
    id: str
    #: Who wrote it, when and why; its paths are those that would change.
    commit: Commit
    #: The state that the edits were made on.
    base: Tree
    #: The same with the edits.
    tree: Tree

    @property
    def edits(self) -> Edits:
        """Path -> the proposed content; None: the file would go."""
        return {path: self.tree.content(path) for path in self.commit.paths}


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the paths of a proposal that a person accepted."""

    #: The commit that holds them; None where main had all of it already.
    commit: Commit | None
    #: What is on main now, sorted.
    taken: tuple[str, ...]
    #: What was to be taken, and could not be merged with what main has now, sorted.
    conflicts: tuple[str, ...]


def waiting_proposals(repository: Repository) -> list[Proposal]:
    """Everything that waits, oldest first."""
    found = [_load(repository, run) for run in repository.proposals()]
    return sorted(found, key=lambda proposal: (proposal.commit.at, proposal.id))


def find_proposal(repository: Repository, name: str) -> Proposal:
    """The proposal of this id; the beginning of one will do, or of its last part. Raises NotFound, UsageError."""
    found = find_run_id(name, repository.proposals(), what="proposals")
    if found is None:
        raise NotFound(
            f"there is no proposal {name!r}",
            next_step="Run `vade proposals` for those that wait; one that was accepted is in `vade log`.",
        )
    return _load(repository, found)


def preview_proposal(repository: Repository, proposal: Proposal) -> Merged:
    """How it fits what is committed now."""
    return merge_states(repository, proposal.base, repository.tree(), proposal.edits)


def accept_proposal(repository: Repository, proposal: Proposal, paths: Collection[str]) -> Accepted:
    """Merge these paths of a proposal onto main, in one commit that says that a person took them in.

    The proposal stays as it is until `take_from_proposal`; until then, doing this again finds it done.

    Raises
    ------
    MergeConflict: none of the paths can be merged.
    RefusedError: main is not what the person is on, or a text may not become durable (see `Repository.commit`).
    BusyError, HeadMoved: others were writing for 30 s, or a person committed faster than this could land.
    """
    with repository.writing(f"accepting proposal {proposal.id}"):
        # Else every path would count as one that stands in the way.
        refuse_unusual_state(repository.git)
        chosen = {path: data for path, data in proposal.edits.items() if path in paths}
        merged, commit = again_when_moved(lambda: _land(repository, proposal, chosen))
        if merged.conflicts and not merged.clean:
            raise MergeConflict(
                f"{', '.join(chosen)}: main has changed where proposal {proposal.id} changes it",
                next_step=f"Run `vade proposals show {proposal.id}`, edit the file by hand, then reject the proposal.",
                paths=tuple(chosen),
            )
        return Accepted(commit=commit, taken=tuple(merged.clean), conflicts=tuple(merged.conflicts))


def take_from_proposal(repository: Repository, proposal: Proposal, taken: Collection[str]) -> tuple[str, ...]:
    """Leave only what is not decided yet in a proposal, and return it, sorted; nothing: the proposal is gone."""
    left = {path: data for path, data in proposal.edits.items() if path not in taken}
    if left:
        commit = proposal.commit
        repository.keep_proposal(proposal.base, left, subject=commit.subject, provenance=commit.provenance)
    else:
        repository.drop_proposal(proposal.id)
    return tuple(sorted(left))


def accepted_before(repository: Repository, run: str) -> Commit | None:
    """The newest commit by which a person took in something of the proposal of this run."""
    with git_failures(repository.folder):
        return newest_commit_where(
            repository.git, lambda found: bool(found.accepted) and found.run == run, until=repository.head()
        )


def accepted_runs(repository: Repository) -> list[str]:
    """The runs of which a person took in something, newest first."""
    with git_failures(repository.folder):
        return accepted_until(repository.git, repository.head())


def without_emptied(git: pygit2.Repository, moved: Mapping[str, str], tree_id: pygit2.Oid) -> dict[str, str | None]:
    """Map references to their new commits; to None where a proposal would change nothing any more in this tree."""
    return {
        name: None if name.startswith(PROPOSALS) and _brings_nothing(git, commit, tree_id) else commit
        for name, commit in moved.items()
    }


def _brings_nothing(git: pygit2.Repository, proposal: str, tree_id: pygit2.Oid) -> bool:
    commit = git[proposal].peel(pygit2.Commit)
    present = git[tree_id].peel(pygit2.Tree)
    changes = changes_between(git, commit.parents[0].tree_id, commit.tree_id) if commit.parents else []
    return all(blob_at(commit.tree, change.path) == blob_at(present, change.path) for change in changes)


def _land(repository: Repository, proposal: Proposal, edits: Edits) -> tuple[Merged, Commit | None]:
    provenance: Provenance = msgspec.structs.replace(proposal.commit.provenance, accepted=_BY_A_PERSON)
    head = repository.tree()
    merged = merge(repository, proposal.base, head, edits)
    texts = {path: None if data is None else decode(data, path) for path, data in merged.clean.items()}
    subject = proposal.commit.subject
    return merged, repository.commit(texts, subject=subject, provenance=provenance, on=head.revision)


def _load(repository: Repository, run: str) -> Proposal:
    tree = repository.proposal(run)
    if tree is None:
        raise NotFound(f"proposal {run} was decided a moment ago")
    commit = repository.describe(tree.revision)
    return Proposal(id=run, commit=commit, base=repository.tree(f"{tree.revision}^"), tree=tree)
