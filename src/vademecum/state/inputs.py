"""Which input the last consolidation has seen: the same one is not worked on again while its outcome waits."""

import msgspec

from vademecum.state.database import Database
from vademecum.state.rows import from_row, to_row
from vademecum.state.statements import load_statements

__all__ = ["SeenInput", "SeenInputs"]

_SQL = load_statements("vademecum.state", "inputs")


class SeenInput(msgspec.Struct, frozen=True, kw_only=True):
    """One input of a consolidation, as two fingerprints."""

    #: The tree of the memory, with what landed of the run's own work.
    tree: str
    #: A hash of the records that were to be taken in, each in its version.
    records: str


class SeenInputs:
    """The place of the last one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, newest: SeenInput) -> None:
        """Put it in the place of the one before it."""
        self._database.run(_SQL["put_seen_input"], to_row(newest))

    def clear(self) -> None:
        """Nothing was seen: the next input is new, whatever it is."""
        self._database.run(_SQL["drop_seen_input"])

    def last(self) -> SeenInput | None:
        """The newest one; None before the first."""
        row = self._database.one(_SQL["get_seen_input"])
        return from_row(SeenInput, row) if row else None
