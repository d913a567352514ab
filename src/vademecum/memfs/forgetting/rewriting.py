"""Rewrite history: every commit that can be reached, without some files and with others cleaned, parents first.

Nothing is moved here: the result is a map from old commits to new ones. A commit in whose past nothing changes keeps
its id. Commits are edited as bytes, so that what we do not know of (encodings, authors, trailers) stays as it is; only
signatures go, because they would no longer be true.
"""

import re
from collections.abc import Callable, Iterable, Mapping

import pygit2
from pygit2.enums import FileMode, ObjectType

from vademecum.memfs.commits.commit import history_of
from vademecum.memfs.messages import neutral

__all__ = ["Clean", "Rewriter", "with_tree"]

#: From the content of a file in some version to what is left of it; None: the file goes.
Clean = Callable[[bytes], bytes | None]

_HEADERS_END = b"\n\n"
_ID = re.compile(rb"\b[0-9a-f]{40}\b")
#: Signatures cover the old bytes. Their further lines begin with a space.
_SIGNATURE = re.compile(rb"\n(?:gpgsig|gpgsig-sha256|mergetag) [^\n]*(?:\n [^\n]*)*")


class Rewriter:
    """One rewriting. New objects are written as they come; nothing refers to them yet.

    Parameters
    ----------
    changes: by path, what is left of each version of the file.
    quotes: says whether a commit's message repeats what is to go.
    """

    def __init__(self, git: pygit2.Repository, changes: Mapping[str, Clean], quotes: Callable[[str], bool]) -> None:
        self._git, self._changes, self._quotes = git, changes, quotes
        self._folders = {path[:at] for path in changes for at, sign in enumerate(path) if sign == "/"}
        self._trees: dict[tuple[pygit2.Oid, str], pygit2.Oid | None] = {}
        self._blobs: dict[tuple[pygit2.Oid, str], pygit2.Oid | None] = {}
        #: Old commit -> new commit; the same one where nothing changes.
        self.commits: dict[str, str] = {}
        #: Ids of the contents that some version had and none has any more at its path.
        self.removed: set[str] = set()

    def rewrite(self, history: Iterable[pygit2.Commit]) -> None:
        """Rewrite these commits: all that can be reached from some, parents first."""
        for commit in history:
            if str(commit.id) not in self.commits:
                self.commits[str(commit.id)] = self._commit(commit)

    def changes_any(self, commits: Iterable[str]) -> bool:
        """Say whether any of these commits, or one in its past, holds what is to go."""
        found = list(commits)
        self.rewrite(history_of(self._git, found))
        return any(self.commits[commit] != commit for commit in found)

    def tree(self, tree_id: pygit2.Oid) -> pygit2.Oid:
        """Write what is left of a root tree."""
        left = self._tree(tree_id, "")
        return left if left is not None else self._git.TreeBuilder().write()

    def _commit(self, commit: pygit2.Commit) -> str:
        tree = self.tree(commit.tree_id)
        headers, _, message = _raw(self._git, commit.id).partition(_HEADERS_END)
        new_message = self._message(message, emptied=self._is_emptied(commit, tree))
        moved = {str(parent).encode(): self.commits[str(parent)].encode() for parent in commit.parent_ids}
        if tree == commit.tree_id and new_message == message and all(old == new for old, new in moved.items()):
            return str(commit.id)
        moved[str(commit.tree_id).encode()] = str(tree).encode()
        return _write(self._git, headers, moved, new_message)

    def _message(self, message: bytes, *, emptied: bool) -> bytes:
        text = message.decode(errors="replace")
        told = neutral(text).encode() if emptied or self._quotes(text) else message
        return _ID.sub(lambda found: self.commits.get(found[0].decode(), found[0].decode()).encode(), told)

    def _is_emptied(self, commit: pygit2.Commit, tree: pygit2.Oid) -> bool:
        """Whether all that the commit did is gone: its message can only tell of that."""
        if not commit.parents:
            return False
        before = commit.parents[0].tree_id
        return commit.tree_id != before and tree == self.tree(before)

    def _tree(self, tree_id: pygit2.Oid, prefix: str) -> pygit2.Oid | None:
        key = (tree_id, prefix)
        if key not in self._trees:
            self._trees[key] = self._cleaned_tree(tree_id, prefix)
        return self._trees[key]

    def _cleaned_tree(self, tree_id: pygit2.Oid, prefix: str) -> pygit2.Oid | None:
        tree = self._git[tree_id].peel(pygit2.Tree)
        builder = self._git.TreeBuilder(tree)
        for entry in tree:
            left = self._entry(entry, f"{prefix}{entry.name}")
            if left is None:
                builder.remove(str(entry.name))
            elif left != entry.id:
                builder.insert(str(entry.name), left, entry.filemode)
        return builder.write() if len(builder) else None

    def _entry(self, entry: pygit2.Object, path: str) -> pygit2.Oid | None:
        if entry.filemode == FileMode.TREE:
            return self._tree(entry.id, f"{path}/") if path in self._folders else entry.id
        if path not in self._changes or entry.filemode == FileMode.COMMIT:
            return entry.id
        key = (entry.id, path)
        if key not in self._blobs:
            self._blobs[key] = self._cleaned_blob(entry.id, path)
        return self._blobs[key]

    def _cleaned_blob(self, blob: pygit2.Oid, path: str) -> pygit2.Oid | None:
        data = self._git[blob].peel(pygit2.Blob).data
        left = self._changes[path](data)
        if left == data:
            return blob
        self.removed.add(str(blob))
        return None if left is None else self._git.create_blob(left)


def with_tree(git: pygit2.Repository, commit: str, tree: str) -> str:
    """Write a commit that differs from this one in its tree only; the same one where the tree is its own."""
    found = git[commit].peel(pygit2.Commit)
    if str(found.tree_id) == tree:
        return commit
    headers, _, message = _raw(git, found.id).partition(_HEADERS_END)
    return _write(git, headers, {str(found.tree_id).encode(): tree.encode()}, message)


def _write(git: pygit2.Repository, headers: bytes, moved: Mapping[bytes, bytes], message: bytes) -> str:
    lines = [_moved_header(line, moved) for line in _SIGNATURE.sub(b"", headers).split(b"\n")]
    return str(git.write(ObjectType.COMMIT, b"\n".join(lines) + _HEADERS_END + message))


def _raw(git: pygit2.Repository, commit: pygit2.Oid) -> bytes:
    return git.read(commit)[1]


def _moved_header(line: bytes, moved: Mapping[bytes, bytes]) -> bytes:
    name, _, value = line.partition(b" ")
    return b" ".join((name, moved.get(value, value))) if name in {b"tree", b"parent"} else line
