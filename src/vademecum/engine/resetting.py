"""Reset: memory begins anew. What was there waits in the trash until a person empties it."""

import msgspec

from vademecum.artifacts import ARCHIVE_PATH, FORGOTTEN_SESSIONS, parse_archive, render_archive
from vademecum.errors import RefusedError
from vademecum.home import IdentityFolder
from vademecum.learning import text_of
from vademecum.locks import PATIENT_SECONDS, Domain, Locks
from vademecum.memfs import (
    SCRUBBED,
    Repository,
    Trash,
    again_when_moved,
    clear_drafts,
    empty_trash,
    list_trash,
    put_in_trash,
)
from vademecum.recall import SearchIndex, refresh
from vademecum.state import RecordState, State

__all__ = ["ResetPreview", "Resetting"]

_PURPOSE = "resetting memory"


class ResetPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a reset would put away."""

    files: int
    sessions: int
    proposals: int
    #: What earlier resets put away, oldest first.
    trash: tuple[Trash, ...]


class Resetting:
    """Reset and its trash, of one identity."""

    def __init__(self, folder: IdentityFolder, repository: Repository, locks: Locks) -> None:
        self._folder, self._repository, self._locks = folder, repository, locks

    def preview(self) -> ResetPreview:
        """Say what would be put away; nothing changes."""
        with State.open(self._folder.state) as state:
            sessions = state.records.counts()[RecordState.ACTIVE]
        return ResetPreview(
            files=len(self._repository.tree().paths()),
            sessions=sessions,
            proposals=len(self._repository.proposals()),
            trash=tuple(list_trash(self._repository)),
        )

    def reset(self) -> Trash:
        """Go back to the first files. What stood there, hand edits included, is kept in the trash.

        Which sessions were read stays known, so that they are not learned again; so do the modes of sessions and what
        was forgotten.

        Raises
        ------
        RefusedError: a hand edit cannot be committed, so that no trash would keep it; or a merge is unfinished.
        BusyError: a consolidation, or another writer, is at work.
        """
        with self._locks.hold(Domain.CONSOLIDATION, purpose=_PURPOSE, wait_seconds=PATIENT_SECONDS):
            clear_drafts(self._folder.drafts)
            with State.open(self._folder.state) as state:
                kept = again_when_moved(lambda: self._put_away(state))
                state.compact()
            with SearchIndex.open(self._folder.search) as index:
                index.sync_memory(self._repository.tree())
                index.compact()
            refresh(self._repository.tree(), self._folder.cache)
        return kept

    def purge(self) -> int:
        """Empty the trash; how many objects that were. Raises NotFound, BusyError, GitFailed."""
        with self._locks.hold(Domain.CONSOLIDATION, purpose="emptying the trash", wait_seconds=PATIENT_SECONDS):
            return empty_trash(self._repository)

    def _put_away(self, state: State) -> Trash:
        with self._repository.writing(_PURPOSE):
            for path, reason in self._repository.hand_edits().refused.items():
                raise RefusedError(
                    f"{path} {reason}, so it cannot be put away with the rest",
                    next_step="Correct the file or delete it, then try again.",
                    paths=(path,),
                )
            self._repository.adopt()
            tree = self._repository.tree()
            scrubbed = tree.read_own(SCRUBBED)
            kept = {} if scrubbed is None else {SCRUBBED: scrubbed}
            entries = [
                entry for entry in parse_archive(text_of(tree, ARCHIVE_PATH)) if entry.scope == FORGOTTEN_SESSIONS
            ]
            if entries:
                kept[ARCHIVE_PATH] = render_archive(entries).encode()
            # State and index first: killed in between, the next learn takes the records from the files that still are.
            state.begin_anew(kept_scope=FORGOTTEN_SESSIONS)
            with SearchIndex.open(self._folder.search) as index:
                index.clear()
                index.sync_memory(tree)  # an index of no revision would be filled from all sessions
            return put_in_trash(self._repository, kept)
