"""Many hooks at the same time: all answer, in time, and what they write is whole."""

import json
import os
import subprocess
import time

import pytest

from support.hooks import context_in, hook_command, pass_is_recent, pins_of
from vademecum.engine import Memory

HOOKS = 10
MOST_SECONDS = 2


@pytest.fixture
def home(tmp_path):
    memory = Memory.open(home=tmp_path / "home", environ={})
    memory.note("always use pnpm")
    pass_is_recent(tmp_path / "home")
    return tmp_path / "home"


def spawn(home, event, session):
    environ = {**os.environ, "VADEMECUM_HOME": str(home)}
    process = subprocess.Popen(
        hook_command("codex", event), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ
    )
    payload = json.dumps({"session_id": session, "cwd": "/srv/shop", "source": "startup", "transcript_path": None})
    return process, payload.encode()


def answers(spawned):
    for process, payload in spawned:
        process.stdin.write(payload)
        process.stdin.close()
    done = []
    for process, _ in spawned:
        with process:
            out, err = process.stdout.read(), process.stderr.read()
        assert (process.returncode, err) == (0, b"")
        done.append(subprocess.CompletedProcess(process.args, 0, out, err))
    return done


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("sessions", [range(HOOKS), [0] * HOOKS], ids=["ten sessions", "one session"])
def test_ten_hooks_at_once_all_answer(home, sessions):
    """user-U16"""
    start = time.monotonic()
    given = [context_in(done) for done in answers([spawn(home, "session-start", f"s{at}") for at in sessions])]
    assert time.monotonic() - start < MOST_SECONDS
    assert len(set(given)) == 1
    assert "pnpm" in given[0]
    pins = pins_of(home)
    assert len(pins) == len(set(sessions))
    assert {json.loads(pin.read_text())["text"] for pin in pins} == set(given)
    lines = (home / "runtime/spool/codex.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["session-start"] * HOOKS
    assert not (home / "runtime/hook.log").exists()
