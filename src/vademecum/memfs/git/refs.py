"""The names under which commits are kept: main, and ours below `refs/vademecum/`, which never leave this machine."""

import os
from collections.abc import Iterator
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType, RepositoryState

from vademecum.errors import NotFound, RefusedError, UsageError
from vademecum.memfs.disk.worktree import write_file
from vademecum.memfs.git.lock import drop_own_lock, git_lock
from vademecum.memfs.git.opening import MAIN
from vademecum.private import fsync_path, make_private_folders

__all__ = [
    "BASELINE",
    "PACKED",
    "PRIVATE",
    "PROPOSALS",
    "TRASH",
    "commit_or_none",
    "damaged_proposals",
    "drop_private",
    "head",
    "proposal_ref",
    "proposals",
    "refuse_unusual_state",
    "resolve",
    "set_private",
    "target",
]

#: Everything of ours but main.
PRIVATE = "refs/vademecum/"

#: What the last consolidation saw, as a commit off main.
BASELINE = "refs/vademecum/baseline"

#: Below it stands what waits for review, by run.
PROPOSALS = "refs/vademecum/proposals/"

#: Below it stands what resets put away: `<time>/main`, `<time>/baseline`, `<time>/proposals/<run>`.
TRASH = "refs/vademecum/trash/"

#: Where git keeps references that nothing moved for a while, in one file.
PACKED = "packed-refs"

#: The next content of a reference; below `refs` git would take it for one.
_NEXT_REFERENCE = "vademecum.reference"
_NEXT_LOCK = "vademecum.lock"


def head(git: pygit2.Repository) -> str | None:
    """Return the tip of main, or None before the first commit."""
    return target(git, MAIN)


def target(git: pygit2.Repository, name: str) -> str | None:
    """Return the commit that a reference names, or None."""
    reference = git.references.get(name)
    return None if reference is None else str(reference.resolve().target)


def commit_or_none(git: pygit2.Repository, commit: str) -> pygit2.Commit | None:
    """Return the commit of this id (40 hexadecimal digits), or None when there is no such commit."""
    found = git.get(pygit2.Oid(hex=commit))
    return found.peel(pygit2.Commit) if found is not None and found.type == ObjectType.COMMIT else None


def resolve(git: pygit2.Repository, revision: str) -> str:
    """Return the commit (40 hexadecimal digits) that a revision expression names; raises `NotFound`."""
    try:
        return str(git.revparse_single(revision).peel(pygit2.Commit).id)
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise NotFound(
            f"there is no revision {revision!r}", next_step="Run `vade log` to see the revisions."
        ) from error


def proposal_ref(run: str) -> str:
    """Return the name under which a run's proposal is kept; raises `UsageError` when git does not allow it."""
    name = PROPOSALS + run
    if "/" in run or not pygit2.reference_is_valid_name(name):
        raise UsageError(f"{run!r} cannot be the id of a run")
    return name


def proposals(git: pygit2.Repository) -> list[str]:
    """Return the runs that left a proposal, sorted; damaged ones are not among them."""
    return sorted(name.removeprefix(PROPOSALS) for name in _below(git, PROPOSALS) if _is_proposal(git, name))


def damaged_proposals(git: pygit2.Repository) -> list[str]:
    """Return the ids of proposals that name no commit with a parent, sorted: nothing can be read of them."""
    return sorted(name.removeprefix(PROPOSALS) for name in _below(git, PROPOSALS) if not _is_proposal(git, name))


def _below(git: pygit2.Repository, folder: str) -> Iterator[str]:
    return (name for name in git.references if name.startswith(folder))


def _is_proposal(git: pygit2.Repository, name: str) -> bool:
    try:
        commit = commit_or_none(git, target(git, name) or "")
        return commit is not None and bool(commit.parents)
    except (pygit2.GitError, KeyError, ValueError):
        return False


def set_private(root: Path, name: str, commit: str) -> None:
    """Point one of our own references at a commit, durably. Needs the `memory-write` lock."""
    git_dir = root / ".git"
    file, fresh = git_dir / name, git_dir / _NEXT_REFERENCE
    make_private_folders(file.parent)
    drop_own_lock(file)
    with git_lock(file):
        fresh.unlink(missing_ok=True)
        write_file(fresh, f"{commit}\n".encode())
        fresh.rename(file)
        for folder in (file.parent, git_dir / "refs"):
            fsync_path(folder)


def drop_private(root: Path, name: str) -> None:
    """Delete one of our own references, also where git packed it. Needs the `memory-write` lock."""
    git_dir = root / ".git"
    file = git_dir / name
    # The packed one first: without the file in its place, an older commit would be in force for a moment.
    _drop_packed(git_dir, name)
    drop_own_lock(file)
    if os.path.lexists(file):
        with git_lock(file):
            file.unlink()
            fsync_path(file.parent)


def _drop_packed(git_dir: Path, name: str) -> None:
    """Write the file of packed references anew without this one; libgit2 would leave a lock that nobody knows."""
    packed, fresh = git_dir / PACKED, git_dir / _NEXT_REFERENCE
    if not _is_packed(packed, name):
        return
    with git_lock(packed, prepared=git_dir / _NEXT_LOCK):
        fresh.unlink(missing_ok=True)
        write_file(fresh, b"".join(_without(packed.read_bytes().splitlines(keepends=True), name)))
        fresh.rename(packed)
        fsync_path(git_dir)


def _is_packed(packed: Path, name: str) -> bool:
    return packed.exists() and any(_names(line, name) for line in packed.read_bytes().splitlines())


def _without(lines: list[bytes], name: str) -> Iterator[bytes]:
    """The lines without that of a reference, and without the line behind it that tells what a tag stands for."""
    dropped = False
    for line in lines:
        dropped = _names(line, name) or (dropped and line.startswith(b"^"))
        if not dropped:
            yield line


def _names(line: bytes, name: str) -> bool:
    return not line.startswith(b"#") and line.rstrip(b"\n").partition(b" ")[2] == os.fsencode(name)


def refuse_unusual_state(git: pygit2.Repository) -> None:
    """Refuse to write while the person is on another branch, or in the middle of a merge, rebase or the like."""
    # A rebase leaves the branch as well, and its own advice comes first: to switch away would not end it.
    if git.state() != RepositoryState.NONE:
        raise RefusedError(
            "a merge or another git operation is unfinished in the memory repository",
            next_step="Finish or abort it in the memory folder (`git status` says how), then try again.",
        )
    name = git.lookup_reference("HEAD").target
    if name != MAIN:
        where = str(name).removeprefix("refs/heads/")
        raise RefusedError(
            f"the memory repository is at {where[:40]}, not on branch main",
            next_step="Run `git switch main` in the memory folder, then try again.",
        )
