"""What a bullet rests on, asked by the source's name: the session, the words, and when they were said."""

from datetime import datetime

from vademecum.artifacts import (
    NOTES_FOLDER,
    Evidence,
    Note,
    evidence_by_source,
    parse_note,
    session_of,
    spelled_session,
)
from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import Frozen, Tree
from vademecum.state import State

__all__ = ["Sources", "session_spelled", "text_of"]

#: How much of a note a bullet repeats at least.
_NOTE_CHARACTERS = 250


def text_of(tree: Tree | Frozen, path: str) -> str:
    """A file's text with plain newlines; empty where it is absent, or no text (whoever shows the file says so)."""
    try:
        return tree.read(path).replace("\r\n", "\n") if tree.has(path) else ""
    except FrontMatterInvalid:
        return ""


def session_spelled(state: State, spelled: str) -> str:
    """The id of the session that sources spell so; as it is where no record has such an id."""
    if "_" not in spelled or state.records.get(spelled):
        return spelled
    # To LIKE an underscore is any character, as it is to whoever reads a spelled id.
    alike = (name for name in state.records.alike(spelled) if spelled_session(name) == spelled)
    return next(alike, spelled)


class Sources:
    """The statements of all records, and the notes of one state of the memory; read when they are asked for."""

    def __init__(self, state: State, tree: Tree | Frozen) -> None:
        self._state, self._tree = state, tree
        self._sessions: dict[str, dict[str, Evidence]] = {}

    def words(self, source: str) -> str | None:
        """What was said there, or None where nobody knows any more."""
        if source.startswith(NOTES_FOLDER):
            note = self._note(source)
            return " ".join(note.text.split())[:_NOTE_CHARACTERS].rstrip() if note else None
        found = self._evidence(source)
        return found.text if found else None

    def said_at(self, source: str) -> datetime | None:
        """When it was said, or None where nobody knows any more."""
        if source.startswith(NOTES_FOLDER):
            note = self._note(source)
            return note.created_at if note else None
        found = self._evidence(source)
        return found.at if found else None

    def _note(self, path: str) -> Note | None:
        return parse_note(path, text_of(self._tree, path)) if self._tree.has(path) else None

    def _evidence(self, source: str) -> Evidence | None:
        session_id = session_of(source)
        if session_id not in self._sessions:
            record = self._state.records.get(session_spelled(self._state, session_id))
            self._sessions[session_id] = evidence_by_source(session_id, record.raw_memory) if record else {}
        return self._sessions[session_id].get(source)
