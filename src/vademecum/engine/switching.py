"""Session modes as a person decides them: a session is switched off for memory, or on again.

The decision stands in the archive, by a hash of the session's id: so a lost database keeps it, and other machines
follow it. Learning brings the state to it (`learning.switched_off`).
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    began_anew_at,
    forgotten_sessions,
    format_day,
    session_hash,
    switched_off_sessions,
    taken_in_sessions,
    with_switch,
    with_taken_in,
)
from vademecum.engine.answers import SessionRow
from vademecum.engine.editing import AskedBy
from vademecum.engine.hiding import kept_away
from vademecum.engine.losing import refuse_while_gone
from vademecum.engine.noting import refuse_odd_session
from vademecum.engine.opened import Opened
from vademecum.engine.session_rows import session_rows
from vademecum.errors import NotFound, RefusedError, SessionUnreadable
from vademecum.learning import follow_archive, follow_switched_off, text_of
from vademecum.locks import PATIENT_SECONDS, Domain
from vademecum.memfs import Provenance, Repository, Tree, Writer
from vademecum.recall import refresh
from vademecum.run_ids import find_id
from vademecum.sessions import Origin, Session, SessionRef, discover, load
from vademecum.state import RecordState, SessionMode, State

__all__ = ["ModeChange", "ModeNow", "Switching", "memory_of_session", "mode_of_session"]

_PURPOSE = "switching a session"
_PERSON = AskedBy()
_Opened = TypeVar("_Opened", bound=Opened)


class ModeChange(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to switching a session."""

    #: The session's whole id.
    session: str
    #: Whose memory it was.
    identity: str
    mode: SessionMode
    #: Whether memory learned anything from it before.
    was_learned: bool
    #: The commit that says so; None where it said so already.
    commit: str | None


class ModeNow(msgspec.Struct, frozen=True, kw_only=True):
    """How a session stands."""

    #: The session's whole id.
    session: str
    #: Whose memory it is, or would be.
    identity: str
    mode: SessionMode
    #: A person asked to forget it: it is not learned again, and cannot be switched on.
    is_forgotten: bool
    #: Whether memory holds what was learned from it.
    is_learned: bool


def mode_of_session(beginning: str, opened: Opened) -> ModeNow:
    """Whether the session that has this id, or begins so, may be learned from; nothing is made or changed.

    Raises NotFound where neither memory nor any host knows it, UsageError where several begin so.
    """
    tree = opened.tree() if opened.folder.exists else None
    known, modes, rows = set[str](), dict[str, SessionMode](), list[SessionRow]()
    if opened.folder.state.exists():
        with State.read(opened.folder.state) as state:
            known = _known(state)
            modes = {name: mode for mode in SessionMode for name in state.modes.sessions(mode)}
            lists = (forgotten_sessions(tree), switched_off_sessions(tree)) if tree is not None else ()
            rows = session_rows(state, *lists)
    session = _find(beginning, known, tree, opened.environ)
    row = next((row for row in rows if row.id == session), None)
    mode = SessionMode(row.mode) if row else modes.get(session, SessionMode.ENABLED)
    is_listed = tree is not None and session_hash(session) in kept_away(tree)
    return ModeNow(
        session=session,
        identity=opened.folder.name,
        mode=SessionMode.DISABLED if is_listed else mode,
        is_forgotten=tree is not None and session_hash(session) in forgotten_sessions(tree),
        is_learned=row is not None and row.state is RecordState.ACTIVE,
    )


def memory_of_session(beginning: str, present: _Opened) -> _Opened:
    """The memory of the identity that knows the session, or would learn it; the present one, where nobody knows it.

    An identity that was named is meant. Raises UsageError where several sessions begin so.
    """
    if present.takes_all:
        return present
    root, holders = present.home.root, dict[str, str]()
    for folder in (folder for folder in present.home.identities() if folder.state.exists()):
        with State.read(folder.state) as state:
            holders |= dict.fromkeys(_known(state), folder.name)
    if found := find_id(beginning, holders, what="sessions"):
        return present.open(holders[found], home=root, environ=present.environ)
    told = {session.id: session.cwd for session in _in_hosts(beginning, present.environ)}
    found = find_id(beginning, told, what="sessions")
    return present.open(home=root, environ=present.environ, cwd=told[found]) if found and told[found] else present


def _known(state: State) -> set[str]:
    known = state.records.names()
    known |= {source.session_id for source in state.sources.all()}
    return known | {name for mode in SessionMode for name in state.modes.sessions(mode)}


def _in_hosts(beginning: str, environ: Mapping[str, str]) -> Iterator[Session]:
    """Sessions that nobody has learned yet, such as one that still goes on."""
    for ref in discover(hosts=None, sources=None, environ=environ, home=Path.home()).refs:
        if _may_be(ref, beginning):
            with suppress(SessionUnreadable):  # then it cannot be learned either
                yield load(ref)


