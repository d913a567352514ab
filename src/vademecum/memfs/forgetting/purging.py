"""Make what nothing refers to vanish from the object store: repack what is left, prune the rest, and look.

Maintenance never does this: undo, proposals and a person's reflog live on it. Only a scrub and the purge of the trash
do, after the references have moved.
"""

import time
from pathlib import Path

import pygit2

from vademecum.amounts import plural
from vademecum.errors import BusyError, GitFailed
from vademecum.memfs.git.command import run_git
from vademecum.memfs.git.holders import damaged_references
from vademecum.memfs.git.index_caches import drop_index_caches
from vademecum.memfs.git.lock import git_lock
from vademecum.memfs.git.opening import open_git
from vademecum.memfs.git.refs import drop_private
from vademecum.memfs.writing.moving import complete_moves, forget_moves, pending_moves

__all__ = ["purge"]

_TIMEOUT_SECONDS = 600.0
_ONLY_THE_DISK = "Memory is as you wanted it; only the old objects are still on the disk."
_AGAIN = "Then run the same command again."
#: What git wrote for itself alone, and writes again when it needs it; it names old commits, or repeats a message.
_SCRATCH = ("COMMIT_EDITMSG", "objects/info/commit-graph")
_SCRATCH_FOLDER = "objects/info/commit-graphs"


def purge(root: Path, git: pygit2.Repository) -> None:
    """Finish what `move_together` began: afterwards no object of `Moves.removed` is there. Needs the lock.

    Raises
    ------
    GitFailed: git is missing or failed, or an object is still there (the message says which): call it again then.
    """
    complete_moves(root, git)
    moves = pending_moves(root)
    if moves is None:
        return
    _drop_scratch(root / ".git")
    _drop_index_caches(root / ".git/index")
    for name in damaged_references(git):
        drop_private(root, name)
    try:
        _repack_and_prune(root)
    except GitFailed as error:
        raise GitFailed(str(error), intact=_ONLY_THE_DISK, next_step=f"{error.next_step} {_AGAIN}") from error
    _refuse_survivors(root, moves.removed)
    forget_moves(root)


def _repack_and_prune(root: Path) -> None:
    began = int(time.time())
    if (root / ".git" / "packed-refs").exists():
        run_git(root, "pack-refs", "--all")  # its old lines would name commits that are gone
    run_git(root, "repack", "-a", "-d", "-q", timeout_seconds=_TIMEOUT_SECONDS)
    # Not `now`: should we be killed here, git goes on without our lock, and must leave alone what others write then.
    run_git(root, "prune", f"--expire=@{began}", timeout_seconds=_TIMEOUT_SECONDS)


def _drop_scratch(git_dir: Path) -> None:
    graphs = git_dir.joinpath(_SCRATCH_FOLDER).glob("*")
    # Both git and libgit2 leave a half-written object behind when they are killed; it may hold anything.
    torn = (file for file in git_dir.joinpath("objects").rglob("*tmp_*") if file.is_file())
    for file in (*map(git_dir.joinpath, _SCRATCH), *graphs, *torn):
        file.unlink(missing_ok=True)


def _drop_index_caches(index: Path) -> None:
    try:
        with git_lock(index):
            drop_index_caches(index)
    except BusyError as error:
        error.intact, error.next_step = _ONLY_THE_DISK, f"{error.next_step} {_AGAIN}"
        raise


def _refuse_survivors(root: Path, removed: tuple[str, ...]) -> None:
    git = open_git(root)  # opened anew: it must not remember packs that are gone
    left = [one for one in removed if one in git]
    if left:
        are = "is" if len(left) == 1 else "are"
        raise GitFailed(
            f"{plural(len(left), 'object')} {are} still in the repository, the first is {left[0][:10]}",
            intact=_ONLY_THE_DISK,
            next_step="Something keeps them: a file staged with `git add`, or a pack marked `.keep`. Let go of it. "
            + _AGAIN,
        )
