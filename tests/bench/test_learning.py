"""Extractive learning, masking included, in MB of raw session files a second."""

from pathlib import Path

import pytest

from support.budgets import note_speed
from support.compose import write_claude_code
from support.workload import MIX, shop_session
from vademecum.engine import LearnRequest, Memory

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

SESSIONS = 40


def test_learning(benchmark, tmp_path: Path):
    for number in range(SESSIONS):
        write_claude_code(tmp_path / "sessions", shop_session(number))
    size = sum(path.stat().st_size for path in (tmp_path / "sessions").rglob("*.jsonl"))
    homes = iter(range(100))
    request = LearnRequest(sources=(str(tmp_path / "sessions"),), now=True, since_days=None)

    def learn() -> None:
        report = Memory.open(home=tmp_path / f"home-{next(homes)}").learn(request)
        assert report.extracted == SESSIONS

    benchmark.pedantic(learn, rounds=6, warmup_rounds=1)
    note_speed(benchmark, "learning", size / 1e6, "MB/s", at_least=25, mix=MIX)
