"""Ten thousand sessions that were learned: a pass with nothing to do and every tool take less than a second."""

from pathlib import Path

import pytest

from support.budgets import note_milliseconds
from support.compose import Assistant, Human, Script, write_claude_code
from vademecum.engine import AskedBy, LearnRequest, Memory
from vademecum.toolbox import call_tool

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]

SESSIONS = 10_000
MIX = "10,000 sessions of two turns, all learned"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    for number in range(SESSIONS):
        rule = Human(text=f"always run check number {number % 300} before you commit")
        turns = (rule, Assistant(text="Done."))
        write_claude_code(folder / "sessions", Script(label=f"s{number}", cwd=f"/srv/p{number % 50}", turns=turns))
    assert learn(folder).extracted == SESSIONS
    return folder


def learn(folder: Path):
    request = LearnRequest(sources=(str(folder / "sessions"),), now=True, since_days=None)
    return Memory.open(home=folder / "home").learn(request)


def test_nothing_to_do(benchmark, home: Path):
    report = benchmark.pedantic(lambda: learn(home), rounds=6, warmup_rounds=1)
    assert report.skipped == {"unchanged": SESSIONS}
    note_milliseconds(benchmark, "learn with nothing to do", at_most=1000, mix=MIX)


def test_status(benchmark, home: Path):
    status = benchmark.pedantic(Memory.open(home=home / "home").status, rounds=6, warmup_rounds=1)
    assert status.records["active"] == SESSIONS
    note_milliseconds(benchmark, "status", at_most=100, mix=MIX)


def test_sessions_with_their_first_words(benchmark, home: Path):
    memory = Memory.open(home=home / "home")
    rows = benchmark.pedantic(lambda: memory.sessions(titled=True), rounds=6, warmup_rounds=1)
    assert all(row.title for row in rows)
    note_milliseconds(benchmark, "sessions with their first words", at_most=1000, mix=MIX)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_search", {"query": "check number 17"}),
        ("session_search", {"query": "check number 17", "limit": 50}),
        ("memory_read", {"path": "MEMORY.md"}),
        ("memory_list", {"path": "rollout_summaries", "limit": 200}),
        ("memory_why", {"what": "MEMORY.md", "limit": 100}),
        ("memory_inspect", {}),
    ],
)
def test_tools(benchmark, home: Path, tool: str, arguments: dict[str, object]):
    memory = Memory.open(home=home / "home")
    answer = benchmark.pedantic(lambda: call_tool(memory, tool, arguments, AskedBy()), rounds=6, warmup_rounds=1)
    assert not answer.is_error
    note_milliseconds(benchmark, tool, at_most=1000, mix=MIX)
