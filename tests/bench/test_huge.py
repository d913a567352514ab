"""A session file of 1 GB with one line of 200 MB, loaded by a process of its own: seconds, and memory at most."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.budgets import note_count
from support.codex_rollouts import RolloutFile
from support.sessions_claude import ClaudeFile
from support.sessions_pi import PiFile

pytestmark = [pytest.mark.bench, pytest.mark.slow, pytest.mark.timeout(600)]

FILE_BYTES = 1_000_000_000
LINE_BYTES = 200_000_000
FREE_BYTES = 3_000_000_000
MAX_PEAK_MB = 200
PIECE = "src/cart.ts:12:5: warning: unused variable 'price'\n" * 480

LOAD = """
import json, re, sys, time
from collections import Counter
from pathlib import Path
from vademecum.sessions import load
from vademecum.sessions.discovery import file_ref
start = time.perf_counter()
session = load(file_ref(sys.argv[1], Path(sys.argv[2]), Counter()))
seconds = time.perf_counter() - start
# Not `ru_maxrss`: that begins with the memory of the process that started this one.
peak_kib = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
words = [message.text for message in session.messages]
print(json.dumps({"seconds": seconds, "peak_mb": peak_kib * 1024 / 1e6, "skipped": session.skipped, "last": words[-1]}))
"""


def claude_code(file: ClaudeFile, number: int) -> None:
    file.user(f"look at part {number}")
    file.calls(f"call-{number}")
    file.result(f"call-{number}", PIECE)


def pi(file: PiFile, number: int) -> None:
    file.user(f"look at part {number}")
    file.calls(f"call-{number}")
    file.result(f"call-{number}", PIECE)


def codex(file: RolloutFile, number: int) -> None:
    file.user(f"look at part {number}")
    file.shell("make test", PIECE)


#: Per host: an empty file, one turn of talk and work, and the beginning and end of a line around its output.
HOSTS = {
    "claude-code": (ClaudeFile, claude_code, lambda file: file.result("huge", "@")),
    "codex": (lambda: RolloutFile().meta().turn(), codex, lambda file: file.output(file.call(), "@")),
    "pi": (PiFile, pi, lambda file: file.result("huge", "@")),
}


def taken(file) -> bytes:
    """The lines so far, which the composer then forgets."""
    data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in file.lines)
    file.lines.clear()
    return data


def huge_line(file, add) -> Iterator[bytes]:
    """One line of 200 MB, in pieces; where a host stores an output twice, each copy is half of it."""
    add(file)
    parts = taken(file).split(b"@")
    piece = b"y" * 1_000_000
    for number, part in enumerate(parts):
        yield part
        if number < len(parts) - 1:
            yield from [piece] * (LINE_BYTES // (len(parts) - 1) // len(piece))


def write(host: str, path: Path) -> None:
    new, turn, add_huge = HOSTS[host]
    file, written, number, is_huge_due = new(), 0, 0, True
    with path.open("wb") as target:
        while written < FILE_BYTES:
            turn(file, number)
            number += 1
            written += target.write(taken(file))
            if is_huge_due and written > FILE_BYTES // 2:
                written += sum(map(target.write, huge_line(file, add_huge)))
                is_huge_due = False
        file.user("the last words")
        target.write(taken(file))


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    if (free := shutil.disk_usage(tmp_path).free) < FREE_BYTES:
        pytest.skip(f"{free / 1e9:.1f} GB of disk are free, and 3 are needed")
    path = tmp_path / "session.jsonl"
    yield path
    path.unlink(missing_ok=True)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc")
@pytest.mark.parametrize("host", HOSTS)
def test_a_huge_file_is_read_to_its_end_in_little_memory(benchmark, path: Path, host: str):
    """user-U39: the long line is counted as capped, and what follows it is read."""
    write(host, path)
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", LOAD, host, str(path)]

    def load() -> dict:
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environ).stdout)

    told = benchmark.pedantic(load, rounds=1)
    mix = f"{path.stat().st_size / 1e9:.2f} GB with one line of {LINE_BYTES / 1e6:.0f} MB"
    note_count(benchmark, f"huge file, {host}", told["seconds"], "s", mix=mix)
    note_count(benchmark, f"huge file, {host}, peak", told["peak_mb"], "MB", at_most=MAX_PEAK_MB, mix=mix)
    assert told["skipped"]["capped_line"] == 1
    assert told["last"] == "the last words"
    assert told["peak_mb"] < MAX_PEAK_MB
