"""Take commits back: the inverse of each is merged onto what main holds now; all of it, or nothing."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec
import pygit2
from pygit2.enums import SortMode

from vademecum.errors import NoChange, NotFound, RefusedError
from vademecum.memfs.git import git_failures
from vademecum.memfs.history import describe
from vademecum.memfs.messages import parse_provenance
from vademecum.memfs.objects import blob_at
from vademecum.memfs.paths import lies_within
from vademecum.memfs.records import Commit, Provenance, Writer
from vademecum.memfs.repository import Repository
from vademecum.memfs.text import decode
from vademecum.memfs.tree import Tree
from vademecum.memfs.undo_conflicts import Conflict, Versions, conflict_of, refusal

__all__ = ["Merge", "UndoPlan", "find_undoable", "plan_undo", "undo"]

#: Merges one file of which lines overlap: path, the content that is taken back, the present one, the one before. None:
#: it cannot.
Merge = Callable[[str, bytes, bytes, bytes], bytes | None]


class UndoPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What an undo would write."""

    #: The commits that are taken back, newest first.
    commits: tuple[Commit, ...]
    #: The state that it was worked out on.
    base: Tree
    #: Path -> its whole next content, None: the file goes. Never empty.
    edits: Mapping[str, bytes | None]
    #: First line of the message.
    subject: str


def find_undoable(repository: Repository, target: str | None) -> tuple[Commit, ...]:
    """Find the commits that are meant, newest first.

    Parameters
    ----------
    target: a run, of which all commits are meant; a revision; or None for the newest commit that is no undo and that
        no undo took back.

    Raises
    ------
    NotFound: there is no such run or revision, or nothing was written yet.
    RefusedError: the revision is no part of main, or the first commit of the memory.
    """
    with git_failures(repository.folder):
        git, head = repository.git, repository.head()
        if target is None:
            return (_newest_standing(git, head),)
        of_run = [commit for commit in _walk(git, head) if _is_work_of(commit, target)]
        return tuple(describe(git, commit) for commit in of_run or [_named(repository, target)])


def plan_undo(
    repository: Repository, commits: Sequence[Commit], *, paths: Collection[str] = (), merge: Merge | None = None
) -> UndoPlan:
    """Work out what main becomes without these commits (newest first); of a merge, without what it brought to main.

    Parameters
    ----------
    paths: take back only what was done to these files, or below these folders; none: everything.
    merge: asked where lines overlap that changed since.

    Raises
    ------
    NotFound: one of `paths` was not changed by any of the commits.
    NoChange: nothing of them is left.
    MergeConflict: lines of theirs were changed since; all such paths are named.
    """
    for wanted in paths:
        if not any(lies_within(path, [wanted]) for commit in commits for path in commit.paths):
            raise NotFound(f"{commits[0].id[:10]} did not change {wanted}", paths=(wanted,))
    work = _Work(repository, commits, merge)
    with git_failures(repository.folder):
        for commit in commits:
            for path in commit.paths:
                if not paths or lies_within(path, paths):
                    work.take_back(commit, path)
    if work.conflicts:
        raise refusal(work.conflicts)
    edits = {path: data for path, data in sorted(work.state.items()) if data != _content(work.base, path)}
    if not edits:
        raise NoChange(
            f"nothing of {commits[0].id[:10]} ({commits[0].subject}) is left in memory",
            next_step="Run `vade log` to see what was written and undone since.",
        )
    return UndoPlan(commits=tuple(commits), base=work.base, edits=edits, subject=_subject(commits, bool(paths)))


def undo(
    repository: Repository, target: str | None, *, paths: Collection[str] = (), merge: Merge | None = None
) -> tuple[UndoPlan, Commit]:
    """Take back what `find_undoable` finds, in one commit of the person's; raises what that and `plan_undo` raise.

    Raises
    ------
    RefusedError: what stood there before may not become memory again, or a hand edit is in the way
        (`Repository.commit`).
    BusyError, HeadMoved: somebody else was writing.
    """
    with repository.writing("undoing"):
        plan = plan_undo(repository, find_undoable(repository, target), paths=paths, merge=merge)
        commit = repository.commit(
            {path: None if data is None else decode(data, path) for path, data in plan.edits.items()},
            subject=plan.subject,
            provenance=Provenance(
                writer=Writer.UNDO, origin="human", undoes=tuple(commit.id for commit in plan.commits)
            ),
            on=plan.base.revision,
        )
    assert commit is not None, "a plan is never empty"
    return plan, commit


