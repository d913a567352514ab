"""One commit as a person wants to see it: its record, its words, and what it changed."""

import msgspec
import pygit2

from vademecum.memfs.git.opening import git_failures
from vademecum.memfs.history.diffs import FileDiff, diff_trees
from vademecum.memfs.messages import body_of
from vademecum.memfs.pages.masking import shown_commit
from vademecum.memfs.records import Commit
from vademecum.memfs.repository import Repository
from vademecum.secrets import mask

__all__ = ["Shown", "show"]


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One commit with all that it changed."""

    commit: Commit
    #: What stands below the subject, without our trailers; secrets are masked.
    body: str
    #: Against its first parent, by path.
    files: tuple[FileDiff, ...]


def show(repository: Repository, rev: str) -> Shown:
    """Show the commit that a revision names; raises `NotFound`."""
    found = repository.describe(rev)
    with git_failures(repository.folder):
        commit = repository.git[found.id].peel(pygit2.Commit)
        before = repository.tree(str(commit.parents[0].id)) if commit.parents else None
        files = diff_trees(before, repository.tree(found.id))
        return Shown(commit=shown_commit(found), body=mask(body_of(commit.message)), files=tuple(files))
