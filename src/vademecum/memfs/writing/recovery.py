"""Complete or clear away what a writer left that was killed, or whose disk failed. `publication` says what that can be.

Nothing has to be known about the writer: whoever holds the `memory-write` lock and finds the staging folder knows that
its owner is gone.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pygit2

from vademecum.memfs.disk.flushing import flush, fsync_job
from vademecum.memfs.disk.worktree import WorkTree
from vademecum.memfs.git.index import StagedIndex
from vademecum.memfs.git.lock import drop_own_lock, drop_whole_lock, git_lock
from vademecum.memfs.git.objects import blob_at
from vademecum.memfs.git.opening import MAIN
from vademecum.memfs.git.refs import PACKED, head
from vademecum.memfs.writing.publication import Places, places_in
from vademecum.memfs.writing.refreshing import FileChange, file_changes, refresh, stage_files

__all__ = ["is_idle", "recover"]


def is_idle(root: Path) -> bool:
    """Say whether no writer is at work, and none was killed at it."""
    return not places_in(root).staging.exists()


def recover(root: Path, git: pygit2.Repository) -> None:
    """Finish what a killed writer began. A file that somebody edited since stays as it is.

    Needs the `memory-write` lock. Raises `BusyError` when a git command of the person's holds one of git's locks.
    """
    places = places_in(root)
    # Whoever drops a reference prepares nothing else: there is no staging folder to tell of it.
    drop_whole_lock(places.git_dir / PACKED)
    if is_idle(root):
        return
    drop_own_lock(places.main)
    drop_own_lock(places.index)
    move = places.noted()
    if move is not None:
        # Objects whose names were not put on the disk: the same edit made again would find them and not write them.
        flush(map(fsync_job, [folder for folder in places.objects.iterdir() if folder.is_dir()] + [places.objects]))
        changes = _unfinished(git, *move)
        if changes:
            _finish(places, git, changes)
    shutil.rmtree(places.staging)


def _unfinished(git: pygit2.Repository, old: str | None, new: str) -> dict[str, FileChange]:
    """Find what the writer's commit changed and main still holds; nothing when it never got there."""
    tip = head(git)
    # Only what main reaches is known to be whole: after a power failure a commit may be there without its tree.
    if tip is None or (tip != new and not (new in git and git.descendant_of(tip, new))):
        return {}
    present = git[tip].peel(pygit2.Commit).tree
    changes = file_changes(git, old, new)
    return {path: change for path, change in changes.items() if blob_at(present, path) == change.new}


def _finish(places: Places, git: pygit2.Repository, changes: Mapping[str, FileChange]) -> None:
    files = WorkTree(places.git_dir.parent)
    # What the writer staged may be used up, or half written: all of it is made anew.
    again = places.staging / "again"
    shutil.rmtree(again, ignore_errors=True)
    again.mkdir(mode=0o700)
    with git_lock(places.index):
        index = StagedIndex(places.index, again / "index", git.revparse_single(MAIN).peel(pygit2.Tree))
        for path, change in changes.items():
            index.move(path, change.link or change.old, change.new)
        staged = stage_files(again, files, changes)
        flush([index.write, *map(fsync_job, staged.values())])
        index.file.rename(places.index)
        flush([fsync_job(places.git_dir), *refresh(files, changes, staged)])
