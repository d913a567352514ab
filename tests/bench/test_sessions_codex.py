"""Reading speed of the Codex and opencode readers on an ordinary mix, and of rendering."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.budgets import note_milliseconds, note_speed
from support.codex_rollouts import ordinary_mix
from support.opencode_stores import Conversation, text, tool, write_database
from vademecum.sessions import codex, load, opencode, render

pytestmark = [pytest.mark.bench, pytest.mark.timeout(120)]

SIZE_BYTES = 64 << 20
BUDGET_MB_PER_SECOND = 250
RENDER_BUDGET_BYTES = 600_000


@pytest.fixture(scope="module")
def rollout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("codex") / "rollout.jsonl"
    ordinary_mix(path, SIZE_BYTES)
    return path


def test_reading_rollouts(benchmark: Any, rollout: Path):
    """Lines of 3 KB on average: half of the bytes tool output, a quarter its twins in events."""
    (ref,) = codex.discover(rollout, Counter())
    session = benchmark.pedantic(codex.read, args=(ref, Counter()), rounds=9, warmup_rounds=1)
    mix = "lines of 3 KB on average: half of the bytes tool output, a quarter its twins in events"
    note_speed(benchmark, "reading, codex", ref.size_bytes / 1e6, "MB/s", at_least=BUDGET_MB_PER_SECOND, mix=mix)
    assert session is not None
    assert session.messages


def test_reading_a_database(benchmark: Any, tmp_path: Path):
    """Twenty sessions; parts of 2 KB on average. No budget is set for databases."""
    path = write_database(tmp_path / "opencode.db", *(long_conversation(f"ses_{number}") for number in range(20)))

    def read_all() -> int:
        refs = list(opencode.discover(path, Counter()))
        return sum(opencode.read(ref, Counter()) is not None for ref in refs)

    assert benchmark.pedantic(read_all, rounds=6, warmup_rounds=1) == 20
    mix = "20 sessions, parts of 2 KB on average"
    note_speed(benchmark, "reading, opencode database", path.stat().st_size / 1e6, "MB/s", mix=mix)


def long_conversation(session_id: str) -> Conversation:
    output = "the build failed in src/widget/render.py:41 with code 2; retry after make clean\n" * 250
    made = Conversation(session_id)
    for step in range(300):
        if step % 10 == 0:
            made.user(text(f"look at module {step}"))
        size = 4_000 * (1 + step % 5)
        made.assistant(text(f"Now module {step}."), tool("bash", output[:size], metadata={"exit": 0}))
    return made


def test_rendering(benchmark: Any, rollout: Path):
    """A session of 64 MB, read and masked before, into 600,000 bytes."""
    (ref,) = codex.discover(rollout, Counter())
    session = load(ref)
    result = benchmark.pedantic(render, args=(session, RENDER_BUDGET_BYTES), rounds=6, warmup_rounds=1)
    mix = "64 MB of Codex rollout, masked before, into 600 KB"
    note_milliseconds(benchmark, "rendering", mix=mix)
    assert result.size_bytes <= RENDER_BUDGET_BYTES
