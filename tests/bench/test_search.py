"""Search and indexing against the budgets: 6,000 messages in 5 ms (median) and 20 ms (p95), 6,000 messages a second."""

import itertools
import random
import statistics
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vademecum.recall.index import SearchIndex
from vademecum.recall.search import Visibility, search
from vademecum.sessions import Message, Role, Session

pytestmark = [pytest.mark.bench, pytest.mark.slow, pytest.mark.timeout(300)]

START = datetime(2026, 1, 1, tzinfo=UTC)
SYLLABLES = ("ba", "co", "du", "fe", "gi", "ka", "lo", "mu", "ne", "pi", "ra", "so", "tu", "ve", "wi", "xa", "yo", "zu")
STOP_WORDS = (
    "the",
    "to",
    "a",
    "of",
    "and",
    "in",
    "is",
    "it",
    "you",
    "that",
    "for",
    "on",
    "with",
    "this",
    "we",
    "be",
    "are",
)
IDENTIFIERS = ("parseTree", "src/app/main.py", "max_retry_count", "HTTPServer", "docker-compose", "部署脚本", "pnpm")


class Language:
    """Words as frequent as in natural language (Zipf): stop words first, some identifiers early, then invented ones."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        invented = ["".join(self.rng.choices(SYLLABLES, k=self.rng.randint(2, 4))) for _ in range(20_000)]
        self.words = [*STOP_WORDS, *invented[:20], *IDENTIFIERS, *invented[20:]]
        self.weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(1, len(self.words) + 1)))

    def text(self, length: int) -> str:
        return " ".join(self.rng.choices(self.words, cum_weights=self.weights, k=length))


def compose(messages: int, seed: int = 7) -> list[Session]:
    """Sessions of forty messages: short human ones (about 120 characters), longer answers (about 600)."""
    language = Language(seed)
    return [
        Session(
            id=f"session-{number}",
            host="host",
            cwd=f"/work/project-{number % 9}",
            branch=None,
            started_at=START,
            updated_at=START + timedelta(hours=number),
            parent_id=None,
            messages=tuple(
                Message(
                    id=str(turn),
                    index=turn,
                    role=Role.HUMAN if turn % 2 else Role.FINAL,
                    text=language.text(20 if turn % 2 else 100),
                )
                for turn in range(1, 41)
            ),
        )
        for number in range(messages // 40)
    ]


def questions(count: int) -> list[str]:
    """Eight words each, as frequent as the words of any sentence, stop words among them."""
    language = Language(7)
    language.rng.seed(11)
    return [language.text(8) for _ in range(count)]


@pytest.fixture(scope="module")
def sessions() -> list[Session]:
    return compose(6000)


def test_indexing_reaches_six_thousand_messages_a_second(benchmark, tmp_path: Path, sessions: list[Session]):
    paths = (tmp_path / f"search-{number}.db" for number in range(100))

    def fill() -> None:
        with SearchIndex.open(next(paths)) as index:
            index.sync_sessions(sessions)

    benchmark.pedantic(fill, rounds=5)
    benchmark.extra_info["messages/s"] = round(6000 / benchmark.stats.stats.median)
    benchmark.extra_info["budget messages/s"] = 6000


def test_a_sync_with_nothing_new_reads_no_text(benchmark, tmp_path: Path, sessions: list[Session]):
    with SearchIndex.open(tmp_path / "search.db") as index:
        index.sync_sessions(sessions)
        assert benchmark(index.sync_sessions, sessions) == 0


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

        benchmark.pedantic(ask_all, rounds=5)
    # The best of the rounds for each question: what other programs take from the machine is not what is measured.
    best = [min(times) * 1000 for times in seconds.values()]
    benchmark.extra_info["median ms"] = round(statistics.median(best), 2)
    benchmark.extra_info["budget median ms"] = 5
    benchmark.extra_info["p95 ms"] = round(statistics.quantiles(best, n=20)[-1], 2)
    benchmark.extra_info["budget p95 ms"] = 20