class _Work:
    """One undo that is being worked out."""

    def __init__(self, repository: Repository, commits: Sequence[Commit], merge: Merge | None) -> None:
        self.repository, self.commits, self.merge = repository, commits, merge
        self.base = repository.tree()
        #: What the paths become, as far as it is worked out.
        self.state: dict[str, bytes | None] = {}
        self.conflicts: list[Conflict] = []

    def take_back(self, commit: Commit, path: str) -> None:
        """Take back what one commit did to one path; one in conflict stays so, whatever earlier commits did to it."""
        if any(conflict.path == path for conflict in self.conflicts):
            return
        taken, former = _sides(self.repository.git, commit, path)
        present = self.state[path] if path in self.state else _content(self.base, path)
        versions = Versions(taken=taken, present=present, former=former)
        if present == taken:
            self.state[path] = former
        elif present != former:
            merged = self._merged(path, versions)
            if merged is None:
                undone = [other.id for other in self.commits]
                self.conflicts.append(conflict_of(self.repository, path, versions, commit, undone))
            else:
                self.state[path] = merged

    def _merged(self, path: str, versions: Versions) -> bytes | None:
        taken, present, former = versions.taken, versions.present, versions.former
        if present is None:
            return None
        # A file that only one of the two sides had is no text with lines to merge, but may be one with statements.
        merged = None
        if taken is not None and former is not None:
            merged = self.repository.merge_lines(taken, present, former)
        if merged is None and self.merge:
            merged = self.merge(path, taken or b"", present, former or b"")
        return merged


def _walk(git: pygit2.Repository, head: str) -> Iterator[pygit2.Commit]:
    return iter(git.walk(pygit2.Oid(hex=head), SortMode.TOPOLOGICAL | SortMode.TIME))


def _is_work_of(commit: pygit2.Commit, run: str) -> bool:
    """Whether a run made it; what a person decided on a run's proposal may carry its id as well."""
    provenance = parse_provenance(commit.message)
    return provenance.run == run and provenance.writer not in {Writer.MEMORY_TOOL, Writer.USER, Writer.UNDO}


def _newest_standing(git: pygit2.Repository, head: str) -> Commit:
    taken_back: set[str] = set()
    for commit in _walk(git, head):
        provenance = parse_provenance(commit.message)
        # An undo that was itself taken back takes nothing back any more.
        if str(commit.id) in taken_back or not _changes_something(commit):
            continue
        if provenance.writer is Writer.UNDO:
            taken_back.update(provenance.undoes)
        else:
            return describe(git, commit)
    raise NotFound("there is no commit that could be undone", next_step="Run `vade log` to see what was written.")


def _changes_something(commit: pygit2.Commit) -> bool:
    return bool(commit.parents) and commit.tree_id != commit.parents[0].tree_id


def _named(repository: Repository, target: str) -> pygit2.Commit:
    git, head = repository.git, repository.head()
    try:
        commit = git[repository.resolve(target)].peel(pygit2.Commit)
    except NotFound as error:
        raise NotFound(
            f"no commit on main belongs to a run {target!r}, and there is no such revision",
            next_step="Run `vade log` to see the commits with their runs.",
        ) from error
    if str(commit.id) != head and not git.descendant_of(head, str(commit.id)):
        raise RefusedError(
            f"{target} is no part of main: nothing in memory comes from it",
            next_step="Run `vade log` to see what can be undone.",
        )
    if not commit.parents:
        raise RefusedError(
            f"{str(commit.id)[:10]} is the first commit: before it there was no memory",
            next_step="Edit the files it brought and run `vade adopt`.",
        )
    return commit


def _sides(git: pygit2.Repository, commit: Commit, path: str) -> tuple[bytes | None, bytes | None]:
    """The content that a commit brought, and the one before it; None where there is no file."""
    found = git[commit.id].peel(pygit2.Commit)
    blobs = (blob_at(tree, path) for tree in (found.tree, found.parents[0].tree))
    after, before = (None if blob is None else git[blob].peel(pygit2.Blob).data for blob in blobs)
    return after, before


def _content(tree: Tree, path: str) -> bytes | None:
    return tree.read_bytes(path) if tree.has(path) else None


def _subject(commits: Sequence[Commit], in_part: bool) -> str:
    what = commits[0].subject if len(commits) == 1 else f"{len(commits)} commits of run {commits[0].provenance.run}"
    return f"Undo: {what}{' (in part)' if in_part else ''}"
