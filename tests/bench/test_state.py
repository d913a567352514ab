"""Lists over ten thousand records, and the selection of those that a consolidation is given: 100 ms each."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from support.budgets import note_milliseconds
from vademecum.learning.selection import SelectionRules, select
from vademecum.state import Citation, CitedKind, Record, State

pytestmark = [pytest.mark.bench, pytest.mark.slow, pytest.mark.timeout(120)]

RECORDS = 10_000
RULE = "\n- [t1] rule/project 2026-01-01T00:00:00Z: use pnpm here\n"
START = datetime(2026, 1, 1, tzinfo=UTC)


def record(number: int) -> Record:
    return Record(
        session_id=f"session-{number}",
        host="host",
        cwd="/work/shop",
        project=f"/work/{number % 50}",
        branch="main",
        started_at=START,
        updated_at=START + timedelta(minutes=number),
        outcome="success",
        slug="fix-build",
        stem=f"2026-01-01T00-00-00-{number}-fix-build",
        raw_memory="raw " * 500 + ("" if number % 50 else RULE),
        rollout_summary="recap " * 300,
        learner="extractive/1",
        extracted_at=START,
    )


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    with State.open(tmp_path_factory.mktemp("many") / "state.db") as state:
        with state.transaction():
            for number in range(RECORDS):
                state.records.upsert(record(number))
            state.usage.count(
                Citation(
                    kind=CitedKind.SESSION,
                    cited=f"session-{number % 3000}",
                    citing_session=f"citing-{number % 50}",
                    message_id=str(number),
                    at=START,
                )
                for number in range(RECORDS)
            )
        snapshots = {f"session-{number}": record(number).updated_at for number in range(RECORDS)}
        state.records.mark_consolidated(snapshots)
        yield state


def test_lists(benchmark, state: State):
    def read() -> tuple[object, ...]:
        records = state.records
        return records.heads(), records.counts(), records.unconsolidated(), state.usage.totals(CitedKind.SESSION)

    heads, *_ = benchmark.pedantic(read, rounds=9, warmup_rounds=1)
    assert len(heads) == RECORDS
    note_milliseconds(benchmark, "lists", at_most=100, mix="10,000 records")


@pytest.mark.parametrize("keeps_words", [False, True], ids=["for a model", "with every standing word"])
def test_selection(benchmark, state: State, keeps_words: bool):
    rules = SelectionRules(now=START + timedelta(days=9), most=256, max_unused_days=30)
    choose = partial(select, state, rules, keeps_words=keeps_words, reworded=())
    chosen = benchmark.pedantic(choose, rounds=9, warmup_rounds=1)
    assert 256 <= len(chosen) < 500
    assert keeps_words == (len(chosen) > 256)
    what = "selection, and every standing word" if keeps_words else "selection"
    note_milliseconds(benchmark, what, at_most=100, mix="256 of 10,000 records, one in 50 with a person's rule")
