"""The first write of an identity: its folders and its repository."""

from vademecum.engine.losing import take_up
from vademecum.home import IdentityFolder
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.recall import refresh

__all__ = ["begin_memory", "found_memory", "open_memory"]


def found_memory(folder: IdentityFolder, locks: Locks) -> Repository:
    """The identity's repository, made where nothing is.

    Raises RepositoryMissing where files lie without their history (`vade init` begins a new one beside them);
    UnsafePath, BusyError, StorageError.
    """
    if not folder.exists and not folder.is_blank:
        return open_memory(folder, locks)
    return begin_memory(folder, locks)


def begin_memory(folder: IdentityFolder, locks: Locks) -> Repository:
    """As `found_memory`, but files that lie there become hand edits of a new history."""
    existed = folder.exists
    folder.create()
    repository = Repository.create(folder.memory, locks=locks, cache=folder.cache)
    if not existed:
        take_up(folder, repository)
        refresh(repository.tree(), folder.cache)
    _finish(folder, repository, locks)
    return repository


def open_memory(folder: IdentityFolder, locks: Locks) -> Repository:
    """The identity's repository, which must be there; a reset that was killed comes to its end.

    Raises RepositoryMissing.
    """
    repository = Repository.open(folder.memory, locks=locks, cache=folder.cache)
    _finish(folder, repository, locks)
    return repository


def _finish(folder: IdentityFolder, repository: Repository, locks: Locks) -> None:
    if folder.resetting.exists():
        from vademecum.engine.resetting import finish_reset  # a reader should not wait for what is hardly ever needed

        finish_reset(folder, repository, locks)
