"""Extractive learning, masking included, in MB/s of raw session files (budget: 25 MB/s).

The mix: Claude Code sessions of about 400 KB, each with ten requests of the user (2 % of the bytes), fifty tool calls
with outputs of 8 KB in the median and 50 KB at most, and answers of about 1 KB.
"""

import random
from pathlib import Path

import pytest

from support.compose import Assistant, Human, Script, shell, write_claude_code
from vademecum.engine import LearnRequest, Memory

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

SESSIONS = 40
_LINES = (
    "INFO worker handled request 4711 in 12 ms, status 200\n",
    "def total(prices: list[int]) -> int:\n    return sum(prices)\n",
    '{"id": 17, "path": "src/cart.ts", "lines": [3, 9], "ok": true}\n',
    "src/cart.ts:12:5: warning: unused variable 'price'\n",
)


def _output(chance: random.Random) -> str:
    size = min(50_000, int(chance.lognormvariate(9.0, 1.0)))
    return "".join(chance.choices(_LINES, k=size // 50))


def _script(number: int) -> Script:
    chance = random.Random(number)
    turns: list[Human | Assistant | object] = []
    for request in range(10):
        turns.append(Human(text=f"now look at part {request} of the cart and fix what is wrong there, please. " * 8))
        turns += [shell(f"pnpm test -- part-{request}-{call}", _output(chance)) for call in range(5)]
        turns.append(Assistant(text="I changed the rounding of prices, and the tests pass now. " * 18))
    turns.append(Human(text="from now on always run `make check` before you say you're done"))
    return Script(label=f"bench-{number}", cwd=f"/srv/project-{number % 5}", turns=tuple(turns))  # type: ignore[arg-type]


def test_learning(benchmark, tmp_path: Path):
    for number in range(SESSIONS):
        write_claude_code(tmp_path / "sessions", _script(number))
    size = sum(path.stat().st_size for path in (tmp_path / "sessions").rglob("*.jsonl"))
    homes = iter(range(100))
    request = LearnRequest(sources=(str(tmp_path / "sessions"),), now=True, since_days=None)

    def learn() -> None:
        report = Memory.open(home=tmp_path / f"home-{next(homes)}").learn(request)
        assert report.extracted == SESSIONS

    benchmark.pedantic(learn, rounds=3, warmup_rounds=1)
    benchmark.extra_info["MB/s"] = round(size / 1e6 / benchmark.stats.stats.median, 1)
