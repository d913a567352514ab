"""Whatever stands in a file, reading ends, within its memory, and raises nothing but SessionUnreadable."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.sessions_claude import ClaudeFile, text
from support.sessions_gemini import GeminiFile
from support.sessions_pi import PiFile
from vademecum.errors import SessionUnreadable
from vademecum.sessions import Role, discover, load
from vademecum.sessions.discovery import file_ref

HOSTS = ("claude-code", "pi", "gemini")


def claude_file() -> ClaudeFile:
    file = ClaudeFile()
    first = file.user("use pnpm <system-reminder>x</system-reminder>")
    file.plain("last-prompt", leafUuid="line-3")
    file.assistant(text("Let me look."), message_id="m1", stop="tool_use")
    file.calls("t1", message_id="m1")
    file.result("t1", [text("Exit code 1\nbad")], is_error=True)
    file.attachment("queued_command", prompt="and ruff", commandMode="prompt")
    file.line("system", parent=None, subtype="compact_boundary", logicalParentUuid=first)
    file.says("Done 🎉.")
    return file


def pi_file() -> PiFile:
    file = PiFile()
    first = file.user("use pnpm")
    file.calls("c1")
    file.result("c1", "ok")
    file.entry("branch_summary", parent=first, summary="back")
    file.message("bashExecution", None, command="ls", output="x")
    file.says("Done 🎉.")
    return file


def gemini_file() -> GeminiFile:
    file = GeminiFile()
    file.user("use pnpm")
    mistake = file.user("a mistake")
    file.record({"$rewindTo": mistake})
    file.calls("run_shell_command", {"command": "make"}, "Exit Code: 2")
    file.set(summary="Work")
    file.says("Done 🎉.")
    return file


def load_data(path: Path, data: bytes, host: str) -> None:
    path.write_bytes(data)
    ref = file_ref(host, path, Counter())
    assert ref is not None
    try:
        session = load(ref)
    except SessionUnreadable:
        return
    assert [message.index for message in session.messages] == sorted(message.index for message in session.messages)
    assert session.started_at <= session.updated_at


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "s.jsonl"


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.binary(max_size=400), host=st.sampled_from(HOSTS))
def test_random_bytes(path: Path, data: bytes, host: str) -> None:
    load_data(path, data, host)
    load_data(path, b"{" + data + b"}\n", host)


LINES = {"claude-code": claude_file().lines, "pi": pi_file().lines, "gemini": gemini_file().lines}


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    host=st.sampled_from(HOSTS),
    order=st.lists(st.integers(0, 7), max_size=14),
    cut=st.lists(st.tuples(st.integers(0, 14), st.integers(0, 400), st.binary(max_size=6)), max_size=4),
)
def test_mutated_lines(path: Path, host: str, order: list[int], cut: list[tuple[int, int, bytes]]) -> None:
    """Real lines shuffled, doubled, cut and overwritten."""
    source = LINES[host]
    lines = [source[place % len(source)] for place in order] or list(source)
    for place, start, patch in cut:
        line = lines[place % len(lines)]
        lines[place % len(lines)] = line[:start] + patch + line[start + len(patch) :]
    load_data(path, b"\n".join(lines), host)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data(), host=st.sampled_from(HOSTS))
def test_fields_of_any_type(path: Path, data: st.DataObject, host: str) -> None:
    """Well-formed JSON in which a known field holds something else."""
    records = [json.loads(line) for line in LINES[host]]
    for record in records:
        target = record.get("message", record) if data.draw(st.booleans()) else record
        if isinstance(target, dict):
            target[data.draw(st.sampled_from(sorted(target)))] = data.draw(JSON)
    load_data(path, b"\n".join(json.dumps(record).encode() for record in records), host)


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(
    "content",
    [
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b'"' + b"\\ud83d" * 50_000 + b'"',
        b'"' + b"<private>" * 50_000 + b'"',
        b'"' + b"<system-reminder>" * 50_000 + b'"',
        b'"' + b"<" * 500_000 + b'"',
        b'"' + b"&&vade " * 50_000 + b'"',
        b"9" * 100_000,
    ],
)
def test_hostile_content_takes_no_time(tmp_path: Path, host: str, content: bytes) -> None:
    """Deep nesting, half surrogates, endless tags, endless digits."""
    user = b'{"type":"%s","sessionId":"s","uuid":"u2","id":"i2","message":{"role":"user","content":%s}}\n'
    kind = b"message" if host == "pi" else b"user"
    line = b'{"id":"x","type":"user","content":%s}\n' % content if host == "gemini" else user % (kind, content)
    load_data(tmp_path / "s.jsonl", b"".join(line + b"\n" for line in LINES[host]) + line, host)


def test_one_bad_file_never_stops_a_scan(tmp_path: Path) -> None:
    bad, good = [b"", b"\0" * 10, b"{", b"\x28\xb5\x2f\xfd broken"], [claude_file(), pi_file(), gemini_file()]
    for number, data in enumerate([*bad, *(file.data() for file in good)]):
        (tmp_path / f"{number}.jsonl").write_bytes(data)
    discovery = discover(hosts=list(HOSTS), sources=[tmp_path], environ={}, home=tmp_path)
    assert [Path(ref.path).name for ref in discovery.refs] == ["4.jsonl", "5.jsonl", "6.jsonl"]
    assert all(load(ref).messages[0].role is Role.HUMAN for ref in discovery.refs)


MEASURE = """
import re, sys
from collections import Counter
from pathlib import Path
from vademecum.sessions import load
from vademecum.sessions.discovery import file_ref
session = load(file_ref(sys.argv[1], Path(sys.argv[2]), Counter()))
print(len(session.messages), session.skipped.get("capped_line", 0), session.messages[-1].text)
# Not `ru_maxrss`: that begins with the memory of the process that started this one.
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""


def peak_of(host: str, path: Path) -> tuple[str, int]:
    """What a process of its own says of the session, and the memory it took at most, in MB."""
    command = [sys.executable, "-c", MEASURE, host, str(path)]
    environ = {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=environ)
    said, peak = run.stdout.splitlines()
    return said, int(peak)


def call_and_answer(file: ClaudeFile | PiFile | GeminiFile, call_id: str, output: str) -> None:
    if isinstance(file, GeminiFile):
        file.calls("run_shell_command", {"command": "make test"}, output)
        return
    file.calls(call_id)
    answer(file, call_id, output)


def answer(file: ClaudeFile | PiFile | GeminiFile, call_id: str, output: str) -> None:
    if isinstance(file, GeminiFile):
        file.message("user", [{"functionResponse": {"id": call_id, "response": {"output": output}}}])
    else:
        file.result(call_id, output)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to measure memory")
@pytest.mark.parametrize("host", HOSTS)
def test_a_huge_file_with_a_huge_line_stays_small(tmp_path: Path, host: str) -> None:
    """user-U39, user-U42: 120 MB with one line of 40 MB, read to its end in less memory than the file."""
    file = {"claude-code": ClaudeFile, "pi": PiFile, "gemini": GeminiFile}[host]()
    path = tmp_path / "s.jsonl"
    with path.open("wb") as target:
        target.write(file.data())
        for number in range(3000):
            file.lines.clear()
            file.user(f"prompt {number}")
            call_and_answer(file, f"t{number}", f"line of output {number}\n" * 1200)
            if number == 1500:
                answer(file, "huge", "x" * (40 << 20))
            target.write(file.data())
        file.lines.clear()
        file.says("The end.")
        target.write(file.data())
    assert path.stat().st_size > 110e6
    said, peak_mb = peak_of(host, path)
    assert said == "6001 1 The end."
    assert peak_mb < 170
