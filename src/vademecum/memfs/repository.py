"""The memory repository: one work tree of markdown, one branch, every write one durable commit."""

import time
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pygit2

from vademecum.errors import BusyError, HeadMoved, RefusedError, RepositoryMissing
from vademecum.locks import PATIENT_SECONDS, Domain, Locks
from vademecum.memfs.commits import commit as history
from vademecum.memfs.commits.tree import Tree
from vademecum.memfs.git import refs
from vademecum.memfs.git.gc_pid import keeping_gc_away
from vademecum.memfs.git.maintenance import pack_when_due
from vademecum.memfs.git.objects import merge_lines
from vademecum.memfs.git.opening import create_git, git_failures, open_git, refuse_foreign_layout, refuse_links
from vademecum.memfs.hand_commits.hook import install_hooks
from vademecum.memfs.records import Commit, Provenance, Writer
from vademecum.memfs.writing.adoption import Adoption, WorkTreeEdits, find_hand_edits
from vademecum.memfs.writing.changeset import Changeset
from vademecum.memfs.writing.committing import Clock, Committing
from vademecum.memfs.writing.format import next_step
from vademecum.memfs.writing.moving import complete_moves
from vademecum.memfs.writing.recovery import is_idle, recover
from vademecum.private import make_files_private, make_private_folders

__all__ = ["Clock", "Repository"]

_Result = TypeVar("_Result")

#: Git leaves it in its folder wherever it has moved a branch: the files that it wrote then are as open as any.
_MOVED_BY_GIT = "ORIG_HEAD"
_CREATING = "creating the memory repository"
_RETRY_SECONDS = 0.02


def _now() -> datetime:
    return datetime.now(UTC)


