"""The part of each identity in one pass of learning; few of them have their stores open at once."""

from contextlib import AbstractContextManager, ExitStack
from typing import Self

import msgspec

from vademecum.engine.founding import found_memory
from vademecum.engine.learn import (
    LearnReport,
    Plan,
    adopt_lost_records,
    conclude,
    indexing,
    keep_failure,
    report,
    skipped,
    stage_of,
    window_on,
)
from vademecum.errors import VademecumError
from vademecum.home import IdentityFolder
from vademecum.learning import Extractor, Listener, Rehearsal, Rehearsed, Walk
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.recall import refresh
from vademecum.sessions import Discovery, Session
from vademecum.state import State

__all__ = ["IdentityPass", "LearningPass", "OpenStores", "RehearsalPass"]

#: An open identity holds six file descriptors or more, and there may be more identities than a process may open files.
_OPEN_AT_ONCE = 16
_NOTHING_FOUND = Discovery(refs=(), looked=(), skipped={})


class OpenStores:
    """Keeps the stores of the identities that were used last open, and closes them all in the end."""

    def __init__(self) -> None:
        self._open: dict[str, ExitStack] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            self._close_oldest()

    def use(self, name: str) -> bool:
        """Whether the stores of this identity are open; they are now the last used."""
        stores = self._open.pop(name, None)
        if stores is not None:
            self._open[name] = stores
        return stores is not None

    def put(self, name: str, stores: ExitStack) -> None:
        """Keep these stores open, and those that were not used for the longest time no longer."""
        self._open[name] = stores
        if len(self._open) > _OPEN_AT_ONCE:
            self._close_oldest()

    def _close_oldest(self) -> None:
        self._open.pop(next(iter(self._open))).close()


class IdentityPass:
    """One identity in a pass. Nothing of it is made or opened before a session needs it."""

    walk: Walk

    def __init__(self, open_stores: OpenStores, folder: IdentityFolder) -> None:
        self.folder, self._open_stores = folder, open_stores

    @property
    def is_begun(self) -> bool:
        """Whether the identity is there, or this pass came to make it."""
        return self.folder.exists or self.walk.report.met > 0

    def report(self) -> LearnReport:
        """What the pass did here so far."""
        told = report(_NOTHING_FOUND, self.walk.report, skipped(None))
        return msgspec.structs.replace(told, identity=self.folder.name, discovered=self.walk.report.met)


class RehearsalPass(IdentityPass):
    """Reads, where the identity has a state."""

    def __init__(self, open_stores: OpenStores, folder: IdentityFolder, work: Plan, sessions: list[Rehearsed]) -> None:
        super().__init__(open_stores, folder)
        self._opened: State | None = None
        tree = Repository.open(folder.memory, locks=Locks(folder.locks)).tree() if folder.exists else None
        self.walk = Rehearsal(
            sessions.append, self._lend, learner=work.learner, window=window_on(work, tree), allowance=work.allowance
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

    def __init__(self, open_stores: OpenStores, folder: IdentityFolder, work: Plan) -> None:
        super().__init__(open_stores, folder)
        self._work, self._locks = work, Locks(folder.locks)
        self._opened: _Stores | None = None
        self.walk = self._extractor = Extractor(
            lambda: self._stores().state,
            self._listen,
            learner=work.learner,
            window=work.window,
            allowance=work.allowance,
        )

    def ledger(self) -> AbstractContextManager[None]:
        """Around the whole pass: whoever began a session has a row that says how it ended."""
        return self._extractor.ledger()

    def conclude(self) -> LearnReport:
        """Consolidate, and let recall serve the outcome."""
        stores = self._stores()
        stage = stage_of(self._work, stores.repository, stores.state, self._locks, self.folder)
        done = conclude(self._work, stage, self.walk.report, self.report())
        refresh(stores.repository.tree(), self.folder.cache)
        return done

    def keep_failure(self, error: VademecumError) -> None:
        """For `vade status`: what ended the pass; an identity that it did not come to make has no status."""
        if self.folder.exists:
            keep_failure(self._stores().state, self.report(), error)

    def _listen(self, session: Session, project: str) -> None:
        self._stores().listener(session, project)

    def _stores(self) -> _Stores:
        if self._opened is None or not self._open_stores.use(self.folder.name):
            self._opened = self._open(is_first=self._opened is None)
        return self._opened

    def _open(self, *, is_first: bool) -> _Stores:
        with ExitStack() as opening:
            repository = found_memory(self.folder, self._locks)
            state = opening.enter_context(State.open(self.folder.state))
            if is_first:
                self.walk.window = window_on(self._work, repository.tree())
                adopt_lost_records(self._work, state, repository).told_in(self.walk.report)
            listener = opening.enter_context(indexing(state, self.folder, repository))
            self._open_stores.put(self.folder.name, opening.pop_all())
        return _Stores(repository=repository, state=state, listener=listener)
