"""Move the branch to a new commit, then bring work tree and index along. Killed at any point, the next writer finishes.

Git's own locks (`index.lock`, `main.lock`) are held over the whole, so that a `git commit` that a person runs at the
same time is refused instead of undoing ours. The order is what makes it safe, also when the power fails:

1. Everything that needs space is written beside what it will replace, and put on the disk: the new objects, the next
   index, the next content of each touched file, the next tip, and a note of what is about to happen. Until here nothing
   has a name that git knows; leaving the block removes all of it.
2. The objects get their names, and the names are put on the disk: what main is about to name is there, whole.
   What a `git prune` takes of it, now or after step 3, is written again.
3. The tip is renamed over main, and that name is put on the disk. This decides between the old and the new state.
4. Index and files are renamed into place, and their names are put on the disk. Only then the note goes.

A writer that dies, or whose disk fails, after step 1 leaves the note; `recovery` takes it up. It finds main at the old
commit with no file changed (steps 1 and 2), or at the new one with some files still old (steps 3 and 4). Step 3 waits
for the disk on its own for that reason: a file that is new while main came back old would look like a hand edit.
"""

import errno
import shutil
from collections.abc import Generator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from vademecum.errors import HeadMoved, StorageError
from vademecum.memfs.disk.flushing import begin, flush, fsync_job
from vademecum.memfs.disk.worktree import WorkTree, write_new
from vademecum.memfs.git.gathering import Gathering, gathering
from vademecum.memfs.git.index import StagedIndex
from vademecum.memfs.git.lock import git_lock
from vademecum.memfs.git.opening import MAIN
from vademecum.memfs.git.reflogs import NO_COMMIT, append_reflogs
from vademecum.memfs.git.refs import head
from vademecum.memfs.writing.refreshing import FileChange, brought_folders, refresh, stage_files
from vademecum.private import fsync_path, make_private_folders

__all__ = ["Places", "Publication", "places_in", "publishing"]

#: How often objects may be taken away before that is no accident any more.
_ATTEMPTS = 20


class Places:
    """Where git keeps what a write replaces, and where the write keeps what is not published yet."""

    def __init__(self, root: Path) -> None:
        self.git_dir = root / ".git"
        self.objects = self.git_dir / "objects"
        self.index = self.git_dir / "index"
        self.main = self.git_dir / MAIN
        #: There from before git's locks are taken until after they are given back.
        self.staging = self.git_dir / "vademecum"
        self.next_index = self.staging / "index"
        self.next_main = self.staging / "main"

    def note(self, old: str | None, new: str) -> Path:
        """An empty file whose name says from where to where main moves: it is there or not, never half written."""
        return self.staging / f"{old or NO_COMMIT}-{new}"

    def noted(self) -> tuple[str | None, str] | None:
        """Return the move that the writer who was last seen had prepared."""
        for file in self.staging.iterdir():
            old, dash, new = file.name.partition("-")
            if dash and len(old) == len(new) == len(NO_COMMIT):
                return None if old == NO_COMMIT else old, new
        return None


@lru_cache(maxsize=8)
def places_in(root: Path) -> Places:
    """The places of one repository."""
    return Places(root)


