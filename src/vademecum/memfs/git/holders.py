"""Who holds on to commits: our own references, which a scrub rewrites, and a person's, which it never touches.

What a person made with plain git (branches, tags, stashes, work trees, remotes) may be wanted for other reasons. Where
something of theirs holds what is to be scrubbed, they are told which, and what to do, before anything changes.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pygit2

from vademecum.memfs.git.opening import MAIN
from vademecum.memfs.git.reflogs import OWN_REFLOGS, commits_in, reflog_commits
from vademecum.memfs.git.refs import BASELINE, PRIVATE, PROPOSALS, TRASH

__all__ = ["Holder", "damaged_references", "foreign_holders", "own_references", "own_roots"]

_OWN_FOLDERS = (PROPOSALS, TRASH)
#: Files in which git notes a commit for its next command.
_NOTED = ("ORIG_HEAD", "FETCH_HEAD")


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Something of a person's that keeps commits alive."""

    #: In words: `the branch trial`.
    name: str
    commits: tuple[str, ...]
    #: How a person lets go of it.
    remedy: str


def own_references(git: pygit2.Repository) -> dict[str, str]:
    """Map main and each of our private references to its commit. A damaged one, which names none, is left out."""
    names = (name for name in git.references if name in {MAIN, BASELINE} or name.startswith(_OWN_FOLDERS))
    return {name: commit for name in sorted(names) for commit in _commit_of(git, name)}


def own_roots(git: pygit2.Repository, root: Path) -> list[str]:
    """List the commits that our references, and the reflogs of main, name."""
    logged = (commit for name in OWN_REFLOGS for commit in reflog_commits(git, root / ".git" / "logs" / name))
    return list(dict.fromkeys((*own_references(git).values(), *logged)))


def damaged_references(git: pygit2.Repository) -> list[str]:
    """Name our private references that name no commit. Git repacks nothing while there is one."""
    own = own_references(git)
    return [name for name in sorted(git.references) if name.startswith(PRIVATE) and name not in own]


def foreign_holders(git: pygit2.Repository, git_dir: Path) -> Iterator[Holder]:
    """Name everything else that keeps commits alive."""
    own = own_references(git)
    for name in sorted(git.references):
        if name not in own:
            commit = _commit_of(git, name)
            logged = reflog_commits(git, git_dir / "logs" / name)
            commits = tuple(dict.fromkeys((*commit, *logged)))
            yield Holder(name=_in_words(name), commits=commits, remedy=_remedy(name))
    for file in map(git_dir.joinpath, _NOTED):
        if commits := commits_in(git, file):
            yield Holder(name=f"git's note {file.name}", commits=commits, remedy=f"Delete {file}.")
    for place in sorted(git_dir.joinpath("worktrees").glob("*")):
        commits = commits_in(git, place / "HEAD") + reflog_commits(git, place / "logs" / "HEAD")
        if commits:
            remedy = f"Run `git worktree remove {place.name}` in the memory folder."
            yield Holder(name=f"the work tree {place.name}", commits=commits, remedy=remedy)


def _commit_of(git: pygit2.Repository, name: str) -> tuple[str, ...]:
    try:
        return (str(git.references[name].resolve().peel(pygit2.Commit).id),)
    except (pygit2.GitError, KeyError, ValueError):
        return ()  # a tag of a file, or a symbolic name of something that is not there: no commit is held


def _in_words(name: str) -> str:
    for prefix, word in _KINDS.items():
        if name.startswith(prefix):
            return f"the {word} {name.removeprefix(prefix)}".rstrip()
    return f"the reference {name}"


_KINDS = {
    "refs/heads/": "branch",
    "refs/tags/": "tag",
    "refs/remotes/": "remote branch",
    "refs/stash": "stash",
}


def _remedy(name: str) -> str:
    short = name.split("/", 2)[-1]
    commands = {
        "refs/heads/": f"git branch -D {short}",
        "refs/tags/": f"git tag -d {short}",
        "refs/remotes/": f"git branch -rd {short}",
        "refs/stash": "git stash clear",
    }
    command = next((one for prefix, one in commands.items() if name.startswith(prefix)), f"git update-ref -d {name}")
    return f"Run `{command}` in the memory folder, if nothing in it is needed."
