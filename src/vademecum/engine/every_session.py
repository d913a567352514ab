"""The sessions as a person looks for them: with their first words, and those too that memory has nothing of."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from vademecum.artifacts import parse_evidence
from vademecum.engine.answers import SessionRow
from vademecum.engine.identity_pass import window_on
from vademecum.engine.left_out import why_left_out, why_retired
from vademecum.engine.opened import Opened
from vademecum.engine.reading import read_session
from vademecum.errors import NotFound, SessionUnreadable
from vademecum.learning import Skip, Window, why_not
from vademecum.memfs import Tree
from vademecum.secrets import mask
from vademecum.sessions import Role, Session, discover, load
from vademecum.state import RetiredReason, SessionMode, State

__all__ = ["UNLEARNED", "unlearned_sessions", "with_titles"]

UNLEARNED = "unlearned"
_TITLE_CHARACTERS = 120


def with_titles(rows: Iterable[SessionRow], state: State, tree: Tree | None) -> list[SessionRow]:
    """The rows with what the person said first, as far as it was kept, and why those are kept out that are."""
    titles = {record.session_id: _first_kept(record.raw_memory) for record in state.records.all()}
    return [
        msgspec.structs.replace(row, title=titles.get(row.id, ""), kept_out=_why_retired(row, tree)) for row in rows
    ]


def _why_retired(row: SessionRow, tree: Tree | None) -> str:
    return why_retired(row.id, RetiredReason(row.reason), tree=tree) if row.reason else ""


def _first_kept(raw_memory: str) -> str:
    evidence = list(filter(None, map(parse_evidence, raw_memory.split("\n"))))
    return _title(min(evidence, key=lambda one: one.turn).text) if evidence else ""


def _title(words: str) -> str:
    return " ".join(mask(words).split())[:_TITLE_CHARACTERS]


def unlearned_sessions(opened: Opened, state: State | None, tree: Tree | None) -> list[SessionRow]:
    """The sessions that hosts have, or had, and that memory holds no record of, newest first."""
    window = Window(
        now=datetime.now(UTC),
        idle=timedelta(hours=opened.config.min_rollout_idle_hours),
        age=None,
        shuns_external=opened.config.disable_on_external_context,
    )
    known = state.records.names() if state else set[str]()
    read = {source.session_id for source in state.sources.all()} if state else set[str]()
    found = {session.id: session for session in _sessions(opened, state, known, read) if session.id not in known}
    mine = (one for one in found.values() if opened.takes_all or opened.identity_of(one.cwd) == opened.folder.name)
    on_tree = window_on(window, tree)
    rows = [_row(session, state, tree, on_tree, was_read=session.id in read) for session in mine]
    return sorted(rows, key=lambda row: row.updated_at, reverse=True)


def _sessions(opened: Opened, state: State | None, known: set[str], read: set[str]) -> Iterator[Session]:
    """First those that lie somewhere else, then those of the hosts' own folders."""
    for name in read - known:
        with suppress(NotFound, SessionUnreadable):  # its file is gone: nobody can learn it any more
            if state:
                yield read_session(state, name)
    for ref in discover(hosts=None, sources=None, environ=opened.environ, home=Path.home()).refs:
        if ref.session_id not in known:
            with suppress(SessionUnreadable):
                yield load(ref)


def _row(session: Session, state: State | None, tree: Tree | None, window: Window, *, was_read: bool) -> SessionRow:
    mode = state.modes.get(session.id) if state else None
    skip = why_not(session, mode, window) or (Skip.UNCHANGED if was_read else None)
    why = why_left_out(session.id, skip, tree=tree, state=state).why if skip else "it was not learned yet"
    said = (message.text for message in session.messages if message.role is Role.HUMAN)
    return SessionRow(
        id=session.id,
        host=session.host,
        cwd=session.cwd,
        updated_at=session.updated_at,
        mode=mode or SessionMode.ENABLED,
        state=UNLEARNED,
        reason=skip.value if skip else "",
        usage_count=0,
        # Nothing that was said in it is told again of one that was to be forgotten.
        title="" if skip is Skip.FORGOTTEN else _title(next(said, "")),
        kept_out=why,
    )
