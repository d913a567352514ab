"""Move the branch to a new commit, then bring work tree and index along. Killed at any point, the next writer finishes.

The order is what makes it safe. Before the branch moves, everything that needs space is on the disk already: the
objects, the next index, the next content of each touched file, and a note of what is about to happen
(`.git/vademecum/pending.json`). The branch then moves by one rename, which decides between the old and the new state.
What remains is renames. Git's own lock files (`index.lock`, `main.lock`) are held as git would hold them, so that a
`git commit` that a person runs at the same time is refused instead of undoing ours; one left by a killed writer of ours
is known by its content.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import pygit2

from vademecum.errors import HeadMoved, StorageError, UnsafePath
from vademecum.memfs.git import MAIN
from vademecum.memfs.gitlock import drop_own_lock, git_lock
from vademecum.memfs.index import next_index
from vademecum.memfs.objects import blob_at, changes_between
from vademecum.memfs.worktree import WorkTree, fsync_folder, write_file
from vademecum.private import make_private_folders

__all__ = ["BlobChange", "Publication"]

_NO_COMMIT = "0" * 40


class BlobChange(NamedTuple):
    """A path's content before and after; None where there is no file."""

    old: pygit2.Oid | None
    new: pygit2.Oid | None


class _Pending(msgspec.Struct, frozen=True, kw_only=True):
    """What a writer was about to do when it was last seen."""

    #: The commit that it found; None before the first one.
    old: str | None
    #: The commit that it made.
    new: str


