"""Git's own lock files: replace a file of `.git` as git would, so that git and we never overwrite each other."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from vademecum.errors import BusyError
from vademecum.memfs.worktree import fsync_folder, write_file

__all__ = ["GitLock", "drop_own_lock", "git_lock", "lock_of"]


class GitLock:
    """A held `<target>.lock`: fill it with the next content, then publish it in the target's place."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._file = lock_of(target)
        self.held = True

    def fill(self, content: bytes) -> None:
        """Write the next content of the target to the lock file, durably."""
        with self._file.open("r+b") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())

    def publish(self) -> None:
        """Put what was filled in into the target's place. The lock is given back by this."""
        self._file.rename(self._target)
        self.held = False  # from here on a lock of this name is somebody else's
        fsync_folder(self._target.parent)


@contextmanager
def git_lock(target: Path) -> Generator[GitLock]:
    """Hold `<target>.lock`. Leaving the block without `publish` changes nothing.

    Raises
    ------
    BusyError: git, or somebody using its protocol, holds the lock.
    """
    file = lock_of(target)
    try:
        write_file(file, b"")
    except FileExistsError as error:
        raise BusyError(
            f"a git command is at work in the memory repository ({file.name} exists)",
            next_step=f"Try again when it has ended; if no git command runs, delete {file}.",
        ) from error
    lock = GitLock(target)
    try:
        yield lock
    finally:
        if lock.held:
            file.unlink()


def drop_own_lock(target: Path, content: bytes) -> None:
    """Delete `<target>.lock` when a killed writer of ours left it, which was about to fill it with `content`."""
    file = lock_of(target)
    try:
        found = file.read_bytes()
    except FileNotFoundError:
        return
    if content.startswith(found):
        file.unlink()


def lock_of(target: Path) -> Path:
    """Return git's lock file for `target`."""
    return target.with_name(target.name + ".lock")
