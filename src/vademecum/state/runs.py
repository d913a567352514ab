"""Runs: the ledger. One row per extraction pass, consolidation, reflection, sync or import; it outlives the process."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum

import msgspec

from vademecum.errors import NotFound
from vademecum.run_ids import find_run_id
from vademecum.state.database import Database
from vademecum.state.requests import Requests
from vademecum.state.rows import from_row, from_rows
from vademecum.state.statements import load_statements
from vademecum.state.times import to_ms, utc_now
from vademecum.state.workers import is_gone, this_worker

__all__ = ["INTERRUPTED", "Run", "RunKind", "Runs", "new_run_id"]

_SQL = load_statements("vademecum.state", "runs")

#: Outcome of a run whose process died before it could say how it ended.
INTERRUPTED = "interrupted"

_SILENCED = "(what it said was forgotten)"


class RunKind(StrEnum):
    """What ran."""

    EXTRACTION = "extraction"  #: sessions in, records out
    CONSOLIDATION = "consolidation"  #: records in, artefacts out
    REFLECTION = "reflection"  #: a running conversation in, edits out
    SYNC = "sync"  #: with a remote
    IMPORT = "import"  #: from another memory


def new_run_id(moment: datetime) -> str:
    """A new id: `<time>-<8 hex>`, sortable. Also for what waits for review without a run of its own.

    The first five hex digits are the microseconds, so that runs of one second keep their order; the rest is chance.
    """
    utc = moment.astimezone(UTC)
    return f"{utc:%Y%m%dT%H%M%S}-{utc.microsecond:05x}{secrets.randbelow(16**3):03x}"


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the ledger."""

    #: `<time>-<8 hex>`, sortable; stands in the `Vade-Run` trailer of commits.
    id: str
    #: What ran.
    kind: RunKind
    #: Which learner, with its version; empty where none took part.
    learner: str
    #: `pid@host:start` of the process.
    worker: str
    #: Aware UTC.
    started_at: datetime
    #: Aware UTC; None while it runs.
    finished_at: datetime | None
    #: How it ended, in the word that `vade learn --json` uses; None while it runs.
    outcome: str | None
    #: Tokens that the learner read and wrote.
    tokens_in: int
    tokens_out: int
    #: US dollars; None where no price is known.
    cost_usd: float | None
    #: Why it failed, in plain words.
    error: str | None
    #: Counts worth telling, for example skips by reason.
    detail: dict[str, int | str]

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it runs."""
        return None if self.finished_at is None else (self.finished_at - self.started_at).total_seconds()

    @property
    def decision(self) -> str | None:
        """What became of what it left for a person to decide on; None where nothing was, or it still waits."""
        decision = self.detail.get("decision")
        return None if decision is None else str(decision)


class Runs:
    """The ledger."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, kind: RunKind, learner: str, *, worker: str | None = None, now: datetime | None = None) -> str:
        """Open a row; its id. Rows that dead processes left open are closed on the way, as interrupted."""
        moment = now or utc_now()
        values = {"kind": kind.value, "learner": learner, "worker": worker or this_worker(), "now": to_ms(moment)}
        with self._database.write():
            for row in self._database.all(_SQL["open_runs"]):
                if is_gone(row["worker"]):
                    self.finish(row["id"], INTERRUPTED, error="the process ended before the run did", now=moment)
            # Two of the same microsecond may draw the same id.
            while not self._database.run(_SQL["start_run"], values | {"id": (run_id := new_run_id(moment))}):
                pass
        return run_id

    def finish(
        self,
        run_id: str,
        outcome: str,
        *,
        error: str | None = None,
        detail: dict[str, int | str] | None = None,
        now: datetime | None = None,
    ) -> None:
        """Close a row; the first closing holds. What it cost is what its requests took."""
        values = {
            "id": run_id,
            "outcome": outcome,
            "error": error,
            "detail": msgspec.json.encode(detail or {}).decode(),
            "now": to_ms(now or utc_now()),
        }
        spent = Requests(self._database).spent_in(run_id)
        self._database.run(_SQL["finish_run"], values | msgspec.structs.asdict(spent))

    def discard(self, run_id: str) -> None:
        """Take back a row whose run did nothing at all."""
        self._database.run(_SQL["drop_run"], {"id": run_id})

    def decide(self, run_id: str, decision: str) -> None:
        """Note what became of what a run had left for a person to decide on; a run that is not known is passed over."""
        self._database.run(_SQL["decide_run"], {"id": run_id, "decision": decision})

    def decisions(self) -> dict[str, str]:
        """Run -> what became of what it had left for a person, newest first."""
        return {row["id"]: row["decision"] for row in self._database.all(_SQL["decisions"])}

    def at_work(self) -> frozenset[str]:
        """The runs that are not finished, and whose process lives."""
        return frozenset(row["id"] for row in self._database.all(_SQL["open_runs"]) if not is_gone(row["worker"]))

    def get(self, run_id: str) -> Run:
        """One row, by its id or a beginning that no other run has. Raises NotFound, UsageError."""
        ids = (row["id"] for row in self._database.all(_SQL["run_ids"]))
        found = find_run_id(run_id, ids, what="runs")
        row = self._database.one(_SQL["get_run"], {"id": found})
        if row is None:
            raise NotFound(f"there is no run {run_id}", next_step="Run `vade runs` for the runs there are.")
        return from_row(Run, row)

    def silence(self, holds: Callable[[str], bool]) -> None:
        """Take out what failed runs said, where it holds certain words."""
        for run in from_rows(Run, self._database.all(_SQL["all_runs"])):
            if holds(f"{run.error or ''} {run.detail}"):
                self._database.run(_SQL["silence_run"], {"id": run.id, "mark": _SILENCED})

    def list(self, *, limit: int = 50, kind: RunKind | None = None) -> list[Run]:
        """The newest rows first; those of one kind only, where one is given."""
        values = {"limit": limit, "kind": kind and kind.value}
        return from_rows(Run, self._database.all(_SQL["list_runs"], values))
