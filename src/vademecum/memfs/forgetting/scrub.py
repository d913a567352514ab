"""Scrub: rewrite all of our history so that some files, and some lines of others, were never in it.

Main, baseline, proposals and trash are rewritten by one walk and move together (`moving`); then what they no longer
refer to is removed from the disk (`purging`). `.vademecum/scrubbed` lists the ids of the contents that went, so that
another machine's copy of them can be refused.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

import msgspec
import pygit2
from pygit2.enums import ObjectType

from vademecum.errors import DirtyPath, RefusedError
from vademecum.memfs.commits.commit import contents_of, create_commit, files_in_history, history_of
from vademecum.memfs.commits.tree import OWN_FOLDER
from vademecum.memfs.disk.worktree import WorkTree
from vademecum.memfs.forgetting.purging import purge
from vademecum.memfs.forgetting.rewriting import Clean, Rewriter
from vademecum.memfs.git.holders import foreign_holders, own_references, own_roots
from vademecum.memfs.git.index import staged_blobs
from vademecum.memfs.git.objects import blob_at
from vademecum.memfs.git.opening import MAIN, git_failures, open_git
from vademecum.memfs.landing.proposals import without_emptied
from vademecum.memfs.records import Provenance
from vademecum.memfs.repository import Repository
from vademecum.memfs.writing.moving import Moves, move_together, pending_moves

__all__ = ["SCRUBBED", "Scrub", "finish_scrub", "scrub_history", "unfinished"]

#: Ids of the contents that were scrubbed, one a line. No memory path has this name.
SCRUBBED = f"{OWN_FOLDER}scrubbed"


class Scrub(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be scrubbed."""

    #: By path, what is left of each version of a file.
    changes: Mapping[str, Clean]
    #: Says whether a commit's message repeats what is to go.
    quotes: Callable[[str], bool]
    #: Files of the present state as they shall be afterwards.
    edits: Mapping[str, bytes | None]
    #: First line of the commit that says that something was scrubbed.
    subject: str
    provenance: Provenance


def unfinished(repository: Repository) -> list[bytes] | None:
    """What a scrub that was interrupted has left on the disk of the contents that it took away; None: there is none."""
    moves = pending_moves(repository.folder)
    if moves is None or not moves.purges:
        return None
    with git_failures(repository.folder):
        git = open_git(repository.folder)
        found = (git.get(pygit2.Oid(hex=one)) for one in moves.removed)
        return [git.read(one.id)[1] for one in found if one is not None and one.type == ObjectType.BLOB]


def scrub_history(repository: Repository, wanted: Scrub) -> None:
    """Rewrite history. Call it inside `repository.writing`; `finish_scrub` then takes the old objects off the disk.

    Raises
    ------
    DirtyPath: a file that is concerned has a hand edit that nobody committed.
    RefusedError: something of the person's own (a branch, a tag, a stash, ...) holds it; the message says which.
    HeadMoved: a person committed meanwhile. Nothing has changed; call it again.
    """
    root = repository.folder
    with git_failures(root):
        git = open_git(root)
        for obstacle in repository.obstacles(wanted.edits).values():
            raise obstacle
        own = own_references(git)
        commits = history_of(git, own_roots(git, root))
        _refuse_copies(git, root, wanted.changes, files_in_history(git, commits))
        rewriter = Rewriter(git, wanted.changes, wanted.quotes)
        rewriter.rewrite(commits)
        for holder in foreign_holders(git, root / ".git"):
            if rewriter.changes_any(holder.commits):
                raise RefusedError(f"{holder.name} holds what is to be scrubbed", next_step=holder.remedy)
        kept = (git[one].peel(pygit2.Commit) for one in dict.fromkeys(rewriter.commits.values()))
        # What went from one path may be another file's too.
        removed = sorted(rewriter.removed - contents_of(git, kept))
        rewritten = {old: new for old, new in rewriter.commits.items() if old != new}
        new = _tip(repository, git, rewriter.commits[own[MAIN]], wanted, removed)
        others = {name: rewriter.commits[old] for name, old in own.items() if name != MAIN}
        left = without_emptied(git, others, git[new].peel(pygit2.Commit).tree_id)
        moves = Moves(
            old=own[MAIN],
            new=new,
            others={name: commit for name, commit in left.items() if commit != own[name]},
            rewritten=dict(rewritten),
            purges=True,
            removed=tuple(removed),
        )
        move_together(root, git, moves)


def finish_scrub(repository: Repository) -> None:
    """Take the objects that a scrub left unreferenced off the disk, also of one that was killed. Raises `GitFailed`."""
    with git_failures(repository.folder):
        purge(repository.folder, open_git(repository.folder))


def _tip(repository: Repository, git: pygit2.Repository, parent: str, wanted: Scrub, removed: Iterable[str]) -> str:
    """The new commit of main: what was rewritten, with the present files and the list of what went.

    Where a scrub is repeated that has done all of this, main stays.
    """
    present = repository.tree()
    known = (present.read_own(SCRUBBED) or b"").decode().split()
    listed = "".join(f"{blob}\n" for blob in sorted({*known, *removed}))
    edits = {**wanted.edits, SCRUBBED: listed.encode()}
    tree = repository.overlay(repository.tree(parent), edits)
    if (parent, tree) == (present.revision, present.tree_id):
        return parent
    return create_commit(
        git,
        pygit2.Oid(hex=tree),
        [parent],
        subject=wanted.subject,
        provenance=wanted.provenance,
        at=repository.now(),
    )


def _refuse_copies(
    git: pygit2.Repository, root: Path, going: Collection[str], former: Mapping[str, Collection[str]]
) -> None:
    """Refuse where a person staged such a file, or has one of that name which they never committed."""
    head = git[own_references(git)[MAIN]].peel(pygit2.Commit).tree
    files = WorkTree(root)
    for path in going:
        if blob_at(head, path) is None and files.read(path) is not None:
            raise DirtyPath(
                f"{path} stands in the memory folder and was never committed",
                next_step="Delete the file, then try again.",
                paths=(path,),
            )
    held = {blob for path in going for blob in former.get(path, ())}
    for path, blob in staged_blobs(root / ".git/index").items():
        if str(blob) in held and blob != blob_at(head, path):
            raise DirtyPath(
                f"{path} is staged with `git add` and holds what is to be scrubbed",
                next_step=f"Run `git restore --staged {path}` in the memory folder, then try again.",
                paths=(path,),
            )
