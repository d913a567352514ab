"""A million messages on disk: 50 ms for a search in the median, 200 ms for one in twenty. Takes minutes.

.venv/bin/python scripts/bench.py million
"""

import itertools
import re
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from support.budgets import Row, best_median, note_count, note_row
from support.much_talk import questions, talk
from vademecum.recall.index import SearchIndex
from vademecum.recall.search import Visibility, search

pytestmark = [pytest.mark.bench, pytest.mark.slow, pytest.mark.timeout(1800)]

MESSAGES = 1_000_000
PROJECTS = 250
MIX = f"8 words, {MESSAGES:,} messages"
ROUNDS, QUESTIONS = 1, 40
HIDDEN = Visibility(hidden_sessions=frozenset(f"session-{number}" for number in range(10)))
#: What is asked beside the words, and how many of the messages it leaves.
KINDS = {
    "open": "",
    "sessions only": "in:sessions",
    "one project": "project:/work/project-7",
    "one host": "host:host",
    "the newest tenth": "after:2028-08-01",
    "one project, newest tenth": "project:/work/project-7 after:2028-08-01",
}


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as made:
        yield Path(made)


def peak_megabytes() -> float:
    """Of this process, pytest included."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024 / 1e6


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def test_a_million_messages_are_indexed(benchmark, folder: Path):
    path = folder / "search.db"
    spent = 0.0

    def fill() -> None:
        nonlocal spent
        sessions = talk(MESSAGES, projects=PROJECTS)
        with SearchIndex.open(path) as index:
            # Composing them takes as long as half of the indexing, and is not what is measured.
            while some := list(itertools.islice(sessions, 250)):
                began = time.perf_counter()
                assert index.sync_sessions(some) == len(some)
                spent += time.perf_counter() - began

    benchmark.pedantic(fill, rounds=1)
    note_count(benchmark, "a million messages indexed", spent, "s")
    note_count(benchmark, "a million messages indexed, speed", MESSAGES / spent, "messages/s")
    note_count(benchmark, "a million messages, search.db", path.stat().st_size / 1e6, "MB")
    note_count(benchmark, "a million messages, peak of memory", peak_megabytes(), "MB")


@pytest.mark.parametrize("kind", KINDS)
def test_a_million_messages_are_looked_through(benchmark, folder: Path, kind: str):
    asked = [f"{question} {KINDS[kind]}" for question in questions(QUESTIONS)]
    seconds: dict[str, list[float]] = {question: [] for question in asked}
    with SearchIndex.open(folder / "search.db") as index:

        def ask_all() -> None:
            for question in asked:
                began = time.perf_counter()
                assert search(index, question, visibility=HIDDEN).hits
                seconds[question].append(time.perf_counter() - began)

        benchmark.pedantic(ask_all, rounds=ROUNDS)
    figures = {"median": statistics.median, "judged": best_median, "best": min}
    for name, share, budget in (("median", statistics.median, 50), ("p95", p95, 200)):
        in_ms = {key: share(list(map(figure, seconds.values()))) * 1e3 for key, figure in figures.items()}
        note_row(
            benchmark, Row(what=f"search of a million, {kind}, {name}", unit="ms", budget=budget, mix=MIX, **in_ms)
        )
