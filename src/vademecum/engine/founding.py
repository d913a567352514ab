"""The first write of an identity: its folders and its repository."""

from vademecum.home import IdentityFolder
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.recall import refresh

__all__ = ["found_memory"]


def found_memory(folder: IdentityFolder, locks: Locks) -> Repository:
    """The identity's repository, made where there is none. Raises UnsafePath, BusyError, StorageError."""
    existed = folder.exists
    folder.create()
    repository = Repository.create(folder.memory, locks=locks)
    if not existed:
        refresh(repository.tree(), folder.cache)
    return repository
