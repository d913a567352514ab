"""Whole commands from spawn to exit, beside a bare interpreter, on a memory of fifty learned sessions."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.budgets import Row, best_median, note_milliseconds, note_row
from support.workload import learned_home

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

BARE = ("-I", "-S", "-c", "pass")
COMMANDS = {
    "vade --version": ("-m", "vademecum", "--version"),
    "vade context": ("-m", "vademecum", "context", "--cwd", "/srv/project-1"),
}
SESSIONS = 50
ROUNDS = 15


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learned_home(tmp_path_factory.mktemp("learned"), SESSIONS)


@pytest.mark.parametrize("name", COMMANDS)
def test_wall_time(benchmark, name: str, home: Path):
    """A bare interpreter is started before every round, so that both meet the same noise."""
    environ = {**os.environ, "VADEMECUM_HOME": str(home)}
    bare_seconds: list[float] = []

    def run(words: tuple[str, ...]) -> None:
        subprocess.run([sys.executable, *words], check=True, capture_output=True, env=environ)

    def start_bare() -> None:
        start = time.perf_counter()
        run(BARE)
        bare_seconds.append(time.perf_counter() - start)

    benchmark.pedantic(lambda: run(COMMANDS[name]), setup=start_bare, rounds=ROUNDS, warmup_rounds=2)
    note_milliseconds(benchmark, name, mix=f"spawn to exit, {SESSIONS} sessions learned")
    seconds = benchmark.stats.stats.data
    bare = bare_seconds[-len(seconds) :]
    ratios = {
        "median": statistics.median(seconds) / statistics.median(bare),
        "judged": best_median(seconds) / best_median(bare),
        "best": min(seconds) / min(bare),
    }
    note_row(benchmark, Row(what=f"{name}, ratio", unit="x a bare interpreter", **ratios))
