"""Sessions as heavy as real ones, for measurements: a web shop, its tests, and a rule at the end of each."""

import random
from pathlib import Path

from support.compose import Assistant, Human, Script, shell, write_claude_code
from vademecum.engine import LearnRequest, Memory

__all__ = ["MIX", "learned_home", "shop_session"]

MIX = "Claude Code sessions of 400 KB: 2 % human words, 50 tool calls, outputs of 8 KB in the median, 50 KB at most"
_LINES = (
    "INFO worker handled request 4711 in 12 ms, status 200\n",
    "def total(prices: list[int]) -> int:\n    return sum(prices)\n",
    '{"id": 17, "path": "src/cart.ts", "lines": [3, 9], "ok": true}\n',
    "src/cart.ts:12:5: warning: unused variable 'price'\n",
)
_RULES = (
    "from now on always run `make check` before you say you're done",
    "never commit directly to main",
    "always write prices as integers of cents",
    "please always add a changelog entry",
    "use pnpm here, not npm",
    "we always squash before merging",
    "always answer in British English",
    "never edit files under generated/",
)


def shop_session(number: int, *, requests: int = 10) -> Script:
    """One of many sessions over five projects; `requests` of a user, five tool calls each, and one of eight rules."""
    chance = random.Random(number)
    turns: list[object] = []
    for request in range(requests):
        turns.append(Human(text=f"now look at part {request} of the cart and fix what is wrong there, please. " * 8))
        turns += [shell(f"pnpm test -- part-{request}-{call}", _output(chance)) for call in range(5)]
        turns.append(Assistant(text="I changed the rounding of prices, and the tests pass now. " * 18))
    turns.append(Human(text=_RULES[number % len(_RULES)]))
    return Script(label=f"bench-{number}", cwd=f"/srv/project-{number % 5}", turns=tuple(turns))  # type: ignore[arg-type]


def learned_home(folder: Path, sessions: int) -> Path:
    """A home below `folder` that has learned so many sessions of two requests."""
    for number in range(sessions):
        write_claude_code(folder / "sessions", shop_session(number, requests=2))
    request = LearnRequest(sources=(str(folder / "sessions"),), now=True, since_days=None)
    assert Memory.open(home=folder / "home").learn(request).extracted == sessions
    return folder / "home"


def _output(chance: random.Random) -> str:
    size = min(50_000, int(chance.lognormvariate(9.0, 1.0)))
    return "".join(chance.choices(_LINES, k=size // 50))
