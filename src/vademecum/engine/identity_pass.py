"""The part of one identity in a pass of learning; learning into one identity alone is the whole pass."""

from contextlib import AbstractContextManager, ExitStack, suppress
from datetime import UTC, datetime

import msgspec

from vademecum.artifacts import (
    began_anew_at,
    forgotten_sessions,
    rejected_sessions,
    switched_off_sessions,
    taken_in_sessions,
)
from vademecum.engine.founding import found_memory
from vademecum.engine.indexing import indexing
from vademecum.engine.learn import LearnReport, Plan, each_once, report, skipped
from vademecum.engine.lost_records import FoundRecords, adopt_lost_records
from vademecum.engine.open_stores import OpenStores
from vademecum.errors import VademecumError
from vademecum.home import IdentityFolder
from vademecum.learning import (
    Consolidation,
    Extractor,
    Listener,
    Problem,
    Rehearsal,
    Rehearsed,
    Stage,
    Walk,
    Walks,
    Window,
    consolidate,
    walk_over,
)
from vademecum.locks import Locks
from vademecum.memfs import Repository, Tree
from vademecum.recall import refresh
from vademecum.sessions import Discovery
from vademecum.state import LastPass, State

__all__ = ["IdentityPass", "LearningPass", "RehearsalPass", "learn_into", "rehearse_into", "walk_along", "window_on"]

_NOTHING_FOUND = Discovery(refs=(), looked=(), skipped={})


def learn_into(work: Plan, discovery: Discovery, folder: IdentityFolder) -> LearnReport:
    """Learn from all of these sessions into one identity."""
    with OpenStores() as open_stores:
        one = LearningPass(open_stores, folder, work, discovery)
        try:
            with one.ledger():
                walk_along(work, discovery, one.walk)
        except VademecumError as error:
            one.keep_failure(error)
            raise
        return one.conclude()


def rehearse_into(work: Plan, discovery: Discovery, folder: IdentityFolder) -> LearnReport:
    """What `learn_into` would do, without a write."""
    sessions: list[Rehearsed] = []
    with OpenStores() as open_stores:
        one = RehearsalPass(open_stores, folder, work, sessions, discovery)
        walk_along(work, discovery, one.walk)
        return msgspec.structs.replace(one.report(), sessions=tuple(sessions))


def walk_along(work: Plan, discovery: Discovery, walks: Walks) -> None:
    """Walk over what was found, as it was planned."""
    walk_over(discovery.refs, walks, only=work.request.session, progress=work.progress, allowance=work.allowance)


class IdentityPass:
    """One identity in a pass. Nothing of it is made or opened before a session needs it.

    `discovery`: what was found for it alone; None: others take part, and it counts what comes to it.
    """

    walk: Walk

    def __init__(self, open_stores: OpenStores, folder: IdentityFolder, discovery: Discovery | None) -> None:
        self.folder, self._open_stores, self._discovery = folder, open_stores, discovery

    @property
    def is_begun(self) -> bool:
        """Whether the identity is there, or this pass came to make it."""
        return self.folder.exists or self.walk.report.met > 0

    def report(self) -> LearnReport:
        """What the pass did here so far."""
        told = report(self._discovery or _NOTHING_FOUND, self.walk.report, skipped(None))
        discovered = told.discovered if self._discovery else self.walk.report.met
        return msgspec.structs.replace(told, identity=self.folder.name, discovered=discovered)


class RehearsalPass(IdentityPass):
    """Reads, where the identity has a state."""

    def __init__(
        self,
        open_stores: OpenStores,
        folder: IdentityFolder,
        work: Plan,
        sessions: list[Rehearsed],
        discovery: Discovery | None = None,
    ) -> None:
        super().__init__(open_stores, folder, discovery)
        self._opened: State | None = None
        tree = Repository.open(folder.memory, locks=Locks(folder.locks)).tree() if folder.exists else None
        self.walk = Rehearsal(
            sessions.append,
            self._lend,
            learner=work.learner,
            window=window_on(work.window, tree),
            allowance=work.allowance,
            database=folder.state,
        )

    def _lend(self) -> State | None:
        if not self.folder.state.exists():
            return None
        if not self._open_stores.use(self.folder.name):
            stores = ExitStack()
            self._opened = stores.enter_context(State.open(self.folder.state))
            self._open_stores.put(self.folder.name, stores)
        return self._opened


class _Stores(msgspec.Struct, frozen=True, kw_only=True):
    """What is open of an identity."""

    repository: Repository
    state: State
    listener: Listener


