"""New objects are gathered in memory, put on the disk together, and only then get their names in git's store.

libgit2 would write them one by one and wait for the disk twice for each. An object must be on the disk before it has
its name: git never writes one whose name exists, so a torn one would stay for ever.

A `git prune` beside us throws away what nothing refers to yet, and the folders that it empties. So the objects stay in
memory until main names them, and those that it took are written again.
"""

import errno
import os
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from vademecum.memfs.disk.worktree import write_new
from vademecum.memfs.git.opening import objects_with
from vademecum.private import fsync_path

__all__ = ["Gathering", "gathering"]

#: For objects that fit into the window (as a power of two), as nearly all do.
_SMALL_WINDOW, _SMALL_MEMORY = 12, 5
#: How often the folder of an object may vanish before that is no accident any more.
_ATTEMPTS = 20
_MODE = 0o400  # as git's own: nothing ever writes to an object again
_KINDS = {ObjectType.COMMIT: b"commit", ObjectType.TREE: b"tree", ObjectType.BLOB: b"blob"}


class Gathering(pygit2.OdbBackend):
    """The objects that a write has built. libgit2 asks the methods; what they do not know it looks for in the store."""

    def __init__(self) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]  pygit2 leaves it without types
        #: In the order in which they were built, so what an object names stands before it.
        self._objects: dict[pygit2.Oid, tuple[int, bytes]] = {}
        self._loose: dict[pygit2.Oid, bytes] = {}

    def write_cb(self, oid: pygit2.Oid, data: bytes, kind: int) -> None:
        """Take an object that is not in the store."""
        self._objects[oid] = (kind, data)
        # Git's format of a loose object, which has not changed since its first year, and git's own choice of speed.
        header = b"%s %d\0" % (_KINDS[ObjectType(kind)], len(data))
        self._loose[oid] = _deflate(header + data)

    def read_cb(self, oid: pygit2.Oid) -> tuple[int, bytes]:
        """Return kind and content; raises `KeyError`, which sends libgit2 on."""
        return self._objects[oid]

    def read_header_cb(self, oid: pygit2.Oid) -> tuple[int, int]:
        """Return kind and size; raises `KeyError`."""
        kind, data = self._objects[oid]
        return kind, len(data)

    def read_prefix_cb(self, prefix: str) -> tuple[int, bytes, pygit2.Oid]:
        """Return kind, content and id; raises `KeyError`. pygit2 looks everything up like this, whole ids too."""
        oid = self.exists_prefix_cb(prefix)
        return *self._objects[oid], oid

    def exists_cb(self, oid: pygit2.Oid) -> bool:
        """Say whether the object was built here."""
        return oid in self._objects

    def exists_prefix_cb(self, prefix: str) -> pygit2.Oid:
        """Return the id of an object that begins like this; raises `KeyError`."""
        oid = next((oid for oid in self._objects if str(oid).startswith(str(prefix))), None)
        if oid is None:
            raise KeyError(prefix)
        return oid

    def refresh_cb(self) -> None:
        """Nothing is cached."""

    def __iter__(self) -> Iterator[pygit2.Oid]:
        return iter(self._objects)

    def stage(self, folder: Path) -> list[Path]:
        """Write the objects to files in `folder`, and return these; they are not on the disk yet."""
        staged = {folder / str(oid): loose for oid, loose in self._loose.items()}
        for file, loose in staged.items():
            write_new(file, loose, _MODE)
        return list(staged)

    def name(self, folder: Path, store: Path) -> set[Path]:
        """Move staged objects from `folder` to their names, and return the folders that have to be flushed for them.

        What an object names goes before it: a kill in between leaves whole objects that nobody names, never a commit
        that lacks its tree.
        """
        changed: set[Path] = set()
        for name in map(str, self._objects):
            changed |= _put(folder / name, Path(f"{store}/{name[:2]}/{name[2:]}"))
        return changed

    def name_lost(self, folder: Path, store: Path) -> set[Path]:
        """Write the objects again that lie loose no more, and return the folders that have to be flushed for them.

        One that git packed meanwhile is among them: a second copy does no harm.
        """
        changed: set[Path] = set()
        for oid, loose in self._loose.items():
            name = str(oid)
            place = f"{store}/{name[:2]}/{name[2:]}"  # a path object would cost more than the look
            if not os.path.lexists(place):
                again = folder / f"{name}-again"
                again.unlink(missing_ok=True)
                write_new(again, loose, _MODE)
                fsync_path(again)
                changed |= _put(again, Path(place))
        return changed

    def hold(self, oid: pygit2.Oid, kind: int, data: bytes) -> None:
        """Gather an object that the store may have already: if nothing refers to it yet, it may be taken away too."""
        if oid not in self._objects:
            self.write_cb(oid, data, kind)


def _put(staged: Path, place: Path) -> set[Path]:
    """Rename an object into the store; the folder is made where it is missing, or goes at this moment."""
    changed = {place.parent}
    for _ in range(_ATTEMPTS):
        try:
            staged.rename(place)
        except FileNotFoundError:
            place.parent.mkdir(mode=0o700, exist_ok=True)
            changed.add(place.parent.parent)
        else:
            return changed
    raise FileNotFoundError(errno.ENOENT, "git takes away the folder of every new object", str(place.parent))


def _deflate(data: bytes) -> bytes:
    # With git's own window and hash table, most of the time goes into clearing 260 KB of memory for every object.
    window, memory = (_SMALL_WINDOW, _SMALL_MEMORY) if len(data) <= 1 << _SMALL_WINDOW else (zlib.MAX_WBITS, 8)
    packing = zlib.compressobj(zlib.Z_BEST_SPEED, wbits=window, memLevel=memory)
    return packing.compress(data) + packing.flush()


@contextmanager
def gathering(git: pygit2.Repository, store: Path) -> Generator[Gathering]:
    """Gather everything that is written through `git` inside the block; what is in `store` can be read as ever."""
    gathered = Gathering()
    before = git.odb
    git.set_odb(objects_with(gathered, store))
    try:
        yield gathered
    finally:
        git.set_odb(before)
