"""Programs of others end with their whole group, whatever they do, and never say more than they may."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from support.fake_agents import program
from support.memfs import FAKE_SECRET
from vademecum.errors import LearnerFailed, LearnerUnavailable
from vademecum.learners.hosts.processes import Limits, excerpt, own_group, run

LIMITS = Limits(seconds=3, grace_seconds=1)
HASTY = Limits(seconds=0.5, grace_seconds=0.2)
ENVIRON = {"PATH": os.environ["PATH"]}

#: A child that ignores the request to end, and tells its number.
STUBBORN_CHILD = """
(trap '' TERM; while true; do sleep 0.05; done) &
echo $! > child
"""


@pytest.fixture
def go(tmp_path):
    """Run a shell script to its end, in a folder of its own, with words as its input."""

    def run_it(body, limits=LIMITS, words=""):
        (tmp_path / "input").write_text(words, encoding="utf-8")
        command = [str(program(tmp_path / "agent", body))]
        return run(command, folder=tmp_path, environ=ENVIRON, stdin=tmp_path / "input", limits=limits)

    return run_it


def child_of(folder):
    return int((folder / "child").read_text())


def is_gone(pid):
    """Whether the process has ended, within a bounded time: who adopted it may be slow to bury it."""
    end = time.monotonic() + 3
    while time.monotonic() < end:
        state = Path(f"/proc/{pid}/stat")
        with suppress(ProcessLookupError, FileNotFoundError):
            os.kill(pid, 0)
            if not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z":
                continue
        return True
    return False


def test_what_a_program_prints_and_how_it_ends_comes_back(go):
    ended = go("cat; echo problem >&2; exit 3", words="the prompt")
    assert (ended.status, ended.output, ended.errors) == (3, "the prompt", "problem\n")


def test_a_program_that_takes_too_long_is_ended(go):
    began = time.monotonic()
    with pytest.raises(LearnerUnavailable, match=r"agent was not done after .* and was ended"):
        go("sleep 60", HASTY)
    assert time.monotonic() - began < 4


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_program_that_ignores_the_request_to_end_is_killed_with_its_children(go, tmp_path):
    """codex-A09"""
    with pytest.raises(LearnerUnavailable):
        go(f"trap '' TERM\n{STUBBORN_CHILD}\nwhile true; do sleep 0.05; done", HASTY)
    assert is_gone(child_of(tmp_path))


def test_a_child_that_stays_behind_and_holds_the_output_open_is_ended_at_once(go, tmp_path):
    """codex-R38."""
    began = time.monotonic()
    ended = go(f"{STUBBORN_CHILD}\necho done")
    assert (ended.status, ended.output) == (0, "done\n")
    assert time.monotonic() - began < LIMITS.seconds
    assert is_gone(child_of(tmp_path))


def test_a_program_that_says_too_much_is_ended(go):
    with pytest.raises(LearnerFailed, match="more than 100,000 bytes"):
        go("yes", Limits(seconds=3, output_bytes=100_000, grace_seconds=0.2))


def test_output_that_is_no_text_does_no_harm(go):
    assert go(r"printf '\377\376ok'").output.endswith("ok")


def test_a_program_that_cannot_be_started_is_an_error_that_names_it(tmp_path):
    (tmp_path / "input").touch()
    with pytest.raises(LearnerFailed, match="absent cannot be started"):
        run([f"{tmp_path}/absent"], folder=tmp_path, environ={}, stdin=tmp_path / "input", limits=LIMITS)


def test_an_error_in_the_block_ends_the_group(tmp_path):
    """codex-N21."""
    agent = str(program(tmp_path / "agent", f"{STUBBORN_CHILD}\necho ready; sleep 60"))

    def fail_meanwhile():
        with own_group([agent], tmp_path, ENVIRON, HASTY, stdin=subprocess.DEVNULL) as process:
            assert process.stdout.read(6) == b"ready\n"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_meanwhile()
    assert is_gone(child_of(tmp_path))


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_the_group_ends_even_when_we_are_killed(tmp_path):
    """codex-A09"""
    agent = program(tmp_path / "agent", f"{STUBBORN_CHILD}\necho ready; exec sleep 60")
    ours = f"""
import subprocess
from pathlib import Path
from vademecum.learners.hosts.processes import Limits, own_group
limits = Limits(seconds=60)
with own_group([{str(agent)!r}], Path({str(tmp_path)!r}), {ENVIRON!r}, limits, stdin=subprocess.DEVNULL) as it:
    print(it.stdout.readline().decode(), it.pid, flush=True)
    it.wait()
"""
    with subprocess.Popen([sys.executable, "-c", ours], stdout=subprocess.PIPE, text=True) as us:
        assert us.stdout.readline() == "ready\n"
        leader = int(us.stdout.readline())
        us.send_signal(signal.SIGKILL)
    assert is_gone(leader)
    assert is_gone(child_of(tmp_path))


def test_an_excerpt_is_one_masked_line_of_the_end():
    text = f"first\n\nsecond\nthird\x1b[31m red\nkey {FAKE_SECRET}\n"
    assert FAKE_SECRET not in excerpt(text)
    assert excerpt(text).startswith("second third")
    assert "\x1b" not in excerpt(text)
