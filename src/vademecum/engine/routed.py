"""Learning by routes: every session is read once, and learned into the identity that its directory belongs to.

A session that was learned stays with the identity that holds its record. One that nobody learns makes no identity: the
default one notes that it was looked at.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import cache
from typing import Generic, TypeVar

import msgspec

from vademecum.engine.identity_pass import IdentityPass, LearningPass, RehearsalPass, walk_along
from vademecum.engine.learn import LearnReport, Plan, each_once
from vademecum.engine.open_stores import OpenStores
from vademecum.errors import VademecumError
from vademecum.home import DEFAULT_IDENTITY, Home, IdentityFolder
from vademecum.learning import Consolidation, ConsolidationStatus, Rehearsed, Skip, Walk, fingerprints, marked, why_not
from vademecum.routes import Route, Routes
from vademecum.sessions import Discovery, Session, SessionRef, as_kept
from vademecum.state import State

__all__ = ["learn_by_routes", "rehearse_by_routes"]

#: How the consolidation of several identities ended, in one word: the first of these that holds for any of them.
_TELLING = (
    ConsolidationStatus.FAILED,
    ConsolidationStatus.INVALID,
    ConsolidationStatus.BUSY,
    ConsolidationStatus.PROPOSED,
    ConsolidationStatus.LANDED,
    ConsolidationStatus.COOLDOWN,
    ConsolidationStatus.NO_CHANGES,
    ConsolidationStatus.NO_NEW_INPUT,
    ConsolidationStatus.SKIPPED,
)


def learn_by_routes(
    work: Plan, discovery: Discovery, home: Home, routes: Routes, *, present: IdentityFolder
) -> LearnReport:
    """Learn each of these sessions into its identity, then consolidate every identity that has any of them.

    The present one is consolidated in any case: a person who writes notes and edits files there expects it.
    """
    with OpenStores() as open_stores:
        with ExitStack() as ledgers:

            def pass_of(folder: IdentityFolder) -> LearningPass:
                identity_pass = LearningPass(open_stores, folder, work)
                ledgers.enter_context(identity_pass.ledger())
                return identity_pass

            passes = _Passes(work, home, routes, pass_of, came=routes.keep)
            try:
                walk_along(work, discovery, passes)
                passes.call(present.name)
            except VademecumError as error:
                for identity_pass in passes.at_work():
                    identity_pass.keep_failure(error)
                raise
        return _sum(discovery, _concluded(passes.at_work()))


def _concluded(passes: Iterable[LearningPass]) -> list[LearnReport]:
    """What each came to. One that fails keeps none of the others from it; the first error is raised last."""
    parts: list[LearnReport] = []
    failed: dict[str, VademecumError] = {}
    for identity_pass in passes:
        try:
            parts.append(identity_pass.conclude())
        except VademecumError as error:
            failed[identity_pass.folder.name] = error
    if failed:
        first = next(iter(failed.values()))
        first.intact += f" Not finished: {', '.join(failed)}; every other identity is."
        raise first
    return parts


def rehearse_by_routes(work: Plan, discovery: Discovery, home: Home, routes: Routes) -> LearnReport:
    """What `learn_by_routes` would do, without a write."""
    sessions: list[Rehearsed] = []
    with OpenStores() as open_stores:
        passes = _Passes(work, home, routes, lambda folder: RehearsalPass(open_stores, folder, work, sessions))
        walk_along(work, discovery, passes)
        told = _sum(discovery, [identity_pass.report() for identity_pass in passes.at_work()])
    return msgspec.structs.replace(told, sessions=tuple(sessions))


_AnyPass = TypeVar("_AnyPass", bound=IdentityPass)


class _Passes(Generic[_AnyPass]):
    """The walks of a pass, found by what is known of a reference and by the directory of a session."""

    def __init__(
        self,
        work: Plan,
        home: Home,
        routes: Routes,
        pass_of: Callable[[IdentityFolder], _AnyPass],
        *,
        came: Callable[[Route], None] = lambda _route: None,
    ) -> None:
        self._work, self._home, self._pass_of, self._came = work, home, pass_of, came
        self._route: Callable[[str], Route] = cache(routes.of)
        self._passes: dict[str, _AnyPass] = {}
        #: Identities by the place and fingerprint of what they have read, and by the sessions that they hold.
        self._read: dict[tuple[str, str, str, str], str] = {}
        self._holders: defaultdict[str, list[str]] = defaultdict(list)
        for folder in home.identities():
            if folder.state.exists():
                self._take_in(folder)

    def _take_in(self, folder: IdentityFolder) -> None:
        with State.open(folder.state) as state:
            for place in state.sources.places():
                self._read.setdefault(place, folder.name)
            for name in state.records.names():
                self._holders[name].append(folder.name)

    def knowing(self, ref: SessionRef) -> Walk | None:
        """The walk of the identity that has read the reference as it is now."""
        place = (ref.host, as_kept(ref.path), as_kept(ref.session_id))
        for fingerprint in fingerprints(ref, self._work.window):
            if reader := self._read.get((*place, fingerprint)):
                return self._at(reader).walk
        # Whether a memory began anew is known of each by itself.
        reader = self._read.get((*place, marked(ref, Skip.BEFORE_RESET)))
        walk = self._at(reader).walk if reader else None
        return walk if walk and walk.window.began_anew_at else None

    def of(self, session: Session | None) -> Walk:
        """The walk of the session's identity; of the default one, where the session would make one in vain."""
        if session is None:
            return self._at(DEFAULT_IDENTITY).walk
        route = self._route(session.cwd)
        holders = self._holders.get(session.id, [])
        identity_pass = self._at(route.identity if route.identity in holders else (*holders, route.identity)[0])
        if not identity_pass.is_begun and why_not(session, None, self._work.window):
            return self._at(DEFAULT_IDENTITY).walk
        self._came(route)
        return identity_pass.walk

    def call(self, name: str) -> None:
        """Have an identity take part, if it is there."""
        self._at(name)

    def at_work(self) -> list[_AnyPass]:
        """Every identity that a reference came to, or that was called."""
        return [identity_pass for identity_pass in self._passes.values() if identity_pass.is_begun]

    def _at(self, name: str) -> _AnyPass:
        if name not in self._passes:
            self._passes[name] = self._pass_of(self._home.identity(name))
        return self._passes[name]


