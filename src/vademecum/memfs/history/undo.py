"""Take commits back: the inverse of each is merged onto what main holds now; all of it, or nothing."""

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec
import pygit2

from vademecum.errors import NoChange
from vademecum.memfs.commits.meant import require_files
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.git.objects import blob_at
from vademecum.memfs.git.opening import git_failures
from vademecum.memfs.history.undo_conflicts import Conflict, Versions, conflict_of, refusal
from vademecum.memfs.history.undo_targets import find_undoable, refuse_links
from vademecum.memfs.landing.attempts import again_when_moved
from vademecum.memfs.pages.text import decode
from vademecum.memfs.records import Commit, Provenance, Writer
from vademecum.memfs.repository import Repository

__all__ = ["Merge", "UndoPlan", "plan_undo", "undo"]

#: Merges one file of which lines overlap: path, the content that is taken back, the present one, the one before. None:
#: it cannot.
Merge = Callable[[str, bytes, bytes, bytes], bytes | None]

_UNDO = "Undo: "
_REDO = "Redo: "
#: Of so many later commits it is tried whether an undo of them would help.
_TRIED = 20


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

    @property
    def is_redo(self) -> bool:
        """Whether it takes back an undo, and so does again what a person had undone."""
        return self.subject.startswith(_REDO)


def plan_undo(
    repository: Repository, commits: Sequence[Commit], *, paths: Collection[str] = (), merge: Merge | None = None
) -> UndoPlan:
    """Work out what main becomes without these commits (newest first); of a merge, without what it brought to main.

    Parameters
    ----------
    paths: take back only what was done to these files and folders, as a person names them; none: everything.
    merge: asked where lines overlap that changed since.

    Raises
    ------
    NotFound, UnsafePath, UsageError: one of `paths` was not changed by any of the commits, or could be two of them.
    RefusedError: one of `paths` is a symbolic link that a commit brought.
    NoChange: nothing of them is left.
    MergeConflict: lines of theirs were changed since; all such paths are named.
    """
    changed = list(dict.fromkeys(path for commit in commits for path in commit.paths))
    refuse_links(repository, commits, paths)
    missing = f"{commits[0].id[:10]} did not change {{}}"
    chosen = require_files(paths, changed, root=repository.folder, missing=missing) if paths else changed
    work = _Work(repository, commits, merge)
    with git_failures(repository.folder):
        work.take_all_back(chosen)
        if work.conflicts:
            raise refusal(work.conflicts, _first_in_the_way(work, chosen))
    edits = {path: data for path, data in sorted(work.state.items()) if data != work.base.content(path)}
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
    BusyError, HeadMoved: others were writing for 30 s, or a person committed faster than this could be worked out.
    """

    def carried_out() -> tuple[UndoPlan, Commit]:
        plan = plan_undo(repository, find_undoable(repository, target), paths=paths, merge=merge)
        return plan, _carry_out(repository, plan)

    with repository.writing("undoing"):
        return again_when_moved(carried_out)


def _carry_out(repository: Repository, plan: UndoPlan) -> Commit:
    commit = repository.commit(
        {path: None if data is None else decode(data, path) for path, data in plan.edits.items()},
        subject=plan.subject,
        provenance=Provenance(writer=Writer.UNDO, origin="human", undoes=tuple(commit.id for commit in plan.commits)),
        on=plan.base.revision,
    )
    assert commit is not None, "a plan is never empty"
    return commit


def _first_in_the_way(work: "_Work", chosen: Collection[str]) -> Commit | None:
    """The newest later commit that can be taken back, and after which these can be; None where no single one helps."""
    standing = {commit.id: commit for conflict in work.conflicts for commit in conflict.standing}
    for other in list(standing.values())[:_TRIED]:
        tried = _Work(work.repository, (other, *work.commits), work.merge)
        tried.take_all_back({*chosen, *other.paths})
        if not tried.conflicts:
            return other
    return None


class _Work:
    """One undo that is being worked out."""

    def __init__(self, repository: Repository, commits: Sequence[Commit], merge: Merge | None) -> None:
        self.repository, self.commits, self.merge = repository, commits, merge
        self.base = repository.tree()
        #: What the paths become, as far as it is worked out.
        self.state: dict[str, bytes | None] = {}
        self.conflicts: list[Conflict] = []

    def take_all_back(self, paths: Collection[str]) -> None:
        """Take back what all commits did to these paths."""
        for commit in self.commits:
            for path in commit.paths:
                if path in paths:
                    self.take_back(commit, path)

    def take_back(self, commit: Commit, path: str) -> None:
        """Take back what one commit did to one path; one in conflict stays so, whatever earlier commits did to it."""
        if any(conflict.path == path for conflict in self.conflicts):
            return
        taken, former = _sides(self.repository.git, commit, path)
        present = self.state[path] if path in self.state else self.base.content(path)
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


def _sides(git: pygit2.Repository, commit: Commit, path: str) -> tuple[bytes | None, bytes | None]:
    """The content that a commit brought, and the one before it; None where there is no file."""
    found = git[commit.id].peel(pygit2.Commit)
    blobs = (blob_at(tree, path) for tree in (found.tree, found.parents[0].tree))
    after, before = (None if blob is None else git[blob].peel(pygit2.Blob).data for blob in blobs)
    return after, before


def _subject(commits: Sequence[Commit], in_part: bool) -> str:
    if len(commits) > 1:
        what = f"{_UNDO}{len(commits)} commits of run {commits[0].provenance.run}"
    else:
        what = _opposite(commits[0])
    return f"{what}{' (in part)' if in_part else ''}"


def _opposite(commit: Commit) -> str:
    """What taking it back is called: an undo that is undone is done again, and that can be undone."""
    if commit.provenance.writer is Writer.UNDO:
        for said, opposite in ((_UNDO, _REDO), (_REDO, _UNDO)):
            if commit.subject.startswith(said):
                return opposite + commit.subject.removeprefix(said)
    return f"{_UNDO}{commit.subject}"
