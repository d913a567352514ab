"""One committed state of the memory: what readers see. Files on disk that nobody committed do not exist here."""

from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import pygit2
from pygit2.enums import SortMode

from vademecum.errors import NotFound
from vademecum.memfs.git.objects import Listing, blob_at, changes_between, list_tree
from vademecum.memfs.git.opening import git_failures
from vademecum.memfs.messages import parse_provenance
from vademecum.memfs.pages.text import decode
from vademecum.memfs.records import Change, Writer

__all__ = ["OWN_FOLDER", "Tree"]

#: Files of the program's own in the repository. They are no memory: no list, reader or draft shows them.
OWN_FOLDER = ".vademecum/"

#: Each look-up reads its folders anew, which takes milliseconds where a folder holds thousands of files.
_MOST_LOOK_UPS = 32


class Tree:
    """The regular files of one revision. Immutable; the list is read when it is first needed.

    Parameters
    ----------
    revision: the commit, 40 hexadecimal digits.
    tree_id: its tree, 40 hexadecimal digits; equal for equal content.
    """

    def __init__(self, git: pygit2.Repository, revision: str, tree_id: str) -> None:
        self._git = git
        self._root = Path(git.workdir)
        self.revision = revision
        self.tree_id = tree_id
        self._asked = 0

    @classmethod
    def at(cls, git: pygit2.Repository, revision: str) -> "Tree":
        """Return the state of a commit, 40 hexadecimal digits."""
        return cls(git, revision, str(git[revision].peel(pygit2.Commit).tree_id))

    @cached_property
    def _listing(self) -> Listing:
        with git_failures(self._root):
            return list_tree(self._git, pygit2.Oid(hex=self.tree_id))

    @cached_property
    def _files(self) -> dict[str, pygit2.Oid]:
        return {path: blob for path, blob in self._listing.files.items() if not path.startswith(OWN_FOLDER)}

    def links(self) -> list[str]:
        """List the symbolic links that somebody committed, sorted; they are no files of memory."""
        return list(self._listing.links)

    def paths(self) -> list[str]:
        """List all paths, sorted by code point."""
        return list(self._files)

    def below(self, folder: str) -> list[str]:
        """List the paths below a folder, which ends with a slash, sorted: of thousands of files those few only."""
        paths = self.paths()
        after = folder[:-1] + chr(ord("/") + 1)
        return paths[bisect_left(paths, folder) : bisect_left(paths, after)]

    def blobs(self) -> Mapping[str, pygit2.Oid]:
        """Map all paths to the ids of their content; for the other modules of this room."""
        return self._files

    def has(self, path: str) -> bool:
        """Say whether the file exists."""
        return self._find(path) is not None

    def read(self, path: str) -> str:
        """Return the whole text of a file, header included.

        Raises
        ------
        NotFound: there is no such file at this revision.
        FrontMatterInvalid: the file is not UTF-8 text (the message says what it seems to be).
        """
        return decode(self.read_bytes(path), path)

    def read_bytes(self, path: str) -> bytes:
        """Return a file as it was committed; raises `NotFound`."""
        blob = self._blob(path)
        with git_failures(self._root):
            return self._git[blob].peel(pygit2.Blob).data

    def content(self, path: str) -> bytes | None:
        """Return a file as it was committed, or None where there is none."""
        return self.read_bytes(path) if self.has(path) else None

    def size(self, path: str) -> int:
        """Return the size of a file in bytes; raises `NotFound`."""
        blob = self._blob(path)
        with git_failures(self._root):
            return self._git.odb.read_header(blob)[1]

    def blob_id(self, path: str) -> str:
        """Return the id of a file's content, 40 hexadecimal digits; raises `NotFound`."""
        return str(self._blob(path))

    def diff(self, other: "Tree") -> list[Change]:
        """List what has to change for this tree to become `other`, sorted by path."""
        with git_failures(self._root):
            found = changes_between(self._git, pygit2.Oid(hex=self.tree_id), pygit2.Oid(hex=other.tree_id))
        return [change for change in found if not change.path.startswith(OWN_FOLDER)]

    def newest_of(self, writer: Writer) -> "Tree | None":
        """Return the state of the newest commit up to this revision that this writer made, or None."""
        with git_failures(self._root):
            for commit in self._git.walk(pygit2.Oid(hex=self.revision), SortMode.TOPOLOGICAL):
                if parse_provenance(commit.message).writer is writer:
                    return Tree(self._git, str(commit.id), str(commit.tree_id))
        return None

    def read_own(self, path: str) -> bytes | None:
        """Return one of the program's own files below `OWN_FOLDER`, or None."""
        with git_failures(self._root):
            blob = blob_at(self._git[self.tree_id].peel(pygit2.Tree), path)
            return None if blob is None else self._git[blob].peel(pygit2.Blob).data

    def _blob(self, path: str) -> pygit2.Oid:
        blob = self._find(path)
        if blob is None:
            raise NotFound(f"there is no {path} at {self.revision[:10]}", paths=(path,))
        return blob

    def _find(self, path: str) -> pygit2.Oid | None:
        # One look-up walks a few folders; the list of all files is only worth its time to who needs it anyway.
        if path.startswith(OWN_FOLDER):
            return None
        self._asked += 1
        if "_files" in self.__dict__ or self._asked > _MOST_LOOK_UPS:
            return self._files.get(path)
        with git_failures(self._root):
            return blob_at(self._git[self.tree_id].peel(pygit2.Tree), path)
