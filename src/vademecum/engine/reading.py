"""Reading sessions from where they were seen."""

from collections.abc import Callable, Collection, Iterator

from vademecum.engine.hiding import visibility, which_are_listed
from vademecum.errors import NotFound, SessionUnreadable
from vademecum.home import project_root
from vademecum.run_ids import find_id
from vademecum.sessions import Role, Session, kept_ref, load
from vademecum.state import Source, State

__all__ = ["known_sessions", "project_finder", "read_session"]


def read_session(state: State, session_id: str) -> Session:
    """The session, read again from its host, clean; a beginning of its id will do where it is the only one.

    Raises NotFound, UsageError for a beginning of several ids, SessionUnreadable.
    """
    sources = state.sources.of_session(session_id) or state.sources.of_session(_full_id(state, session_id))
    return _load(max(sources, key=lambda source: source.seen_at))


def _full_id(state: State, beginning: str) -> str:
    """The id that begins so: of a session with a record, else of any that was seen."""
    recorded = state.records.names()
    seen = {source.session_id for source in state.sources.all()}
    for known in (recorded & seen, seen):
        if found := find_id(beginning, sorted(known), what="sessions"):
            return found
    raise NotFound(f"no session {beginning!r} was seen here", next_step="Run `vade sessions` to list them.")


def _load(source: Source) -> Session:
    return load(kept_ref(source.host, source.path, source.session_key, source.fingerprint, seen_at=source.seen_at))


def known_sessions(state: State, forgotten: Collection[str]) -> Iterator[Session]:
    """Every session that was read here and can still be, with a record or without one; one that is gone is left out.

    So is one that may not be shown, or whose hash is in `forgotten`. One in which nobody spoke was never offered to
    search, and is not now.
    """
    sources = state.sources.all()
    listed = which_are_listed({source.session_id for source in sources}, forgotten)
    hidden = visibility(state, listed).hidden_sessions
    readable = (source for source in sources if source.session_id not in hidden and not source.was_left_alone)
    newest = {source.session_id: source for source in readable}
    for source in newest.values():
        try:
            session = _load(source)
        except SessionUnreadable:
            continue
        if any(message.role is Role.HUMAN for message in session.messages):
            yield session


def project_finder(state: State) -> Callable[[Session], str]:
    """Finds a session's project: the one of its record, or, where it left none, the one its directory is in now."""
    known = {head.session_id: head.project for head in state.records.heads()}
    return lambda session: known.get(session.id) or project_root(session.cwd)
