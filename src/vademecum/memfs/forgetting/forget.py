"""Take something out of the present state, and out of all that waits beside it, in one step.

The baseline and proposals change with main: else the next consolidation would take what is gone for a person's hand
edit, and an accepted proposal would bring it back.
"""

from collections.abc import Callable, Mapping

import pygit2

from vademecum.memfs.commits.commit import create_commit, describe
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.forgetting.rewriting import with_tree
from vademecum.memfs.git.holders import own_references
from vademecum.memfs.git.opening import MAIN, git_failures, open_git
from vademecum.memfs.git.refs import TRASH
from vademecum.memfs.landing.proposals import without_emptied
from vademecum.memfs.records import Commit, Provenance
from vademecum.memfs.repository import Repository
from vademecum.memfs.writing.moving import Moves, move_together

__all__ = ["commit_forgetting"]


def commit_forgetting(
    repository: Repository,
    edits: Mapping[str, bytes | None],
    clean: Callable[[Tree], Mapping[str, bytes | None]],
    *,
    subject: str,
    provenance: Provenance,
) -> Commit | None:
    """Commit edits on main, and what `clean` makes of baseline and proposals; None where main stays as it is.

    Call it inside `repository.writing`.

    Raises
    ------
    DirtyPath: a file that is concerned has a hand edit that nobody committed.
    HeadMoved: a person committed meanwhile. Nothing has changed; call it again.
    """
    root = repository.folder
    with git_failures(root):
        git = open_git(root)
        for obstacle in repository.obstacles(edits).values():
            raise obstacle
        present = repository.tree()
        tree = repository.overlay(present, edits)
        if tree == present.tree_id:
            return None
        new = create_commit(
            git,
            pygit2.Oid(hex=tree),
            [present.revision],
            subject=subject,
            provenance=provenance,
            at=repository.now(),
        )
        beside = {name: commit for name, commit in own_references(git).items() if not name.startswith((MAIN, TRASH))}
        cleaned = {name: _cleaned(repository, git, commit, clean) for name, commit in beside.items()}
        left = without_emptied(git, cleaned, pygit2.Oid(hex=tree))
        others = {name: commit for name, commit in left.items() if commit != beside[name]}
        move_together(root, git, Moves(old=present.revision, new=new, others=others))
        return describe(git, git[new].peel(pygit2.Commit))


def _cleaned(
    repository: Repository,
    git: pygit2.Repository,
    commit: str,
    clean: Callable[[Tree], Mapping[str, bytes | None]],
) -> str:
    base = repository.tree(commit)
    return with_tree(git, commit, repository.overlay(base, clean(base)))
