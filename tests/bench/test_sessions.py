"""Reading speed of the JSON-lines readers.

The mix: mostly tool output (8 KB in the median, 50 KB at most); prompts, answers and calls of about 1 KB.
"""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.budgets import note_speed
from support.sessions_claude import ClaudeFile
from support.sessions_pi import PiFile
from vademecum.sessions import SessionRef
from vademecum.sessions.discovery import file_ref
from vademecum.sessions.registry import reader_for

pytestmark = [pytest.mark.bench, pytest.mark.timeout(120)]

NEWLINE = b"\n"
SIZE_BYTES = 64 << 20
BUDGET_MB_PER_SECOND = 250
_WORDS = [
    "error",
    "test",
    "build",
    "line",
    "value",
    "return",
    "import",
    "path",
    "cache",
    "index",
    "result",
    "0x7f",
    "ok",
]


def _prose(chance: random.Random, size: int) -> str:
    words = chance.choices(_WORDS, k=size // 7)
    return "".join(
        word + ("\n" if position % 11 == 0 else '" ' if position % 53 == 0 else " ")
        for position, word in enumerate(words)
    )


def _turns(chance: random.Random, file: Any, number: int) -> int:
    """One turn of the mix; its size in bytes."""
    before = len(file.lines)
    file.user(_prose(chance, 1_000))
    for step in range(6):
        call = f"call-{number}-{step}"
        if step % 2:
            file.says(_prose(chance, 600))
        file.calls(call, arguments={"command": _prose(chance, 400)})
        file.result(call, _prose(chance, min(50_000, int(chance.lognormvariate(9.0, 1.0)))))
    file.says(_prose(chance, 1_500))
    return sum(map(len, file.lines[before:]))


def _compose(file: Any, path: Path) -> Path:
    chance = random.Random(7)
    size = number = 0
    with path.open("wb") as target:
        while size < SIZE_BYTES:
            size += _turns(chance, file, number)
            number += 1
            target.writelines(line + b"\n" for line in file.lines)
            file.lines.clear()
    return path


def _ref(host: str, path: Path) -> SessionRef:
    ref = file_ref(host, path, Counter())
    assert ref is not None
    return ref


@pytest.mark.parametrize(("host", "compose"), [("claude-code", ClaudeFile), ("pi", PiFile)])
def test_reading(benchmark: Any, tmp_path: Path, host: str, compose: Any) -> None:
    path = _compose(compose(), tmp_path / "session.jsonl")
    ref = _ref(host, path)
    session = benchmark.pedantic(reader_for(host).read, args=(ref, Counter()), rounds=9, warmup_rounds=1)
    mix = f"lines of {ref.size_bytes / path.read_bytes().count(NEWLINE) / 1e3:.1f} KB on average, mostly tool output"
    note_speed(benchmark, f"reading, {host}", ref.size_bytes / 1e6, "MB/s", at_least=BUDGET_MB_PER_SECOND, mix=mix)
    assert session is not None
    assert session.messages