def _sum(discovery: Discovery, parts: list[LearnReport]) -> LearnReport:
    skipped = Counter(discovery.skipped)
    for part in parts:
        skipped.update(part.skipped)
    return LearnReport(
        discovered=len(discovery.refs),
        eligible=sum(part.eligible for part in parts),
        extracted=sum(part.extracted for part in parts),
        no_output=sum(part.no_output for part in parts),
        failed=sum(part.failed for part in parts),
        skipped=dict(skipped),
        consolidation=_all_in_one([part.consolidation for part in parts]),
        runs=tuple(run for part in parts for run in part.runs),
        looked=discovery.looked,
        errors=tuple(error for part in parts for error in part.errors),
        next_steps=each_once(step for part in parts for step in part.next_steps),
        rebuilt=tuple(f"{part.identity}: {told}" for part in parts for told in part.rebuilt),
        parts=tuple(parts),
    )


def _all_in_one(outcomes: list[Consolidation]) -> Consolidation:
    """The most telling of them. Several have no revision in common."""
    if not outcomes:
        return Consolidation(status=ConsolidationStatus.SKIPPED)
    told = min(outcomes, key=lambda outcome: _TELLING.index(outcome.status))
    return msgspec.structs.replace(
        told,
        revision=told.revision if len(outcomes) == 1 else None,
        came_back=_joined(outcome.came_back for outcome in outcomes),
        recovered=_joined(outcome.recovered for outcome in outcomes),
        proposals=_joined(outcome.proposals for outcome in outcomes),
        not_adopted=_joined(outcome.not_adopted for outcome in outcomes),
        in_the_way=_joined(outcome.in_the_way for outcome in outcomes),
    )


def _joined(texts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(text for some in texts for text in some)
