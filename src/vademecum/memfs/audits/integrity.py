"""Whether the repository itself is sound: its references and objects, git's locks, the format, the hooks, its size.

Nothing is changed. What cannot even be opened is one finding.
"""

import os
import stat
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pygit2

from vademecum.errors import GitFailed, RefusedError, VademecumError
from vademecum.findings import Finding, capped, fine, note, problem, warning
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.git import refs
from vademecum.memfs.git.command import run_git
from vademecum.memfs.git.lock import is_own_lock, lock_of
from vademecum.memfs.git.maintenance import DUE_OBJECTS, count_loose, loose_files
from vademecum.memfs.git.opening import MAIN, MENDING, git_failures, open_git, refuse_links
from vademecum.memfs.hand_commits.hook import HookState, beside, hook_states
from vademecum.memfs.history.way_back import broken_tip
from vademecum.memfs.writing.format import FORMAT_PATH, PRESENT, known_format
from vademecum.memfs.writing.moving import pending_moves

__all__ = ["inspect_repository", "truncated_objects"]

_AREA = "repository"
#: A git command holds its locks for moments; after this long it is gone, and its lock stops every write.
_STALE_SECONDS = 600.0
_FSCK_SECONDS = 300.0


def truncated_objects(root: Path) -> Iterator[Finding]:
    """Find loose objects that were cut short, or are no files. Ask this first: libgit2 1.9 waits for them for ever."""
    with git_failures(root):
        for name, file in loose_files(root):
            if not stat.S_ISREG(file.lstat().st_mode):
                next_step = f"Delete {file}, then run `vade doctor` again: if it was needed, that says what now."
                yield problem(_AREA, f"object {name} is no regular file: reading it might never end", next_step)
            elif not _ends(file.read_bytes()):
                yield problem(_AREA, f"object {name} is cut short: reading it would never end", MENDING)


def _ends(data: bytes) -> bool:
    stream = zlib.decompressobj()
    try:
        stream.decompress(data)
    except zlib.error:
        return True  # damaged, but libgit2 sees that
    return stream.eof


def inspect_repository(root: Path) -> Iterator[Finding]:
    """Examine the repository in `root`, of which `truncated_objects` has found none."""
    try:
        refuse_links(root)
        git = open_git(root)
        with git_failures(root):
            tip = refs.head(git)
            if tip is None:
                yield problem(_AREA, f"{root} has no commit on main", "Run `vade init`, or `git switch main` in it.")
                return
            if broken := list(broken_tip(root, git, tip, _AREA)):
                yield from broken
                return
            tree = Tree.at(git, tip)
            yield from _format(tree)
            yield from _state(git)
            yield from capped(_references(git), "{} more references name nothing".format)
            yield from capped(_proposals(git), "{} more proposals are damaged".format)
    except VademecumError as error:
        yield problem(_AREA, str(error), error.next_step)
        return
    yield from _moves(root)
    yield from _locks(root / ".git")
    yield from _objects(root)
    yield from _hooks(root)


def _format(tree: Tree) -> Iterator[Finding]:
    found = known_format(tree.read_own(FORMAT_PATH))
    if found < PRESENT:
        yield note(_AREA, f"the memory has format {found}; the next write brings it to {PRESENT}")


def _state(git: pygit2.Repository) -> Iterator[Finding]:
    try:
        refs.refuse_unusual_state(git)
    except RefusedError as error:
        yield problem(_AREA, f"{error}, so nothing can be written", error.next_step)


def _proposals(git: pygit2.Repository) -> Iterator[Finding]:
    for name in refs.damaged_proposals(git):
        what = f"proposal {name} is damaged: nothing can be read of it"
        yield problem(_AREA, what, f"`vade proposals reject {name}` drops it.")


def _references(git: pygit2.Repository) -> Iterator[Finding]:
    damaged = {refs.PROPOSALS + name for name in refs.damaged_proposals(git)}
    for name in (name for name in git.references if name not in damaged):
        try:
            git.references[name].peel(pygit2.Commit)
        except (pygit2.GitError, KeyError, ValueError):
            yield problem(_AREA, f"the reference {name} names no commit that is there", MENDING)


def _moves(root: Path) -> Iterator[Finding]:
    moves = pending_moves(root)
    if moves and not moves.moved:
        yield note(_AREA, "references were moved together and the process was killed; the next write completes it")
    if moves and moves.purges:
        yield warning(
            _AREA,
            "a scrub was begun and not finished: what it took out of history may still be on the disk",
            "Run the same `vade forget ... --scrub` again, or `vade reset --purge` if the trash was being emptied.",
        )


def _locks(git_dir: Path) -> Iterator[Finding]:
    for target in (git_dir / "index", git_dir / "HEAD", git_dir / MAIN, git_dir / refs.PACKED):
        file = lock_of(target)
        try:
            age_seconds = time.time() - file.stat().st_mtime
        except FileNotFoundError:
            continue
        if is_own_lock(file):
            yield note(_AREA, f"{file.name} is of a writer of ours; if it was killed, the next write clears it away")
        elif age_seconds < _STALE_SECONDS:
            yield note(_AREA, f"a git command is at work ({file.name} is {age_seconds:.0f} s old)")
        else:
            what = f"{file.name} is {age_seconds / 60:.0f} minutes old and stops every write"
            yield problem(_AREA, what, f"If no git command runs in the memory folder, delete {file}.")


def _objects(root: Path) -> Iterator[Finding]:
    try:
        run_git(root, "fsck", "--strict", "--full", "--no-dangling", "--no-progress", timeout_seconds=_FSCK_SECONDS)
    except GitFailed as error:
        yield problem(_AREA, f"the objects could not all be proved sound: {error}", MENDING)
    loose = count_loose(root)
    if loose > 3 * DUE_OBJECTS:
        what = f"{loose:,} loose objects wait to be packed, which the next writes do in portions if git is there"
        yield note(_AREA, what)
    else:
        yield fine(_AREA, f"examined, {loose:,} loose object{'' if loose == 1 else 's'}")


def _hooks(root: Path) -> Iterator[Finding]:
    elsewhere = _hooks_path(root)
    if elsewhere:
        what = f"git runs the hooks of {elsewhere} (core.hooksPath), not those that check a commit in the memory folder"
        yield note("hooks", what, f"Call `{root / '.git/hooks/pre-commit'}` from the pre-commit hook there.")
    for name, state in hook_states(root).items():
        if state is HookState.FOREIGN:
            call = f'"$(dirname "$0")/{beside(name)}" || exit 1'
            yield note("hooks", f"{name} is your own, and ours does not run", f"Add this line to it: {call}")
        elif state is HookState.STALE:
            yield note("hooks", f"{name} is missing or was changed; the next write puts it back")


def _hooks_path(root: Path) -> str | None:
    """Return where git looks for hooks instead, by the person's own configuration too, which we never use."""
    settings = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    for file in (root / ".git/config", Path("~/.gitconfig").expanduser(), Path(settings).expanduser() / "git/config"):
        if file.is_file():
            try:
                return pygit2.Config(str(file))["core.hooksPath"]
            except (KeyError, pygit2.GitError):
                continue  # not set, or a file that git itself would complain of
    return None
