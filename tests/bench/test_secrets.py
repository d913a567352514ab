"""How fast the scanner reads (budget: 60 MB/s on ordinary transcripts)."""

import json
import random

import pytest

from support.budgets import note_speed
from vademecum.secrets import mask, scan

pytestmark = [pytest.mark.bench, pytest.mark.timeout(120)]

_PROSE = (
    "I have updated the parser so that empty lines are kept, and the tests pass now. ",
    "The token count stays below the budget; the next step is to look at the key handling in the cache layer. ",
    "Could you check why the session ends early? The author of that module left a note in the README. ",
    "– Das Ergebnis ist in der Tabelle; 次に設定ファイルを確認します。 ",
)
_CODE = (
    """def load(path: Path, *, limit: int = 100) -> list[Row]:
    rows = [parse(line) for line in path.open()]
    return rows[:limit]
""",
    """for name, value in sorted(settings.items(), key=lambda item: item[0]):
    print(f'{name:20} {value}')
""",
    """const total = items.reduce((sum, item) => sum + item.price * item.count, 0);
export default total;
""",
)
_LOG = "2026-11-30T12:{0:02d}:{1:02d} INFO worker-{2} handled request {3:08x} in {1} ms, status 200, queue {2}\n"


def _transcript(size: int) -> list[str]:
    """Messages of 80 characters to 100 KB: a third prose, a third code and logs, a third JSON."""
    rng = random.Random(3)
    messages: list[str] = []
    total = 0
    while total < size:
        draw = rng.random()
        if draw < 0.33:
            text = "".join(rng.choices(_PROSE[:3] if rng.random() < 0.8 else _PROSE, k=rng.randint(1, 30)))
        elif draw < 0.66:
            lines = [
                _LOG.format(n % 60, rng.randint(0, 59), n % 7, rng.getrandbits(32)) for n in range(rng.randint(3, 900))
            ]
            text = "".join(lines if rng.random() < 0.5 else rng.choices(_CODE, k=rng.randint(1, 400)))
        else:
            rows = [
                {
                    "id": n,
                    "path": f"src/module_{n}.py",
                    "author": "ada",
                    "lines": [n, n + 9],
                    "size": n,
                    "ok": True,
                    "type": "file",
                }
                for n in range(rng.randint(1, 300))
            ]
            text = json.dumps(rows, indent=rng.choice((None, 2)))
        messages.append(text[:100_000])
        total += len(messages[-1])
    return messages


def test_ordinary_transcript(benchmark):
    messages = _transcript(8_000_000)
    size = sum(map(len, messages))
    benchmark.pedantic(lambda: [scan(one) for one in messages], rounds=9, warmup_rounds=1)
    mix = "messages of 80 characters to 100 KB: a third prose, a third code and logs, a third JSON"
    note_speed(benchmark, "secret scanner", size / 1e6, "MB/s", at_least=60, mix=mix)


def test_short_messages(benchmark):
    messages = [one[:200] for one in _transcript(4_000_000)]
    messages = (messages * (20_000 // len(messages) + 1))[:20_000]
    benchmark.pedantic(lambda: [mask(one) for one in messages], rounds=9, warmup_rounds=1)
    note_speed(benchmark, "masking, short messages", len(messages), "messages/s", mix="at most 200 characters each")
