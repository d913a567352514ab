"""What was ever in memory: the paths and contents of all commits, for who looks for what is gone since."""

from collections.abc import Iterator

import pygit2

from vademecum.memfs.commits.commit import files_in_history, history_of
from vademecum.memfs.git.holders import own_roots
from vademecum.memfs.git.opening import git_failures, open_git
from vademecum.memfs.repository import Repository

__all__ = ["Former", "paths_ever"]


class Former:
    """Every version of every file that any of our references can reach."""

    def __init__(self, repository: Repository) -> None:
        self._root = repository.folder
        with git_failures(self._root):
            self._git = open_git(self._root)
            self._files = files_in_history(self._git, history_of(self._git, own_roots(self._git, self._root)))

    def paths(self) -> list[str]:
        """List all paths, sorted by code point."""
        return sorted(self._files)

    def blobs(self, path: str) -> frozenset[str]:
        """Return the ids of all contents that the file had; none where there was no such file."""
        return frozenset(self._files.get(path, ()))

    def versions(self, path: str) -> Iterator[bytes]:
        """Read all contents that the file had, in no order that means something."""
        for blob in sorted(self.blobs(path)):
            with git_failures(self._root):
                yield self._git[blob].peel(pygit2.Blob).data


def paths_ever(repository: Repository) -> list[str]:
    """List every path that a commit on main has or had, sorted by code point."""
    with git_failures(repository.folder):
        return sorted(files_in_history(repository.git, history_of(repository.git, [repository.head()])))
