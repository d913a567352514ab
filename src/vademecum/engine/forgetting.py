"""Forgetting: a file, a folder or a session goes from memory, and with `scrub` from its history and its databases.

Only a person forgets: no model and no learner gets here. Nothing else moves meanwhile: the lock of consolidation is
held throughout, that of writing while something is written.

Main decides: whoever is killed before it moves has changed nothing. After it, the archive at the new revision says what
was forgotten: readers hide it, and the next learn or forget completes the state and the search index from there.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec

from vademecum.artifacts import forgotten_sessions, statements_in
from vademecum.engine.forget_plan import ForgetPlan, ForgetPreview
from vademecum.engine.scrub_proof import ScrubProof, scrub_and_prove, take_out
from vademecum.engine.targets import FORGET, Target
from vademecum.errors import NotFound
from vademecum.home import IdentityFolder
from vademecum.learning import adopt_rollout_summaries, follow_archive, has_followed
from vademecum.locks import PATIENT_SECONDS, Domain, Locks
from vademecum.memfs import Repository, again_when_moved, clear_drafts, finish_scrub, unfinished
from vademecum.recall import SearchIndex, refresh
from vademecum.state import State

__all__ = ["ForgetReport", "Forgetting"]

_PURPOSE = "forgetting"
_NOTHING = Target(paths=(), former_paths=(), sessions=())
#: How handbook, summary and archive begin.
_MADE = ("# Task Group: ", "v1\n", "# Archive\n")


class ForgetReport(msgspec.Struct, frozen=True, kw_only=True):
    """What went."""

    preview: ForgetPreview
    #: The commit on main; None where there was nothing left to do.
    commit: str | None
    #: What the scrub took out and proved; None without one.
    proof: ScrubProof | None = None
    #: An earlier call was interrupted, and has come to its end now.
    completed: bool = False


class Forgetting:
    """Forgetting in one identity."""

    def __init__(self, folder: IdentityFolder, repository: Repository, locks: Locks) -> None:
        self._folder, self._repository, self._locks = folder, repository, locks

    def preview(self, words: str, *, scrubs: bool = False) -> ForgetPreview:
        """Say what would go; nothing changes. Raises NotFound, UsageError for what is no file and no one session."""
        with self._opened() as state:
            try:
                return ForgetPlan(self._repository, state, words, scrubs=scrubs).preview
            except NotFound as error:
                has_more = unfinished(self._repository) is not None if scrubs else self._lingers(state, error.paths)
                if not has_more:
                    raise
                return ForgetPreview(target=_NOTHING, only_finishes=True)

    def forget(self, words: str, *, scrubs: bool = False) -> ForgetReport:
        """Let go of a path or a session. With `scrubs` its words go from history, databases and caches, proven.

        Raises
        ------
        NotFound, UsageError: as `preview`.
        DirtyPath: a file that is concerned has a hand edit that nobody committed.
        RefusedError: something of the person's own holds it (a branch, a tag, a stash); the message says which.
        BusyError: a consolidation, or another writer, is at work.
        GitFailed: the old objects could not be taken off the disk; call it again.
        """
        with (
            self._locks.hold(Domain.CONSOLIDATION, purpose=_PURPOSE, wait_seconds=PATIENT_SECONDS),
            self._opened() as state,
        ):
            return again_when_moved(lambda: self._forget(state, words, scrubs=scrubs))

    def _forget(self, state: State, words: str, *, scrubs: bool) -> ForgetReport:
        with self._repository.writing(_PURPOSE):
            left = unfinished(self._repository) if scrubs else None
            try:
                plan = ForgetPlan(self._repository, state, words, scrubs=scrubs)
            except NotFound as error:
                if left is not None:
                    return self._finish(state, left)
                if scrubs or not self._lingers(state, error.paths):
                    raise
                return self._follow(state, error.paths)
            preview, gone = plan.preview, plan.words | _said_in(left or ())
            plan.refuse_obstacles()
            # What a killed learner left there would bring it back; its input waits for the next learn.
            clear_drafts(self._folder.drafts)
            # A refusal leaves the state as it was, too.
            with state.transaction():
                followed = set(follow_archive(state, plan.tree, datetime.now(UTC)))
                commit = plan.scrub() if scrubs else plan.commit()
            refresh(self._repository.tree(), self._folder.cache)
            if scrubs:
                finish_scrub(self._repository)
        completed = left is not None or not followed.isdisjoint(plan.target.sessions)
        if not scrubs:
            take_out(self._folder, state, plan.target)
            return ForgetReport(preview=preview, commit=commit, completed=completed)
        proof = scrub_and_prove(self._folder, self._repository, state, plan.target, gone)
        return ForgetReport(preview=preview, commit=commit, proof=proof, completed=completed)

    def _finish(self, state: State, left: list[bytes]) -> ForgetReport:
        """Complete a scrub that was interrupted when history held nothing of it any more."""
        finish_scrub(self._repository)
        proof = scrub_and_prove(self._folder, self._repository, state, _NOTHING, _said_in(left))
        preview = ForgetPreview(target=_NOTHING, only_finishes=True)
        return ForgetReport(preview=preview, commit=None, proof=proof, completed=True)

    def _lingers(self, state: State, paths: tuple[str, ...]) -> bool:
        """Whether a person forgot these files by a call that was killed before state and index had followed."""
        newest = (next(iter(self._repository.log(path, limit=1)), None) for path in paths)
        if not any(commit and commit.subject.startswith(FORGET) for commit in newest):
            return False
        if not has_followed(state, self._repository.tree()):
            return True
        if not self._folder.search.exists():
            return False
        with SearchIndex.open(self._folder.search) as index:
            return index.holds(*paths)

    def _follow(self, state: State, paths: tuple[str, ...]) -> ForgetReport:
        """Complete a forgetting that was killed after its commit."""
        tree = self._repository.tree()
        with state.transaction():
            follow_archive(state, tree, datetime.now(UTC))
        refresh(tree, self._folder.cache)
        take_out(self._folder, state, Target(paths=paths, former_paths=(), sessions=()))
        return ForgetReport(preview=ForgetPreview(target=_NOTHING, only_finishes=True), commit=None, completed=True)

    @contextmanager
    def _opened(self) -> Generator[State]:
        with State.open(self._folder.state) as state:
            # A clone, or a lost database: its sessions must be known before one of them can be forgotten.
            forgotten = forgotten_sessions(self._repository.tree())
            adopt_rollout_summaries(self._repository, state, datetime.now(UTC), forgotten=forgotten)
            yield state


def _said_in(contents: Iterable[bytes]) -> frozenset[str]:
    """What these files say; former artefacts not, because most of their lines still stand somewhere."""
    texts = (data.decode(errors="replace") for data in contents)
    said: set[str] = set()
    return frozenset(said.union(*(statements_in(text) for text in texts if not text.startswith(_MADE))))
