"""The hook process from spawn to exit, as a host starts it, beside a bare interpreter; warm, cold, and ten at once."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.budgets import Row, best_median, note_count, note_milliseconds, note_row
from support.hooks import hook_command, pass_is_recent
from support.workload import learned_home

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

BARE = (sys.executable, "-I", "-S", "-c", "pass")
SESSIONS = 50
ROUNDS = 30
AT_ONCE = 10
MOST_TIMES_BARE = 2.5
MOST_SECONDS_AT_ONCE = 2


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = learned_home(tmp_path_factory.mktemp("learned"), SESSIONS)
    pass_is_recent(folder)
    return folder


def run(command, home: Path, payload: bytes) -> bytes:
    environ = {**os.environ, "VADEMECUM_HOME": str(home)}
    return subprocess.run(command, input=payload, check=True, capture_output=True, env=environ).stdout


def event(session: str) -> bytes:
    return json.dumps({"session_id": session, "cwd": "/srv/project-1", "source": "startup"}).encode()


def nothing() -> None:
    """Everything stays as the round before left it."""


def forget_byte_code() -> None:
    """As after an installation that compiled nothing."""
    for room in (Path(hook_command("", "")[3]).parent, Path(hook_command("", "")[3]).parent / "bare"):
        shutil.rmtree(room / "__pycache__", ignore_errors=True)


def drop_page_cache() -> None:
    """Have everything read from the disk again, where this process may ask for that."""
    try:
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3")
    except OSError:
        pytest.skip("only root may have the disk read again")


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("warm", nothing),
        ("without byte code", forget_byte_code),
        ("cold disk", drop_page_cache),
    ],
)
def test_the_block_of_a_new_session(benchmark, home: Path, name: str, before: Callable[[], None]):
    """A bare interpreter is started before every round in the same state, so that both meet the same noise."""
    bare: list[float] = []
    rounds = iter(range(10_000))

    def start_bare() -> None:
        before()
        start = time.perf_counter()
        run(BARE, home, b"")
        bare.append(time.perf_counter() - start)
        before()

    def inject() -> None:
        answer = run(hook_command("codex", "session-start"), home, event(f"{name}-{next(rounds)}"))
        assert len(answer) > 1000

    benchmark.pedantic(inject, setup=start_bare, rounds=ROUNDS if name == "warm" else 10, warmup_rounds=1)
    note_milliseconds(benchmark, f"hook, {name}", mix=f"spawn to exit, {SESSIONS} sessions learned")
    seconds = benchmark.stats.stats.data
    bare = bare[-len(seconds) :]
    ratios = {
        "median": statistics.median(seconds) / statistics.median(bare),
        "judged": best_median(seconds) / best_median(bare),
        "best": min(seconds) / min(bare),
    }
    budget = None if name == "without byte code" else MOST_TIMES_BARE
    note_row(benchmark, Row(what=f"hook, {name}, ratio", unit="x a bare interpreter", budget=budget, **ratios))


def test_a_prompt(benchmark, home: Path):
    run(hook_command("codex", "session-start"), home, event("prompts"))
    benchmark.pedantic(
        lambda: run(hook_command("codex", "prompt"), home, event("prompts")), rounds=ROUNDS, warmup_rounds=1
    )
    note_milliseconds(benchmark, "hook, a prompt", mix="nothing to say")


def test_ten_at_once(benchmark, home: Path):
    """The slowest of ten that are started together."""

    def start_ten() -> float:
        environ = {**os.environ, "VADEMECUM_HOME": str(home)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": environ}
        start = time.perf_counter()
        processes = [subprocess.Popen(hook_command("codex", "session-start"), **pipes) for _ in range(AT_ONCE)]
        for at, process in enumerate(processes):
            assert len(process.communicate(event(f"at-once-{at}"))[0]) > 1000
        return time.perf_counter() - start

    seconds = benchmark.pedantic(start_ten, rounds=1)
    note_count(benchmark, "ten hooks at once, the slowest", seconds, "s", at_most=MOST_SECONDS_AT_ONCE)
