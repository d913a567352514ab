"""When the newest commit has lost objects: the newest one that has all of its own, and the commands that go back to it.

The files in the memory folder are not touched by that. What they hold beyond the older commit is adopted as edited.
"""

from collections.abc import Iterator
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from vademecum.findings import Finding, problem
from vademecum.memfs.git.opening import MAIN, MENDING
from vademecum.memfs.git.reflogs import OWN_REFLOGS, reflog_commits
from vademecum.memfs.git.refs import commit_or_none

__all__ = ["broken_tip"]


def broken_tip(root: Path, git: pygit2.Repository, tip: str, area: str) -> Iterator[Finding]:
    """Find that the tip of main, or something of its files, is not there."""
    lost = _lost(git, tip)
    if lost is None:
        return
    what = f"the newest commit {tip[:10]} cannot be read: object {lost} is missing or damaged"
    whole = next((commit for commit in _former_tips(git, root) if _lost(git, commit) is None), None)
    if whole is None:
        yield problem(area, what, MENDING)
        return
    back = f"git update-ref {MAIN} {whole[:12]} && git reset -q && git reflog expire --stale-fix --all"
    yield problem(
        area,
        f"{what}; {whole[:12]} before it is whole",
        f"Nothing of the files is lost, they stand in the folder. Copy it whole, then run `{back}` in {root}, "
        "and `vade adopt` takes in what is newer. Where a clone or backup has the object, copying what its "
        ".git/objects holds into the one here mends all of it.",
    )


def _former_tips(git: pygit2.Repository, root: Path) -> Iterator[str]:
    """The commits that main was at, newest first, as far as they are there."""
    for name in OWN_REFLOGS:
        yield from reversed(reflog_commits(git, root / ".git" / "logs" / name))


def _lost(git: pygit2.Repository, commit: str) -> str | None:
    """Name an object that the files of a commit need and that cannot be read; None: all of them can."""
    try:
        found = commit_or_none(git, commit)
        if found is None:
            return commit[:10]
        return next(_unreadable(git, found.tree_id), None)
    except (pygit2.GitError, KeyError, ValueError):
        return commit[:10]


def _unreadable(git: pygit2.Repository, tree_id: pygit2.Oid) -> Iterator[str]:
    try:
        entries = list(git[tree_id].peel(pygit2.Tree))
    except (pygit2.GitError, KeyError, ValueError):
        yield str(tree_id)[:10]
        return
    for entry in entries:
        if entry.filemode == FileMode.TREE:
            yield from _unreadable(git, entry.id)
        elif entry.filemode != FileMode.COMMIT and not _is_there(git, entry.id):
            yield str(entry.id)[:10]


def _is_there(git: pygit2.Repository, oid: pygit2.Oid) -> bool:
    try:
        return oid in git
    except pygit2.GitError:
        return False