class LearningPass(IdentityPass):
    """Makes the identity when the first session is learned into it."""

    def __init__(
        self, open_stores: OpenStores, folder: IdentityFolder, work: Plan, discovery: Discovery | None = None
    ) -> None:
        super().__init__(open_stores, folder, discovery)
        self._work, self._locks = work, Locks(folder.locks)
        self._opened: _Stores | None = None
        self._found = FoundRecords()
        tree = found_memory(folder, self._locks).tree() if folder.exists else None
        self.walk = self._extractor = Extractor(
            lambda: self._stores().state,
            lambda session, project: self._stores().listener(session, project),
            learner=work.learner,
            window=window_on(work.window, tree),
            allowance=work.allowance,
        )

    def ledger(self) -> AbstractContextManager[None]:
        """Around the whole pass: whoever began a session has a row that says how it ended."""
        return self._extractor.ledger()

    def report(self) -> LearnReport:
        """What the pass did here so far, and what it found in the repository before."""
        told = super().report()
        errors = (*(problem.what for problem in self._found.problems), *told.errors)
        next_steps = each_once((*(problem.next_step for problem in self._found.problems), *told.next_steps))
        return msgspec.structs.replace(told, errors=errors, next_steps=next_steps, rebuilt=self._found.rebuilt)

    def conclude(self) -> LearnReport:
        """Consolidate, let recall serve the outcome, and keep for `vade status` what the pass came to."""
        try:
            stores = self._stores()
            wanted = self._work.request.consolidate
            outcome = (
                consolidate(self._stage(stores), self._work.learner) if wanted else skipped(stores.repository.head())
            )
            done = _with(outcome, self.report())
            _keep(stores.state, done, self._last_problem(outcome))
            refresh(stores.repository.tree(), self.folder.cache)
        except VademecumError as error:
            self.keep_failure(error)
            raise
        return done

    def keep_failure(self, error: VademecumError) -> None:
        """For `vade status`: what ended the pass; an identity that it did not come to make has no status."""
        if not self.folder.exists:
            return
        # Where the state is what broke, nobody can write it there; the error itself is told in any case.
        with suppress(VademecumError), State.open(self.folder.state) as state:
            _keep(state, self.report(), Problem(what=str(error), next_step=error.next_step))

    def _last_problem(self, outcome: Consolidation) -> Problem | None:
        if outcome.reason:
            return Problem(what=outcome.reason, next_step=outcome.next_step)
        return next(reversed([*self._found.problems, *self.walk.report.problems]), None)

    def _stage(self, stores: _Stores) -> Stage:
        return Stage(
            repository=stores.repository,
            state=stores.state,
            locks=self._locks,
            drafts=self.folder.drafts,
            review=self._work.review,
            budget=self._work.allowance.budget,
            is_eager=self._work.request.now,
            now=self._work.window.now,
            rules=self._work.rules,
        )

    def _stores(self) -> _Stores:
        if self._opened is None or not self._open_stores.use(self.folder.name):
            self._opened = self._open(is_first=self._opened is None)
        return self._opened

    def _open(self, *, is_first: bool) -> _Stores:
        with ExitStack() as opening:
            repository = found_memory(self.folder, self._locks)
            state = opening.enter_context(State.open(self.folder.state))
            if is_first:
                self._found = adopt_lost_records(state, repository, self._work.window.now)
            listener = opening.enter_context(indexing(state, self.folder, repository))
            self._open_stores.put(self.folder.name, opening.pop_all())
        return _Stores(repository=repository, state=state, listener=listener)


def window_on(window: Window, tree: Tree | None) -> Window:
    """The span, without what the archive of this memory (None: there is none) keeps out."""
    if tree is None:
        return window
    return msgspec.structs.replace(
        window,
        forgotten=forgotten_sessions(tree),
        switched_off=switched_off_sessions(tree),
        rejected=rejected_sessions(tree),
        began_anew_at=began_anew_at(tree),
        taken_in=taken_in_sessions(tree),
    )


def _with(outcome: Consolidation, so_far: LearnReport) -> LearnReport:
    """The report of a pass that ended with this consolidation."""
    return msgspec.structs.replace(
        so_far,
        consolidation=outcome,
        runs=(*so_far.runs, *((outcome.run,) if outcome.run else ())),
        errors=(
            *so_far.errors,
            *(f"hand edit not taken in: {edit}" for edit in outcome.not_adopted),
            *outcome.in_the_way,
        ),
        next_steps=each_once((*so_far.next_steps, outcome.next_step)),
    )


def _keep(state: State, done: LearnReport, problem: Problem | None) -> None:
    """For `vade status`: what this pass came to, also where it began nothing."""
    state.passes.keep(
        LastPass(
            at=datetime.now(UTC),
            discovered=done.discovered,
            extracted=done.extracted,
            no_output=done.no_output,
            failed=done.failed,
            skipped=done.skipped,
            error=problem and problem.what,
            next_step=problem and problem.next_step,
        )
    )
