"""Session modes: whether a session may be learned from. Stamped at first sight, kept through a reset."""

from datetime import datetime
from enum import StrEnum

from vademecum.state.database import Database
from vademecum.state.statements import load_statements
from vademecum.state.times import to_ms, utc_now

__all__ = ["SessionMode", "SessionModes"]

_SQL = load_statements("vademecum.state", "modes")


class SessionMode(StrEnum):
    """Whether a session may be learned from."""

    ENABLED = "enabled"  #: yes
    DISABLED = "disabled"  #: no, by setting or by the person
    POLLUTED = "polluted"  #: no, because text from outside came into it


class SessionModes:
    """The table of session modes; a session that is not in it counts as enabled."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stamp(self, session_id: str, mode: SessionMode, *, now: datetime | None = None) -> SessionMode:
        """Give a session that is seen for the first time its mode; the mode that holds."""
        with self._database.write():
            self._database.run(_SQL["stamp_mode"], _values(session_id, mode, now))
            return self.get(session_id) or mode

    def set(self, session_id: str, mode: SessionMode, *, now: datetime | None = None) -> None:
        """Decide a session's mode, whatever it was."""
        self._database.run(_SQL["set_mode"], _values(session_id, mode, now))

    def get(self, session_id: str) -> SessionMode | None:
        """The session's mode; None where it was never seen."""
        row = self._database.one(_SQL["get_mode"], {"session_id": session_id})
        return SessionMode(row["mode"]) if row else None

    def sessions(self, mode: SessionMode) -> frozenset[str]:
        """The sessions that stand in a mode."""
        rows = self._database.all(_SQL["sessions_in_mode"], {"mode": mode.value})
        return frozenset(row["session_id"] for row in rows)


def _values(session_id: str, mode: SessionMode, now: datetime | None) -> dict[str, str | int]:
    return {"session_id": session_id, "mode": mode.value, "now": to_ms(now or utc_now())}
