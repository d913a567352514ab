"""An answer without its citation block, and the block counted."""

from datetime import UTC, datetime

import msgspec

from vademecum.artifacts import CitedLines, parse_citations, strip_citations
from vademecum.errors import UsageError
from vademecum.home import IdentityFolder
from vademecum.learning import Citing
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.run_ids import find_id
from vademecum.state import SessionMode, State

__all__ = ["Cited", "take_citations"]

_MAX_ID_CHARS = 256


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an answer."""

    #: Without its citation blocks; everything else as it was.
    text: str
    files: tuple[CitedLines, ...]
    sessions: tuple[str, ...]
    #: How many citations were counted that were not counted before.
    counted: int = 0


def take_citations(
    folder: IdentityFolder, locks: Locks, answer: str, session: str | None, message: str | None, *, is_learner: bool
) -> Cited:
    """Take the blocks out of an answer. Raises UsageError for half of the two ids, or what is no id."""
    if (session is None) != (message is None):
        raise UsageError("to count an answer both its session and its message must be named")
    for name in filter(None, (session, message)):
        if len(name) > _MAX_ID_CHARS or not name.isprintable():
            raise UsageError("an id is a printable word of at most 256 characters")
    found = parse_citations(answer)
    counted = 0
    if session and message and not found.is_empty and not is_learner and not folder.is_blank:
        with State.open(folder.state) as state:
            known = state.records.names()
            session = find_id(session, known, what="sessions") or session
            if state.modes.get(session) in (None, SessionMode.ENABLED):
                repository = Repository.open(folder.memory, locks=locks, cache=folder.cache)
                now = datetime.now(UTC)
                counted = Citing(state, repository).count(found, session=session, message=message, at=now)
    return Cited(text=strip_citations(answer), files=found.files, sessions=found.sessions, counted=counted)
