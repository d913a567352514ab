"""The ledger of one identity: every run with what it asked, changed and took, and what memory was used for."""

from vademecum.engine.opened import Opened
from vademecum.engine.run_work import RunWork, work_of
from vademecum.engine.spending import UsageReport, usage_of
from vademecum.errors import NotFound
from vademecum.state import ModelRequest, Run, State

__all__ = ["Ledger"]


class Ledger:
    """What passes did in one identity. Nothing is made by a look at it."""

    def __init__(self, opened: Opened) -> None:
        self._opened, self._state = opened, opened.folder.state

    def runs(self, *, limit: int = 20) -> list[Run]:
        """The ledger, newest first."""
        if not self._state.exists():
            return []
        with State.read(self._state) as state:
            return state.runs.list(limit=limit)

    def run(self, run_id: str) -> Run:
        """One row of the ledger. Raises NotFound."""
        if not self._state.exists():
            raise NotFound(f"there is no run {run_id}", next_step="Run `vade learn` first.")
        with State.read(self._state) as state:
            return state.runs.get(run_id)

    def requests_of(self, run: Run) -> list[ModelRequest]:
        """Every request to a model that a run made, in order."""
        with State.read(self._state) as state:
            return state.requests.of_run(run.id)

    def work_of(self, run: Run) -> RunWork | None:
        """What a run changed in the memory; None where it changed nothing."""
        return None if self._opened.folder.is_blank else work_of(self._opened.repository(), run.id)

    def usage(self, *, days: int = 14) -> UsageReport:
        """Which memories answers used, and what the newest days of learning took."""
        if not self._state.exists():
            return UsageReport()
        with State.read(self._state) as state:
            return usage_of(state, days=days)
