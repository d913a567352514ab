"""After a commit that a person made with plain git: the compiled context is made anew, as after every write of ours."""

from pathlib import Path

from vademecum.home import IdentityFolder
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.recall import refresh

__all__ = ["refresh_context"]


def refresh_context(memory: Path) -> None:
    """Compile the newest revision of the memory repository `memory` into the cache of its identity.

    A work tree that is no identity's own (a linked one, a copy elsewhere) has no cache, and none is made.
    """
    folder = IdentityFolder(name=memory.parent.name, root=memory.parent)
    if folder.memory == memory and folder.exists and folder.cache.is_dir():
        refresh(Repository.open(memory, locks=Locks(folder.locks)).tree(), folder.cache)
