"""Take commits back: the inverse of each is merged onto what main holds now; all of it, or nothing."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import msgspec
import pygit2
from pygit2.enums import SortMode

from vademecum.errors import MergeConflict, NoChange, NotFound, RefusedError
from vademecum.memfs.blame import blame_lines
from vademecum.memfs.diffs import changed_hunks
from vademecum.memfs.git import git_failures
from vademecum.memfs.history import commits_from, describe
from vademecum.memfs.messages import parse_provenance
from vademecum.memfs.objects import blob_at
from vademecum.memfs.records import Commit, Provenance, Writer
from vademecum.memfs.repository import Repository
from vademecum.memfs.text import decode
from vademecum.memfs.tree import Tree

__all__ = ["Merge", "UndoPlan", "find_undoable", "lies_within", "plan_undo", "undo"]

#: Merges one file of which lines overlap: path, the content that is taken back, the present one, the one before. None:
#: it cannot.
Merge = Callable[[str, bytes, bytes, bytes], bytes | None]

_SHOWN_CONFLICTS = 3
_SHOWN_COMMITS = 3


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


class _Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """One file whose later changes stand in the way."""

    path: str
    #: Where in the present file, in words; empty where it is gone or no text.
    where: str
    #: Who changed it since, newest first.
    later: tuple[Commit, ...]


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
        of_run = [commit for commit in _walk(git, head) if parse_provenance(commit.message).run == target]
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
    for commit in commits:
        for path in commit.paths:
            if not paths or lies_within(path, paths):
                work.take_back(commit, path)
    if work.conflicts:
        raise _refusal(work.conflicts)
    edits = {path: data for path, data in sorted(work.state.items()) if data != _content(work.base, path)}
    if not edits:
        raise NoChange(f"nothing of {commits[0].id[:10]} ({commits[0].subject}) is left in memory")
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


def lies_within(path: str, places: Collection[str]) -> bool:
    """Say whether a path is one of these files, or stands below one of these folders."""
    return any(path == place.rstrip("/") or path.startswith(f"{place.rstrip('/')}/") for place in places)


class _Work:
    """One undo that is being worked out."""

    def __init__(self, repository: Repository, commits: Sequence[Commit], merge: Merge | None) -> None:
        self.repository, self.commits, self.merge = repository, commits, merge
        self.base = repository.tree()
        #: What the paths become, as far as it is worked out.
        self.state: dict[str, bytes | None] = {}
        self.conflicts: list[_Conflict] = []

    def take_back(self, commit: Commit, path: str) -> None:
        """Take back what one commit did to one path."""
        taken, former = _sides(self.repository.git, commit, path)
        present = self.state[path] if path in self.state else _content(self.base, path)
        if present == taken:
            self.state[path] = former
        elif present != former:
            merged = self._merged(path, taken, present, former)
            if merged is None:
                self.conflicts.append(self._conflict(commit, path, taken, present, former))
            else:
                self.state[path] = merged

    def _merged(self, path: str, taken: bytes | None, present: bytes | None, former: bytes | None) -> bytes | None:
        if present is None:
            return None
        # A file that only one of the two sides had is no text with lines to merge, but may be one with statements.
        merged = None
        if taken is not None and former is not None:
            merged = self.repository.merge_lines(taken, present, former)
        if merged is None and self.merge:
            merged = self.merge(path, taken or b"", present, former or b"")
        return merged

    def _conflict(
        self, commit: Commit, path: str, taken: bytes | None, present: bytes | None, former: bytes | None
    ) -> _Conflict:
        git, head = self.repository.git, self.base.revision
        mine = {commit.id for commit in self.commits}
        later: list[Commit] = []
        for other in commits_from(git, head, path):
            if other.id == commit.id:
                break
            if other.id not in mine:
                later.append(other)
        lines = _overlaps(taken or b"", present or b"", former or b"")
        if path not in self.state and present:
            origins = blame_lines(git, head, path)
            brought = {origin for span in lines for origin in origins[span.start : span.stop]}
            later = [other for other in later if other.id in brought] or later
        where = ", ".join(f"line {s.start + 1}" if len(s) < 2 else f"lines {s.start + 1}-{s.stop}" for s in lines)
        return _Conflict(path=path, where=where if present else "", later=tuple(later))


def _walk(git: pygit2.Repository, head: str) -> Iterator[pygit2.Commit]:
    return iter(git.walk(pygit2.Oid(hex=head), SortMode.TOPOLOGICAL | SortMode.TIME))


def _newest_standing(git: pygit2.Repository, head: str) -> Commit:
    taken_back: set[str] = set()
    for commit in _walk(git, head):
        provenance = parse_provenance(commit.message)
        # An undo that was itself taken back takes nothing back any more.
        if str(commit.id) in taken_back or not commit.parents:
            continue
        if provenance.writer is Writer.UNDO:
            taken_back.update(provenance.undoes)
        else:
            return describe(git, commit)
    raise NotFound("there is no commit that could be undone", next_step="Run `vade log` to see what was written.")


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


def _overlaps(taken: bytes, present: bytes, former: bytes) -> list[range]:
    """The lines of the present text (from 0) that changed where the undo would change something as well."""
    wanted = [old for old, _ in changed_hunks(taken, former)]
    return [
        new
        for old, new in changed_hunks(taken, present)
        if any(old.start <= other.stop and other.start <= old.stop for other in wanted)
    ]


def _refusal(conflicts: Sequence[_Conflict]) -> MergeConflict:
    shown = "; ".join(_in_words(conflict) for conflict in conflicts[:_SHOWN_CONFLICTS])
    more = len(conflicts) - _SHOWN_CONFLICTS
    newest = next((conflict.later[0].id[:10] for conflict in conflicts if conflict.later), None)
    first = f"Undo the later change first (`vade undo {newest}`), or " if newest else "You may "
    return MergeConflict(
        f"{shown}{f'; and {more} more files' if more > 0 else ''}",
        intact="Nothing was taken back.",
        next_step=f"{first}name the paths that shall be taken back, or edit the file.",
        paths=tuple(conflict.path for conflict in conflicts),
    )


def _in_words(conflict: _Conflict) -> str:
    place = f"{conflict.path} {conflict.where}".rstrip()
    commits = ", ".join(f"{commit.id[:10]} ({commit.subject})" for commit in conflict.later[:_SHOWN_COMMITS])
    return f"{place} changed since, by {commits}" if commits else f"{place} changed since"


def _subject(commits: Sequence[Commit], in_part: bool) -> str:
    what = commits[0].subject if len(commits) == 1 else f"{len(commits)} commits of run {commits[0].provenance.run}"
    return f"Undo: {what}{' (in part)' if in_part else ''}"
