"""Proposals for a person: list them, show what they would change, take them in or turn them down."""

from collections.abc import Collection, Generator
from contextlib import contextmanager

import msgspec

from vademecum.artifacts import RENDERED, keyed_bullets
from vademecum.engine.answers import Decision, ProposalRow, ProposalView
from vademecum.errors import NotFound
from vademecum.home import IdentityFolder
from vademecum.locks import PATIENT_SECONDS, Domain, Locks
from vademecum.memfs import (
    Accepted,
    Commit,
    Merged,
    Proposal,
    Repository,
    Tree,
    Writer,
    accept_proposal,
    accepted_before,
    accepted_runs,
    diff_edits,
    find_proposal,
    preview_proposal,
    require_files,
    take_from_proposal,
    waiting_proposals,
)
from vademecum.recall import refresh
from vademecum.run_ids import find_run_id
from vademecum.state import State

__all__ = ["Proposals"]


class Proposals:
    """What waits for a person in one identity. An id may be given by its beginning, or that of its last part."""

    def __init__(self, repository: Repository, folder: IdentityFolder, locks: Locks) -> None:
        self._repository, self._folder, self._locks = repository, folder, locks

    def list(self) -> list[ProposalRow]:
        """Everything that waits, oldest first."""
        found = waiting_proposals(self._repository)
        return [_row(proposal, preview_proposal(self._repository, proposal)) for proposal in found]

    def show(self, name: str) -> ProposalView:
        """What a proposal would change now, path by path. Raises NotFound, UsageError."""
        proposal = self._find(name)
        merged = preview_proposal(self._repository, proposal)
        head = self._repository.tree()
        present = {path: head.content(path) for path in merged.conflicts}
        before, after, now = map(_statements, (proposal.base, proposal.tree, head))
        return ProposalView(
            row=_row(proposal, merged),
            brings=tuple(dict.fromkeys(text for key, text in after.items() if key not in now)),
            takes=tuple(dict.fromkeys(text for key, text in now.items() if key in before.keys() - after.keys())),
            # What moves into another place is judged by its words as well: `system/` stands in every context.
            changes=tuple(diff_edits(head, merged.clean, shows_moved=True)),
            conflicts=tuple(diff_edits(proposal.base, merged.conflicts, shows_moved=True)),
            since=tuple(diff_edits(proposal.base, present)),
        )

    def accept(self, name: str, paths: Collection[str] = ()) -> Decision:
        """Take a proposal in, or these files and folders of it; what is in conflict stays a proposal.

        Accepting what was accepted already answers as the first time did. Raises NotFound, UsageError, MergeConflict
        where nothing could be merged, RefusedError, BusyError.
        """
        with self._deciding("accepting a proposal"):
            try:
                proposal = find_proposal(self._repository, name)
            except NotFound:
                decided = self._decided(name)
                commit = accepted_before(self._repository, decided) if decided else None
                if decided is None or commit is None:
                    self._refuse_decided(decided)
                    raise
                again = _decision(decided, commit, subject=commit.subject)
                return msgspec.structs.replace(again, was_decided=True)
            accepted = self._accept(proposal, _chosen(self._repository, proposal, paths))
        commit = accepted.commit or accepted_before(self._repository, proposal.id)
        left = next((one.commit.paths for one in waiting_proposals(self._repository) if one.id == proposal.id), ())
        return _decision(proposal.id, commit, subject=proposal.commit.subject, left=left, conflicts=accepted.conflicts)

    def reject(self, name: str) -> Decision:
        """Turn a proposal down: nothing of it comes into memory, and no later run brings it back.

        Of one that was accepted in part this is about the rest; what was accepted stays. Notes stay.

        Raises NotFound, UsageError, RefusedError, BusyError.
        """
        with self._deciding("rejecting a proposal"):
            if name in self._repository.damaged_proposals():
                self._repository.drop_proposal(name)
                return _decision(name, subject="a damaged proposal, of which nothing could be read")
            proposal = self._find(name)
            archived = None
            if proposal.commit.provenance.writer is Writer.LEARN:
                from vademecum.learning import reject

                with State.open(self._folder.state) as state:
                    archived = reject(self._repository, state, proposal)
            else:
                self._repository.drop_proposal(proposal.id)
        return _decision(proposal.id, archived, subject=proposal.commit.subject)

    def _find(self, name: str) -> Proposal:
        try:
            return find_proposal(self._repository, name)
        except NotFound:
            self._refuse_decided(self._decided(name))
            raise

    def _decided(self, name: str) -> str | None:
        """The id of the decided proposal that is meant; None where there is none. Raises UsageError for several."""
        known = [*accepted_runs(self._repository), *self._decisions()]
        return find_run_id(name, known, what="proposals that were decided already")

    def _decisions(self) -> dict[str, str]:
        """Run -> what was decided on its proposal, as far as the ledger reaches."""
        if not self._folder.state.exists():
            return {}
        with State.read(self._folder.state) as state:
            return state.runs.decisions()

    def _refuse_decided(self, run: str | None) -> None:
        if run is not None:
            how = self._decisions().get(run, "accepted")
            raise NotFound(
                f"proposal {run} was decided already: {how}",
                next_step="Run `vade proposals` for those that wait, `vade log` for what was accepted.",
            )

    def _accept(self, proposal: Proposal, paths: Collection[str]) -> Accepted:
        if proposal.commit.provenance.writer is Writer.LEARN:
            from vademecum.learning import accept

            with State.open(self._folder.state) as state:
                return accept(self._repository, state, proposal, paths)
        accepted = accept_proposal(self._repository, proposal, paths)
        take_from_proposal(self._repository, proposal, accepted.taken)
        return accepted

    @contextmanager
    def _deciding(self, purpose: str) -> Generator[None]:
        """No consolidation is at work meanwhile: it keeps the same books."""
        with self._locks.hold(Domain.CONSOLIDATION, purpose=purpose, wait_seconds=PATIENT_SECONDS):
            yield
        refresh(self._repository.tree(), self._folder.cache)


def _row(proposal: Proposal, merged: Merged) -> ProposalRow:
    provenance = proposal.commit.provenance
    return ProposalRow(
        id=proposal.id,
        kind="edit" if provenance.writer is Writer.MEMORY_TOOL else provenance.writer.value,
        at=proposal.commit.at,
        subject=proposal.commit.subject,
        paths=proposal.commit.paths,
        conflicts=tuple(merged.conflicts),
        session=provenance.session,
    )


def _chosen(repository: Repository, proposal: Proposal, wanted: Collection[str]) -> Collection[str]:
    """The paths of the proposal that are, or lie below, the wanted ones; all of them where none is wanted."""
    paths = proposal.commit.paths
    missing = f"proposal {proposal.id} does not change {{!r}}"
    return require_files(wanted, paths, root=repository.folder, missing=missing) if wanted else paths


def _statements(tree: Tree) -> dict[str, str]:
    """Key -> words of what handbook and summary say."""
    texts = (tree.read(path) for path in RENDERED if tree.has(path))
    return {key: bullet.text for text in texts for key, bullet in keyed_bullets(text).items()}


def _decision(
    name: str, *commits: Commit | None, subject: str, left: tuple[str, ...] = (), conflicts: tuple[str, ...] = ()
) -> Decision:
    made = [commit for commit in commits if commit]
    return Decision(
        id=name,
        commit=made[-1].id if made else None,
        subject=made[0].subject if made else subject,
        paths=tuple(sorted({path for commit in made for path in commit.paths})),
        left=left,
        conflicts=conflicts,
    )
