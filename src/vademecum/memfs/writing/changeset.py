"""What a write really changes: edits against one tree, checked against the tree's names and the person's work tree."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pygit2

from vademecum.errors import DirtyPath, RefusedError, UnsafePath
from vademecum.memfs.commits.commit import was_at
from vademecum.memfs.disk.worktree import WorkTree
from vademecum.memfs.git.index import StagedIndex
from vademecum.memfs.git.objects import blob_at, link_at, list_files, updated_tree
from vademecum.memfs.pages.paths import collision_words, collisions
from vademecum.memfs.writing.refreshing import FileChange, is_link_at

__all__ = ["Changeset"]


class Changeset:
    """Edits of one tree, without those that would change nothing.

    Parameters
    ----------
    tree_id: the tree that is edited; None for the empty one.
    edits: for each path its whole next content, or None to delete it.
    """

    def __init__(self, git: pygit2.Repository, tree_id: str | None, edits: Mapping[str, bytes | None]) -> None:
        self._git = git
        self._tree_id = None if tree_id is None else pygit2.Oid(hex=tree_id)
        tree = None if tree_id is None else git[tree_id].peel(pygit2.Tree)
        self._present = {path: blob_at(tree, path) for path in edits}
        #: Symbolic links that somebody committed there: what they are is known, so they stand in nobody's way.
        self._links = {path: link_at(tree, path) for path in edits}
        self._next = {path: None if data is None else pygit2.hash(data) for path, data in edits.items()}
        self.edits = {path: data for path, data in edits.items() if self._is_change(path)}

    @property
    def files(self) -> dict[str, FileChange]:
        """What the edits make of each file."""
        return {
            path: FileChange(self._present[path], self._next[path], data, self._links[path])
            for path, data in self.edits.items()
        }

    def obstacles(self, root: Path, index: StagedIndex) -> dict[str, RefusedError]:
        """Say what stands in the way of an edit, by path: a colliding name, a link, a hand edit in the work tree."""
        files = WorkTree(root)
        found = self._collisions()
        for path in self.edits.keys() - found.keys():
            try:
                is_staged_link = index.blob(path) == self._links[path]
                is_clean = is_staged_link or self._is_known(path, index.blob(path))
                stands_as_link = is_link_at(files, path, self._links[path])
                if not (is_clean and (stands_as_link or self._is_known(path, _blob_of(files.read(path))))):
                    found[path] = DirtyPath(f"{path} has a hand edit that is not committed", paths=(path,))
            except UnsafePath as error:
                found[path] = error
        return {path: found[path] for path in self.edits if path in found}

    def bring_back(self, root: Path, index: StagedIndex, revision: str) -> None:
        """Bring entries of the index that fell back to an earlier commit to the present one, which the file is at.

        `git commit` (2.39) reads the index before it locks it. When one of our commits comes in between, git refuses
        its own, but has written the old entries back; the person's next commit would then undo ours.
        """
        for path in self.edits:
            staged, present = index.blob(path), self._present[path]
            if self._is_known(path, staged) or not was_at(self._git, revision, path, staged):
                continue
            with suppress(UnsafePath):  # told as an obstacle
                if _blob_of(WorkTree(root).read(path)) == present:
                    index.move(path, staged, present)

    def _collisions(self) -> dict[str, RefusedError]:
        added = [path for path in self.edits if self._present[path] is None]
        if not added:
            return {}
        # Deleted ones count as well: where the names are one, the file that is refreshed last would win.
        existing = {} if self._tree_id is None else list_files(self._git, self._tree_id)
        return {
            path: UnsafePath(f"{path} {collision_words(other)}", paths=(path, other))
            for path, other in collisions(added, existing).items()
        }

    def write_tree(self) -> pygit2.Oid:
        """Write the blobs and trees, and return the tree that the edits make."""
        blobs = {path: None if data is None else self._git.create_blob(data) for path, data in self.edits.items()}
        return updated_tree(self._git, self._tree_id, blobs)

    def _is_change(self, path: str) -> bool:
        return self._next[path] != self._present[path] or self._links[path] is not None

    def _is_known(self, path: str, blob: pygit2.Oid | None) -> bool:
        return blob in (self._present[path], self._next[path])


def _blob_of(data: bytes | None) -> pygit2.Oid | None:
    return None if data is None else pygit2.hash(data)