class Publication:
    """One move of main, while git's locks are held. Get it from `publishing`."""

    def __init__(self, places: Places, git: pygit2.Repository, index: Future[StagedIndex], objects: Gathering) -> None:
        #: The tip of main, once it has moved.
        self.moved_to: str | None = None
        #: True when what is on the disk has to be completed or cleared away by `recovery`.
        self.is_half_done = False
        self._places = places
        self._git = git
        self._index = index
        self._objects = objects
        self._files = WorkTree(places.git_dir.parent)

    @property
    def index(self) -> StagedIndex:
        """What is staged. Entries may be changed until main moves."""
        return self._index.result()

    def move_main(self, old: str | None, new: str, changes: Mapping[str, FileChange]) -> None:
        """Make the commit `new` the tip of main in the place of `old`, and refresh the files that differ."""
        for change in changes.values():
            if change.new is not None and change.data is not None:
                self._objects.hold(change.new, ObjectType.BLOB, change.data)
        staged = self._stage(old, new, changes)
        self.is_half_done = True
        self._name_objects()
        # Not before: libgit2 remembers what it has read, also where nothing comes of it.
        for oid in brought_folders(self._git, new, changes):
            self._objects.hold(oid, *self._git.read(oid))
        self._replace_lost()
        append_reflogs(self._git, old, new)
        self._places.next_main.rename(self._places.main)
        self.moved_to = new
        fsync_path(self._places.main.parent)
        # A `git prune` that looked before main moved takes the objects after it.
        self._replace_lost()
        self._refresh(changes, staged)
        self._replace_lost()
        self.is_half_done = False

    def _stage(self, old: str | None, new: str, changes: Mapping[str, FileChange]) -> dict[str, Path]:
        places = self._places
        objects = self._objects.stage(places.staging)
        staged = stage_files(places.staging, self._files, changes)
        write_new(places.next_main, f"{new}\n".encode())
        write_new(places.note(old, new), b"")
        for path, change in changes.items():
            self.index.move(path, change.link or change.old, change.new)
        # The index first: it is the largest, and the disk works on the others while it is written.
        flush([self.index.write, *map(fsync_job, [*objects, *staged.values(), places.next_main])])
        return staged

    def _name_objects(self) -> None:
        places = self._places
        folders = self._objects.name(places.staging, places.objects)
        with suppress(FileNotFoundError):  # a folder that was emptied and went: what was in it is written again
            flush(map(fsync_job, [*folders, places.staging, places.git_dir]))

    def _replace_lost(self) -> None:
        """Write new objects again that a `git prune` took, until all of them are there."""
        places = self._places
        for _ in range(_ATTEMPTS):
            folders = self._objects.name_lost(places.staging, places.objects)
            if not folders:
                return
            with suppress(FileNotFoundError):
                flush(map(fsync_job, folders))
        raise FileNotFoundError(errno.ENOENT, "git takes away every new object", str(places.objects))

    def _refresh(self, changes: Mapping[str, FileChange], staged: Mapping[str, Path]) -> None:
        self.index.publish()
        flush([fsync_job(self._places.git_dir), *refresh(self._files, changes, staged)])


@contextmanager
def publishing(root: Path, git: pygit2.Repository, old: str | None) -> Generator[Publication]:
    """Hold git's locks, so that main stays at `old` and nothing is staged; what `git` writes inside waits to be kept.

    Leaving the block without `move_main` changes nothing. Needs the `memory-write` lock.

    Raises
    ------
    HeadMoved: main is not at `old` any more.
    BusyError: a git command of the person's holds one of git's locks.
    StorageError: the disk failed after main moved. An `OSError` means that it failed before: nothing has changed.
    """
    places = places_in(root)
    publication = None
    places.staging.mkdir(mode=0o700)
    try:
        make_private_folders(places.main.parent)
        with git_lock(places.index), git_lock(places.main), gathering(git, places.objects) as objects:
            if head(git) != old:
                raise HeadMoved(f"main moved away from {(old or NO_COMMIT)[:10]} while a commit was built on it")
            # Reading the index takes as long as building a small commit: both at once.
            index = begin(partial(StagedIndex, places.index, places.next_index, _tree(git, old)))
            try:
                publication = Publication(places, git, index, objects)
                yield publication
            finally:
                wait([index])  # it writes to the folder that goes
    except OSError as error:
        if publication is None or publication.moved_to is None:
            raise
        moved_to = publication.moved_to[:10]
        raise StorageError(
            f"the files of commit {moved_to} could not all be refreshed: {error.strerror}",
            intact=f"The change is committed as {moved_to}; the next write brings the files up to date.",
        ) from error
    finally:
        if publication is None or not publication.is_half_done:
            # After the locks: a half-written one is only known for ours while this folder is there.
            _clear(places.staging)


def _clear(staging: Path) -> None:
    """Remove the folder: mostly there is only the note left in it."""
    with suppress(OSError):
        for left in staging.iterdir():
            left.unlink()
        staging.rmdir()
        return
    shutil.rmtree(staging, ignore_errors=True)


def _tree(git: pygit2.Repository, revision: str | None) -> pygit2.Tree | None:
    return None if revision is None else git[revision].peel(pygit2.Commit).tree
