"""Search and indexing against the budgets: 6,000 messages in 5 ms (median) and 20 ms (p95), 6,000 messages a second."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.budgets import Row, best_median, note_milliseconds, note_row, note_speed
from support.much_talk import questions, talk
from vademecum.recall.index import SearchIndex
from vademecum.recall.search import Visibility, search
from vademecum.sessions import Session

pytestmark = [pytest.mark.bench, pytest.mark.slow, pytest.mark.timeout(300)]

MESSAGES = 6000
MIX = f"{MESSAGES:,} messages"


@pytest.fixture(scope="module")
def sessions() -> list[Session]:
    return list(talk(MESSAGES))


def test_indexing_reaches_six_thousand_messages_a_second(benchmark, tmp_path: Path, sessions: list[Session]):
    paths = (tmp_path / f"search-{number}.db" for number in range(100))

    def fill() -> None:
        with SearchIndex.open(next(paths)) as index:
            index.sync_sessions(sessions)

    benchmark.pedantic(fill, rounds=6)
    mix = "120 characters said, 600 answered, in turn"
    note_speed(benchmark, "indexing", MESSAGES, "messages/s", at_least=6000, mix=mix)


def test_a_sync_with_nothing_new_reads_no_text(benchmark, tmp_path: Path, sessions: list[Session]):
    with SearchIndex.open(tmp_path / "search.db") as index:
        index.sync_sessions(sessions)
        assert benchmark(index.sync_sessions, sessions) == 0
    note_milliseconds(benchmark, "indexing, nothing new", mix=MIX)


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def row_of(what: str, times: list[list[float]], share: Callable[[list[float]], float], budget: float) -> Row:
    """`times` holds the rounds of each question in seconds; `share` makes one figure of all questions."""
    figures = {"median": statistics.median, "judged": best_median, "best": min}
    in_ms = {name: share(list(map(figure, times))) * 1e3 for name, figure in figures.items()}
    return Row(what=what, unit="ms", budget=budget, mix=f"8 words, {MIX}", **in_ms)


@pytest.mark.parametrize("kind", ["open", "hidden", "filtered"])
def test_search_over_six_thousand_messages(benchmark, tmp_path: Path, sessions: list[Session], kind: str):
    asked = [f"{question} project:project-3" if kind == "filtered" else question for question in questions(200)]
    hidden = frozenset() if kind == "open" else frozenset({"session-1", "session-2"})
    seconds: dict[str, list[float]] = {question: [] for question in asked}
    with SearchIndex.open(tmp_path / "search.db") as index:
        index.sync_sessions(sessions)

        def ask_all() -> None:
            for question in asked:
                start = time.perf_counter()
                search(index, question, visibility=Visibility(hidden_sessions=hidden))
                seconds[question].append(time.perf_counter() - start)

        benchmark.pedantic(ask_all, rounds=6)
    for name, share, budget in (("median", statistics.median, 5), ("p95", p95, 20)):
        note_row(benchmark, row_of(f"search, {kind}, {name}", list(seconds.values()), share, budget))