class Repository:
    """The memory of one identity. Readers see committed states only; writers take turns under the `memory-write` lock.

    Get one from `create` or `open`. All methods raise `StorageError` when the disk or the repository fails.
    """

    def __init__(
        self, folder: Path, git: pygit2.Repository, *, locks: Locks, clock: Clock = _now, cache: Path | None = None
    ) -> None:
        self.folder = folder
        self._git = git
        self._locks = locks
        self._clock = clock
        self._cache = cache
        self._commits = Committing(folder, git, clock, cache, self._tree_at)
        self._tip: Tree | None = None

    @classmethod
    def create(cls, folder: Path, *, locks: Locks, clock: Clock = _now, cache: Path | None = None) -> "Repository":
        """Open the repository in `folder`, made and seeded first when it has none.

        Files that are in the folder already stay as they are: a seed is written only where nothing is, and what was
        there waits uncommitted for `vade adopt`. Two processes may call this at once; a killed one is completed by the
        next.

        Parameters
        ----------
        cache: folder of what can be found out anew, such as which files are as committed; None: nothing is kept.

        Raises
        ------
        UnsafePath: the folder, or the one that holds it, is a symbolic link, or its `.git` leads elsewhere.
        BusyError: somebody else is writing and did not finish.
        """
        refuse_links(folder)
        if (folder / ".git").exists():
            repository = cls(folder, open_git(folder), locks=locks, clock=clock, cache=cache)
            if repository._is_started() and next_step(repository.tree()) is None:
                return repository
        with git_failures(folder):
            make_private_folders(folder)
            folder.chmod(0o700)
        with locks.hold(Domain.MEMORY_WRITE, purpose=_CREATING, wait_seconds=PATIENT_SECONDS):
            if not (folder / ".git").exists():
                create_git(folder)
            repository = cls(folder, open_git(folder), locks=locks, clock=clock, cache=cache)
            repository._start()
        return repository

    @classmethod
    def open(cls, folder: Path, *, locks: Locks, clock: Clock = _now, cache: Path | None = None) -> "Repository":
        """Open the repository in `folder`; parameters as `create`.

        Raises
        ------
        RepositoryMissing: there is none, or it has no commit on main.
        UnsafePath: as `create`.
        """
        refuse_links(folder)
        git = open_git(folder)
        with git_failures(folder):
            tip = refs.head(git)
        if tip is None:
            raise RepositoryMissing(f"the repository at {folder} has no commit on main")
        return cls(folder, git, locks=locks, clock=clock, cache=cache)

    def now(self) -> datetime:
        """Return the time that a commit made now bears."""
        return self._clock()

    @property
    def git(self) -> pygit2.Repository:
        """The objects and references, for the other modules of this room."""
        return self._git

    def head(self) -> str:
        """Return the present tip of main, 40 hexadecimal digits."""
        with git_failures(self.folder):
            found = refs.head(self._git)
        if found is None:
            raise RepositoryMissing(f"the repository at {self.folder} has lost its branch main")
        return found

    def resolve(self, rev: str) -> str:
        """Return the commit that `rev` names (an id, a unique beginning of one, `HEAD~2`, ...); raises `NotFound`."""
        return refs.resolve(self._git, rev)

    def tree(self, revision: str | None = None) -> Tree:
        """Return the committed state at a revision (default: the tip of main); raises `NotFound`."""
        commit = self.head() if revision is None else self.resolve(revision)
        with git_failures(self.folder):
            return Tree.at(self._git, commit) if revision is not None else self._tree_at(commit)

    def commit(
        self,
        edits: Mapping[str, str | None],
        *,
        subject: str,
        provenance: Provenance,
        on: str | None = None,
        cleared: Collection[str] = (),
        wait_seconds: float = PATIENT_SECONDS,
    ) -> Commit | None:
        """Write files in one commit: the whole new text of each path, or None to delete it.

        Returns None when nothing would change. When this returns, the commit is on the disk.

        Parameters
        ----------
        edits: by path. Whatever they do not name stays as it is at the tip of main.
        subject: first line of the message: the reason, as a person would read it.
        provenance: who wrote, and where the words come from.
        on: the revision that the texts were made from, when a change of the same paths since must not be lost.
        cleared: paths whose text a person let pass although it looks like a secret.
        wait_seconds: how long to wait for other writers, and for a git command that a person runs.

        Raises
        ------
        UnsafePath: a path is no memory path, or collides with another one.
        FrontMatterInvalid: a text breaks the grammar of memory files.
        SecretFound: a text, a path or the subject holds something like a secret.
        DirtyPath: a path has a hand edit that is not committed.
        BusyError: others were writing for the whole wait.
        HeadMoved: main is not at `on` any more.
        RefusedError: the person is on another branch, or in the middle of a merge.
        """
        with self.writing(f"committing: {subject}", wait_seconds=wait_seconds):
            return self._retried(
                lambda: self._commits.commit(edits, on, subject, provenance, cleared), wait_seconds, on
            )

    def adopt(self) -> Adoption:
        """Commit a person's uncommitted edits as their own; what may not become durable is left and reported.

        Waits for a git command that the person runs, as `commit` does. Raises `BusyError`, `RefusedError` where the
        person is in the middle of a merge.
        """
        with self.writing("adopting hand edits"):
            return self._retried(self._commits.adopt, PATIENT_SECONDS)

    def hand_edits(self) -> WorkTreeEdits:
        """What a person changed in the work tree and did not commit, as `adopt` would take it in."""
        with git_failures(self.folder):
            return find_hand_edits(self.folder, self.tree(), cache=self._cache)

    @contextmanager
    def writing(self, purpose: str, *, wait_seconds: float = PATIENT_SECONDS) -> Generator[None]:
        """Hold the `memory-write` lock: what is read inside the block is still true when it is written there.

        What a killed writer left is completed first, and an older content format is brought to the present one.

        Raises
        ------
        BusyError: somebody else held the lock for the whole wait.
        FormatTooNew: a newer version of the program wrote the repository.
        """
        with self._locks.hold(Domain.MEMORY_WRITE, purpose=purpose, wait_seconds=wait_seconds):
            refuse_links(self.folder)
            refuse_foreign_layout(self.folder)
            away = keeping_gc_away(self.folder / ".git", wait_seconds=wait_seconds)
            with git_failures(self.folder), away:
                self._retried(lambda: recover(self.folder, self._git), wait_seconds)
                complete_moves(self.folder, self._git)
                self._retried(self._commits.bring_to_format, wait_seconds)
                install_hooks(self.folder)
                if (self.folder / ".git" / _MOVED_BY_GIT).exists():
                    make_files_private(self.folder)
                yield
                pack_when_due(self.folder)

    def log(self, path: str | None = None, *, limit: int = 50, offset: int = 0) -> list[Commit]:
        """List commits, newest first; only those that changed the file `path` when given."""
        with git_failures(self.folder):
            return list(islice(history.commits_from(self._git, self.head(), path), offset, offset + limit))

    def of_run(self, run: str) -> Commit | None:
        """Return the newest commit that a run's learner made, or None."""
        with git_failures(self.folder):
            return history.newest_commit_where(
                self._git, lambda found: (found.run, found.writer) == (run, Writer.LEARN), until=self.head()
            )

    def newest_by(self, writer: Writer, path: str | None = None, *, most: int) -> Tree | None:
        """Return the state of a writer's newest commit among the `most` newest (if given: that changed `path`)."""
        with git_failures(self.folder):
            _, newest = history.since(self._git, self.head(), writer, path=path, most=most)
            return newest and Tree.at(self._git, str(newest.id))

    def since(self, last: Writer, *, by: Writer, most: int) -> list[Commit]:
        """List the commits of the writer `by` since the newest one of the writer `last`, newest first.

        Where `last` made none of the `most` newest commits: all of those that `by` made.
        """
        with git_failures(self.folder):
            later, _ = history.since(self._git, self.head(), last, most=most)
            return [history.describe(self._git, one) for one in later if history.writer_of(one) is by]

    def once_there(self, folder: str, names: Iterable[str]) -> set[str]:
        """Return those of the names that stood directly below a folder at any commit of main."""
        with git_failures(self.folder):
            return history.once_there(self._git, self.head(), folder.rstrip("/"), names)

    def holds(self, object_id: str) -> bool:
        """Whether an object (40 hexadecimal digits) was ever written here, and is there still."""
        with git_failures(self.folder):
            return object_id in self._git

    def find_run(self, provenance: Provenance, *, after: str) -> Commit | None:
        """Find the commit on main, later than `after`, that the same writer made in the same run."""
        with git_failures(self.folder):
            return history.find_run(self._git, provenance, after=after, until=self.head())

    def describe(self, rev: str) -> Commit:
        """Return the record of one commit; raises `NotFound`."""
        commit = self.resolve(rev)
        with git_failures(self.folder):
            return history.describe(self._git, self._git[commit].peel(pygit2.Commit))

    def baseline(self) -> Tree | None:
        """Return the state that the last consolidation has seen, or None before the first."""
        try:
            commit = refs.target(self._git, refs.BASELINE)
            return None if commit is None else Tree.at(self._git, commit)
        except (pygit2.GitError, KeyError, ValueError):
            return None  # damaged: the next consolidation reads everything again and sets it anew

    def move_baseline(self, tree_id: str) -> None:
        """Make a tree of this repository the baseline: `Landing.seen`, or the `tree_id` of what was looked at."""
        current = self.baseline()
        if current is not None and current.tree_id == tree_id:
            return
        with self.writing("moving the baseline"):
            self._keep(refs.BASELINE, pygit2.Oid(hex=tree_id), [], "Baseline", Provenance(writer=Writer.LEARN))

    def keep_proposal(
        self, base: Tree, edits: Mapping[str, bytes | None], *, subject: str, provenance: Provenance
    ) -> str:
        """Keep edits of `base` for review, off main, and return the reference's name; needs a run id."""
        name = refs.proposal_ref(provenance.run or "")
        with self.writing("keeping a proposal"):
            self._keep(name, pygit2.Oid(hex=self.overlay(base, edits)), [base.revision], subject, provenance)
        return name

    def proposal(self, run: str) -> Tree | None:
        """Return the proposal that a run left, or None."""
        with git_failures(self.folder):
            commit = refs.target(self._git, refs.proposal_ref(run))
            return None if commit is None else Tree.at(self._git, commit)

    def drop_proposal(self, run: str) -> None:
        """Let go of a proposal that was decided; none there is fine."""
        with self.writing("dropping a proposal"):
            self._retried(lambda: refs.drop_private(self.folder, refs.proposal_ref(run)), PATIENT_SECONDS)

    def proposals(self) -> list[str]:
        """Return the runs whose proposals wait for review, oldest first."""
        with git_failures(self.folder):
            return refs.proposals(self._git)

    def damaged_proposals(self) -> list[str]:
        """Return the ids of proposals of which nothing can be read; `drop_proposal` lets go of one."""
        with git_failures(self.folder):
            return refs.damaged_proposals(self._git)

    def overlay(self, base: Tree, edits: Mapping[str, bytes | None]) -> str:
        """Write the tree that `base` becomes by `edits`, without a commit, and return its id."""
        with git_failures(self.folder):
            return str(Changeset(self._git, base.tree_id, edits).write_tree())

    def obstacles(self, edits: Mapping[str, bytes | None]) -> dict[str, RefusedError]:
        """Say which edits `commit` would refuse for what stands in the work tree, and why; by path. Needs `writing`."""
        with git_failures(self.folder):
            try:
                refs.refuse_unusual_state(self._git)
            except RefusedError as error:
                return dict.fromkeys(edits, error)
            return self._retried(lambda: self._commits.obstacles(edits), PATIENT_SECONDS)

    def merge_lines(self, ancestor: bytes, ours: bytes, theirs: bytes) -> bytes | None:
        """Merge two versions of a text line by line; None when they changed the same lines."""
        with git_failures(self.folder):
            return merge_lines(self._git, ancestor, ours, theirs)

    def _tree_at(self, tip: str) -> Tree:
        # One walk asks for the tip many times, and each tree lists thousands of files for itself.
        if self._tip is None or self._tip.revision != tip:
            self._tip = Tree.at(self._git, tip)
        return self._tip

    def _keep(self, name: str, tree_id: pygit2.Oid, parents: list[str], subject: str, provenance: Provenance) -> None:
        commit = self._commits.build(tree_id, parents, subject, provenance)
        self._retried(lambda: refs.set_private(self.folder, name, commit), PATIENT_SECONDS)

    def _is_started(self) -> bool:
        with git_failures(self.folder):
            return refs.head(self._git) is not None and is_idle(self.folder)

    def _start(self) -> None:
        with self.writing(_CREATING):
            if refs.head(self._git) is not None:
                return
            self._commits.start()

    def _retried(self, action: Callable[[], _Result], wait_seconds: float, on: str | None = None) -> _Result:
        """Repeat while a person's own git command is in the way: it holds git's locks for moments, or commits."""
        deadline = time.monotonic() + self._locks.at_most(wait_seconds)
        while True:
            try:
                return action()
            except (BusyError, HeadMoved) as error:
                # Only what was not made on one revision can be built anew on the next.
                hopeless = on is not None and isinstance(error, HeadMoved)
                if hopeless or time.monotonic() >= deadline:
                    raise
            time.sleep(_RETRY_SECONDS)
