"""Reset: memory begins anew. What was there waits in the trash until a person empties it.

Main decides: whoever is killed before it moves has changed nothing. What a reset that was killed after it has still to
empty, the state and the search index, is emptied by the next command that opens the memory: a mark says that it must.
"""

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    FORGOTTEN_SESSIONS,
    SWITCHED_OFF,
    begun_anew_entry,
    parse_archive,
    render_archive,
)
from vademecum.errors import BusyError, RefusedError
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
    has_begun_anew,
    list_trash,
    put_in_trash,
)
from vademecum.private import replace_private_file
from vademecum.recall import SearchIndex, drop_pins, refresh
from vademecum.state import RecordState, State, discard_broken

__all__ = ["ResetPreview", "Resetting", "finish_reset"]

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

        Which sessions were read stays known, so that they are not learned again, and the archive says since when, for
        a database that is lost and for other machines; the modes of sessions and what was forgotten stay, too.

        Raises
        ------
        RefusedError: a hand edit cannot be committed, so that no trash would keep it; or a merge is unfinished.
        BusyError: a consolidation, or another writer, is at work.
        """
        with self._locks.hold(Domain.CONSOLIDATION, purpose=_PURPOSE, wait_seconds=PATIENT_SECONDS):
            clear_drafts(self._folder.drafts)
            # Before main moves: a state that cannot be opened could not be emptied either.
            with State.open(self._folder.state) as state:
                kept = again_when_moved(self._put_away)
                _empty(self._folder, self._repository, state)
        return kept

    def purge(self) -> int:
        """Empty the trash; how many objects that were. Raises NotFound, BusyError, GitFailed."""
        with self._locks.hold(Domain.CONSOLIDATION, purpose="emptying the trash", wait_seconds=PATIENT_SECONDS):
            discard_broken(self._folder.state)
            return empty_trash(self._repository)

    def _put_away(self) -> Trash:
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
            listed = parse_archive(text_of(tree, ARCHIVE_PATH))
            entries = [entry for entry in listed if entry.scope in {FORGOTTEN_SESSIONS, SWITCHED_OFF}]
            entries.append(begun_anew_entry(self._repository.now()))
            kept[ARCHIVE_PATH] = render_archive(entries).encode()
            replace_private_file(self._folder.resetting, tree.revision.encode(), durable=True)
            return put_in_trash(self._repository, kept)


def finish_reset(folder: IdentityFolder, repository: Repository, locks: Locks) -> None:
    """Bring a reset to its end that was killed; one that had not begun memory anew yet has not happened."""
    try:
        with locks.hold(Domain.CONSOLIDATION, purpose=_PURPOSE, wait_seconds=0), State.open(folder.state) as state:
            former = folder.resetting.read_text(encoding="utf-8", errors="replace")
            if has_begun_anew(repository, former):
                _empty(folder, repository, state)
            else:
                folder.resetting.unlink(missing_ok=True)
    except BusyError:
        return  # it is at work at this moment; nothing that others hold here is older than the mark


def _empty(folder: IdentityFolder, repository: Repository, state: State) -> None:
    """Let state, index and cache follow the memory that has begun anew."""
    tree = repository.tree()
    state.begin_anew(kept_scope=FORGOTTEN_SESSIONS)
    state.compact()
    with SearchIndex.open(folder.search) as index:
        index.clear()
        index.sync_memory(tree)  # an index of no revision would be filled from all sessions
        index.compact()
    refresh(tree, folder.cache)
    drop_pins(folder.pins)
    folder.resetting.unlink(missing_ok=True)
