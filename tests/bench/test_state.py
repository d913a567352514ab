"""Lists and selection over ten thousand records: at most 100 ms together."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from support.budgets import note_milliseconds
from vademecum.state import Citation, CitedKind, Record, State

pytestmark = [pytest.mark.bench, pytest.mark.slow, pytest.mark.timeout(120)]

START = datetime(2026, 1, 1, tzinfo=UTC)


def record(number: int) -> Record:
    return Record(
        session_id=f"session-{number}",
        host="host",
        cwd="/work/shop",
        branch="main",
        started_at=START,
        updated_at=START + timedelta(minutes=number),
        outcome="success",
        slug="fix-build",
        stem=f"2026-01-01T00-00-00-{number}-fix-build",
        raw_memory="raw " * 500,
        rollout_summary="recap " * 300,
        learner="extractive/1",
        extracted_at=START,
    )


def test_selection_and_status_over_ten_thousand_records(benchmark, tmp_path: Path):
    with State.open(tmp_path / "state.db") as state:
        with state.transaction():
            for number in range(10_000):
                state.records.upsert(record(number))
            state.usage.count(
                Citation(
                    kind=CitedKind.SESSION,
                    cited=f"session-{number % 3000}",
                    citing_session=f"citing-{number % 50}",
                    message_id=str(number),
                    at=START,
                )
                for number in range(10_000)
            )
        snapshots = {f"session-{number}": record(number).updated_at for number in range(10_000)}
        state.records.mark_consolidated(snapshots)

        def read() -> tuple[object, ...]:
            records = state.records
            return records.heads(), records.counts(), records.unconsolidated(), state.usage.totals(CitedKind.SESSION)

        benchmark.pedantic(read, rounds=9, warmup_rounds=1)
    note_milliseconds(benchmark, "lists and selection", at_most=100, mix="10,000 records")