def _find(beginning: str, known: Collection[str], tree: Tree | None, environ: Mapping[str, str]) -> str:
    found = find_id(beginning, known, what="sessions") or find_id(
        beginning, (session.id for session in _in_hosts(beginning, environ)), what="sessions"
    )
    if found is None and tree is not None and session_hash(beginning) in kept_away(tree):
        return beginning  # known by its hash only, after a lost database or on another machine
    if found is None:
        raise NotFound(
            f"no agent on this machine has a session {beginning!r}",
            next_step="Give its id as the agent shows it; `vade sessions` lists those that memory knows.",
        )
    return found


class Switching:
    """Switching sessions in one identity. A memory is made with the first switch, and by no question."""

    def __init__(self, opened: Opened) -> None:
        refuse_while_gone(opened.folder)
        self._opened, self._folder = opened, opened.folder

    def find(self, beginning: str) -> str:
        """The whole id of the session that has this id, or begins so. Raises NotFound, UsageError."""
        tree = self._opened.tree() if self._folder.exists else None
        known = set[str]()
        if self._folder.state.exists():
            with State.read(self._folder.state) as state:
                known = _known(state)
        return _find(beginning, known, tree, self._opened.environ)

    def switch(
        self, beginning: str, mode: SessionMode, *, is_whole_id: bool = False, asked_by: AskedBy = _PERSON
    ) -> ModeChange:
        """Switch the session that has this id, or begins so, on or off.

        Parameters
        ----------
        is_whole_id: a host says that this session exists, though nothing of it may be stored yet; it is not looked for.
        asked_by: who asks, as the commit will say.

        Raises
        ------
        NotFound: no session of that id is known to memory, nor to any host.
        UsageError: several begin so.
        RefusedError: it is to be learned again, and a person asked to forget it.
        BusyError: a consolidation, or another writer, is at work.
        """
        session = beginning if is_whole_id else self.find(beginning)
        refuse_odd_session(session)
        self._opened.create()
        repository = self._opened.repository()
        with (
            self._opened.locks.hold(Domain.CONSOLIDATION, purpose=_PURPOSE, wait_seconds=PATIENT_SECONDS),
            State.open(self._folder.state) as state,
            repository.writing(_PURPOSE),
        ):
            commit = _write_down(repository, session, mode, asked_by)
            record = state.records.get(session)
            _follow(state, repository.tree(), session, mode)
        refresh(repository.tree(), self._folder.cache)
        whose, was_learned = self._folder.name, record is not None
        return ModeChange(session=session, identity=whose, mode=mode, was_learned=was_learned, commit=commit)


def _write_down(repository: Repository, session: str, mode: SessionMode, asked_by: AskedBy) -> str | None:
    tree = repository.tree()
    is_off = mode is SessionMode.DISABLED
    if not is_off and session_hash(session) in forgotten_sessions(tree):
        raise RefusedError(
            "this session was forgotten, and what was forgotten is not learned again",
            next_step="`vade log ARCHIVE.md` shows when; `vade undo` of that commit takes the forgetting back.",
        )
    present, day = text_of(tree, ARCHIVE_PATH), format_day(datetime.now(UTC))
    is_listed = session_hash(session) in switched_off_sessions(tree)
    text = present if is_off == is_listed else with_switch(present, session, day if is_off else None)
    # Only beside a reset does a session have to be named that may be learned.
    may_be_old = not is_off and began_anew_at(tree) is not None
    if may_be_old != (session_hash(session) in taken_in_sessions(tree)):
        text = with_taken_in(text, session, day if may_be_old else None)
    if text == present:
        return None
    commit = repository.commit(
        {ARCHIVE_PATH: text},
        subject=f"Switch a session {'off' if is_off else 'on'} for memory",
        provenance=_provenance(asked_by),
        on=tree.revision,
    )
    return commit and commit.id


def _follow(state: State, tree: Tree, session: str, mode: SessionMode) -> None:
    follow_archive(state, tree, datetime.now(UTC))
    follow_switched_off(state, tree)
    if mode is SessionMode.ENABLED:
        state.modes.set(session, mode)  # above what was found in it
        state.sources.forget(session)  # so that the next pass looks at it again


def _provenance(asked_by: AskedBy) -> Provenance:
    if asked_by.origin is Origin.HUMAN:
        return Provenance(writer=Writer.USER, origin=asked_by.origin.value)
    return Provenance(writer=Writer.MEMORY_TOOL, origin=asked_by.origin.value, session=asked_by.session)


def _may_be(ref: SessionRef, beginning: str) -> bool:
    return ref.session_id.startswith(beginning) if ref.session_id else beginning in Path(ref.path).name
