"""What a person is about to commit with plain git, and why some of it may not become durable.

The rules are those of `vade adopt`. What is no memory file is searched for secrets only: it is cloned with the rest.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pygit2
from pygit2.enums import FileMode

from vademecum.errors import UnsafePath
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.disk.walking import READ_LIMIT_BYTES
from vademecum.memfs.git.command import run_git
from vademecum.memfs.git.opening import git_failures
from vademecum.memfs.pages.paths import collision_words, collisions, is_valid, validate
from vademecum.memfs.writing.adoption import secret_violation, violations

__all__ = ["staged_problems"]

#: How libgit2 and git name the tree of nothing; neither needs it stored.
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class _Staged(NamedTuple):
    path: str
    mode: int
    blob: str
    is_added: bool


def staged_problems(root: Path, index: Path | None) -> list[str]:
    """Say what of the index may not be committed, one line `path: reason` each.

    Parameters
    ----------
    root: the work tree; it may be a linked one.
    index: the index that git commits from (`git commit -a` has one of its own); None: the usual one.

    Raises
    ------
    StorageError: the repository cannot be read, or git cannot be run.
    """
    with git_failures(root):
        git = pygit2.Repository(str(root))
        base = _head(git)
        staged, deleted = _changes(root, base, index)
        problems = [problem for change in staged for problem in _problems(git, change, base)]
        return [*problems, *_collisions(staged, base, deleted)]


def _head(git: pygit2.Repository) -> Tree:
    if git.head_is_unborn:
        return Tree(git, "", _EMPTY_TREE)
    commit = git.head.peel(pygit2.Commit)
    return Tree(git, str(commit.id), str(commit.tree_id))


def _changes(root: Path, base: Tree, index: Path | None) -> tuple[list[_Staged], set[str]]:
    # Asked of git itself, which knows every form of an index, and what was only announced with `git add -N`.
    wanted = ("--cached", "--ita-invisible-in-index", "--diff-filter=AMTD", "--no-renames", "--no-abbrev")
    fields = run_git(root, "diff-index", "--raw", "-z", *wanted, base.tree_id, index=index).split(b"\0")
    staged: list[_Staged] = []
    deleted: set[str] = set()
    for about, name in zip(fields[0:-1:2], fields[1::2], strict=True):
        _, mode, _, blob, status = about.decode().split(" ")
        path = name.decode(errors="backslashreplace")
        if status == "D":
            deleted.add(path)
        else:
            staged.append(_Staged(path, int(mode, 8), blob, is_added=status == "A"))
    return staged, deleted


def _problems(git: pygit2.Repository, change: _Staged, base: Tree) -> Iterator[str]:
    if change.mode == FileMode.COMMIT:
        return  # another repository: memory does not read it, and git keeps no text of it here
    if change.mode == FileMode.LINK and is_valid(change.path):
        yield f"{change.path}: is a symbolic link; memory reads plain files only"
        return
    yield from _bad_name(change)
    size_bytes = git.odb.read_header(pygit2.Oid(hex=change.blob))[1]
    if size_bytes > READ_LIMIT_BYTES:
        if is_valid(change.path):
            yield f"{change.path}: has more than {READ_LIMIT_BYTES} bytes"
        return
    data = git[change.blob].peel(pygit2.Blob).data
    if is_valid(change.path):
        found = list(violations(change.path, data, base))
    else:
        found = list(secret_violation(change.path, data.decode(errors="replace")))
    yield from (f"{change.path}: {reason}" for reason in found)


def _bad_name(change: _Staged) -> Iterator[str]:
    """A new page under a name that no tool could ever change, and that some system could not check out."""
    is_page = change.is_added and change.path.lower().endswith(".md")
    if not is_page or any(part.startswith(".") for part in change.path.split("/")):
        return
    try:
        validate(change.path)
    except UnsafePath as error:
        yield str(error)


def _collisions(staged: list[_Staged], base: Tree, deleted: set[str]) -> Iterator[str]:
    added = [change.path for change in staged if change.is_added and is_valid(change.path)]
    if added:
        kept = [path for path in base.paths() if path not in deleted]
        for path, other in collisions(added, kept).items():
            yield f"{path}: {collision_words(other)}"
