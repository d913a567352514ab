"""What a consolidation was given to write from: all evidence and all notes, by the names that bullets give to them."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from vademecum.artifacts import Evidence, evidence_by_source
from vademecum.learners import ConsolidationTask

__all__ = ["Given", "Statement"]


class Statement(msgspec.Struct, frozen=True):
    """One piece of evidence, and where it was said."""

    evidence: Evidence
    project: str
    session_id: str


class Given:
    """The sources of one task."""

    def __init__(self, task: ConsolidationTask) -> None:
        self._notes = {note.path: note for note in task.notes}
        self._statements = {
            source: Statement(evidence, session.summary.project or session.summary.cwd, session.summary.session_id)
            for session in task.sessions
            for source, evidence in evidence_by_source(session.summary.session_id, session.summary.raw_memory).items()
        }

    def knows(self, source: str) -> bool:
        """Whether there is such evidence, or such a note."""
        return source in self._statements or self.is_note(source)

    def is_note(self, source: str) -> bool:
        """Whether it is a note that was given."""
        return source in self._notes

    def statements(self, sources: Iterable[str]) -> list[Statement]:
        """The evidence among these sources."""
        return [self._statements[source] for source in sources if source in self._statements]

    def words(self, source: str) -> str:
        """What was said there; empty where there is no such source."""
        if note := self._notes.get(source):
            return note.text
        found = self._statements.get(source)
        return found.evidence.text if found else ""

    def said_at(self, source: str) -> datetime | None:
        """When it was said; None where there is no such source."""
        if note := self._notes.get(source):
            return note.created_at
        found = self._statements.get(source)
        return found.evidence.at if found else None