class Publication:
    """Moves the main branch of one repository. Every call needs the `memory-write` lock."""

    def __init__(self, root: Path, git: pygit2.Repository) -> None:
        self._git = git
        self._git_dir = root / ".git"
        self._main_file = self._git_dir / MAIN
        self._staging = self._git_dir / "vademecum"
        self._pending_file = self._staging / "pending.json"
        self._next_index = self._staging / "index"
        self._files = WorkTree(root)

    def move_main(self, old: str | None, new: str) -> None:
        """Make `new`, a child of `old`, the tip of main, and refresh the files that differ between the two.

        Raises
        ------
        HeadMoved: main is not at `old` any more.
        BusyError: a git command of the person's holds one of git's locks.
        StorageError: the disk failed after the branch moved. An `OSError` means that it failed before: nothing has
        changed.
        """
        changes = self._blob_changes(old, new)
        try:
            self._stage(old, new, changes)
            self._switch(old, new, changes)
            self._refresh(changes)
            shutil.rmtree(self._staging)
        except OSError as error:
            if self._main() != new:
                raise
            raise StorageError(
                f"the files of commit {new[:10]} could not all be refreshed: {error.strerror}",
                intact=f"The change is committed as {new[:10]}; the next write brings the files up to date.",
            ) from error
        finally:
            if self._main() != new:
                shutil.rmtree(self._staging, ignore_errors=True)

    def reset_entries(self, head: str, entries: Mapping[str, tuple[pygit2.Oid | None, pygit2.Oid | None]]) -> None:
        """Move index entries from one blob to another, when they are still at the first; raises `BusyError`."""
        self._staging.mkdir(mode=0o700)
        try:
            write_file(self._pending_file, msgspec.json.encode(_Pending(old=head, new=head)))
            with git_lock(self._git_dir / "index") as index:
                index.fill(next_index(self._git_dir, self._next_index, self._tree(head), entries))
                index.publish()
        finally:
            shutil.rmtree(self._staging)

    @property
    def is_idle(self) -> bool:
        """True when no writer is at work, and none was killed at it."""
        return not self._staging.exists()

    def recover(self) -> None:
        """Finish or clear away what a killed writer left. A file that somebody edited since stays as it is."""
        if self.is_idle:
            return
        pending = self._read_pending()
        if pending is not None:
            drop_own_lock(self._main_file, f"{pending.new}\n".encode())
            filled = self._next_index.read_bytes() if self._next_index.exists() else b""
            drop_own_lock(self._git_dir / "index", filled)
            self._catch_up(pending)
        shutil.rmtree(self._staging)

    def _stage(self, old: str | None, new: str, changes: Mapping[str, BlobChange]) -> None:
        self._staging.mkdir(mode=0o700)
        for path, change in changes.items():
            if change.new is not None:
                self._files.make_folder_of(path)
                self._stage_file(change.new)
        write_file(self._pending_file, msgspec.json.encode(_Pending(old=old, new=new)))
        fsync_folder(self._staging)
        # New fan-out folders of the object store: libgit2 puts their files on the disk, not their names.
        fsync_folder(self._git_dir / "objects")

    def _switch(self, old: str | None, new: str, changes: Mapping[str, BlobChange]) -> None:
        make_private_folders(self._main_file.parent)
        # The index is read when its lock is held: what a person stages until then is kept.
        with git_lock(self._git_dir / "index") as index, git_lock(self._main_file) as main:
            index.fill(next_index(self._git_dir, self._next_index, self._tree(old), changes))
            main.fill(f"{new}\n".encode())
            if self._main() != old:
                raise HeadMoved(f"main moved away from {(old or _NO_COMMIT)[:10]} while a commit was built on it")
            self._append_reflog(old, new)
            main.publish()
            index.publish()

    def _refresh(self, changes: Mapping[str, BlobChange]) -> None:
        for path, change in changes.items():
            if not self._is_at(path, change.old):
                continue
            if change.new is None:
                self._files.remove(path)
            else:
                self._files.take_over(self._stage_file(change.new), path)

    def _catch_up(self, pending: _Pending) -> None:
        head = self._main()
        if head is None:
            return
        tip = self._tree(head)
        changes = {
            path: change
            for path, change in self._blob_changes(pending.old, pending.new).items()
            if blob_at(tip, path) == change.new
        }
        with git_lock(self._git_dir / "index") as index:
            index.fill(next_index(self._git_dir, self._next_index, tip, changes))
            index.publish()
        self._refresh(changes)

    def _is_at(self, path: str, blob: pygit2.Oid | None) -> bool:
        try:
            data = self._files.read(path)
        except UnsafePath:
            return False  # somebody put a link or a folder there: theirs to keep
        return (None if data is None else pygit2.hash(data)) == blob

    def _stage_file(self, blob: pygit2.Oid) -> Path:
        file = self._staging / str(blob)
        if not file.exists():
            write_file(file, self._git[blob].peel(pygit2.Blob).data)
        return file

    def _blob_changes(self, old: str | None, new: str) -> dict[str, BlobChange]:
        old_tree, new_tree = self._tree(old), self._commit(new).tree
        changes = changes_between(self._git, None if old_tree is None else old_tree.id, new_tree.id)
        return {c.path: BlobChange(blob_at(old_tree, c.path), blob_at(new_tree, c.path)) for c in changes}

    def _append_reflog(self, old: str | None, new: str) -> None:
        commit = self._commit(new)
        author = commit.committer
        subject = commit.message.partition("\n")[0]
        line = f"{old or _NO_COMMIT} {new} {author.name} <{author.email}> {author.time} +0000\tcommit: {subject}\n"
        for name in ("HEAD", MAIN):
            file = self._git_dir / "logs" / name
            make_private_folders(file.parent)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
            with os.fdopen(os.open(file, flags, 0o600), "ab") as stream:
                stream.write(line.encode())

    def _read_pending(self) -> _Pending | None:
        try:
            return msgspec.json.decode(self._pending_file.read_bytes(), type=_Pending)
        except (FileNotFoundError, msgspec.DecodeError):
            return None  # killed before the note was whole: nothing had begun

    def _main(self) -> str | None:
        reference = self._git.references.get(MAIN)
        return None if reference is None else str(reference.target)

    def _commit(self, revision: str) -> pygit2.Commit:
        return self._git[revision].peel(pygit2.Commit)

    def _tree(self, revision: str | None) -> pygit2.Tree | None:
        return None if revision is None else self._commit(revision).tree
