"""What a person removed stays away, in whatever words it comes back."""

from collections.abc import Mapping
from datetime import datetime

from vademecum.artifacts import Bullet, parse_raw_memory, session_source
from vademecum.learners import ConsolidationTask
from vademecum.learning.wording import says_the_same

__all__ = ["Returned"]


class Returned:
    """The removed statements, against what a model wrote."""

    def __init__(self, task: ConsolidationTask) -> None:
        self._removed = task.removed
        self._keys = {item.key for item in task.removed}
        self._said_at = _moments(task)

    def why_not(self, bullet: Bullet, scope: str, *, is_new: bool) -> str:
        """That a person removed this bullet; empty where they did not, or have said it again since.

        `is_new`: it stood in no former version. One that stood there is what a person left standing.
        """
        if bullet.key in self._keys:
            return "that a person removed"
        if not is_new or not self._removed:
            return ""
        first_said = self._said_at.get(bullet.sources[0]) if bullet.sources else None
        for item in self._removed:
            is_same = not set(item.sources).isdisjoint(bullet.sources) or (
                item.scope in {scope, ""} and says_the_same(item.text, bullet.text)
            )
            if is_same and (first_said is None or first_said <= item.until):
                return "that says what a person removed"
        return ""


def _moments(task: ConsolidationTask) -> Mapping[str, datetime]:
    """Source -> when it was said."""
    said = {
        session_source(session.summary.session_id, evidence.turn, evidence.ordinal): evidence.at
        for session in task.sessions
        for part in parse_raw_memory(session.summary.raw_memory).tasks
        for evidence in part.evidence
    }
    return said | {note.path: note.created_at for note in task.notes}
