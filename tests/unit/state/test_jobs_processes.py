"""Real processes on one state database."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vademecum.state import Claim, State, new_token, this_worker

CLAIM_ALL = """
import sys, pathlib
from datetime import datetime, UTC
from vademecum.state import Claim, State, new_token, this_worker
print("ready", flush=True)
sys.stdin.readline()
moment = datetime(2026, 11, 2, tzinfo=UTC)
with State.open(pathlib.Path(sys.argv[1])) as state:
    for number in range(50):
        key, token = f"job-{number}", new_token()
        owner = {"worker": this_worker(), "token": token, "lease_seconds": 60}
        if state.jobs.claim("k", key, watermark=moment, **owner) is Claim.CLAIMED:
            print(key, flush=True)
            assert state.jobs.finish(token, watermark=moment)
"""

HOLD_ONE = """
import sys, pathlib
from datetime import datetime, UTC
from vademecum.state import State, this_worker
state = State.open(pathlib.Path(sys.argv[1]))
moment = datetime(2026, 11, 2, tzinfo=UTC)
print(state.jobs.claim("k", "one", watermark=moment, worker=this_worker(), token="t", lease_seconds=3600), flush=True)
sys.stdin.readline()
"""


def start(code: str, path: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code, str(path)], env=environment, **pipes)


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_three_processes_do_each_of_fifty_jobs_once(tmp_path: Path):
    children = [start(CLAIM_ALL, tmp_path / "state.db") for _ in range(3)]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    done = [line for child in children for line in child.communicate()[0].splitlines()]
    assert [child.returncode for child in children] == [0, 0, 0]
    assert sorted(done) == sorted(f"job-{number}" for number in range(50))


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_the_job_of_a_killed_owner_is_claimable_at_once(tmp_path: Path, morning):
    child = start(HOLD_ONE, tmp_path / "state.db")
    assert child.stdout.readline() == "claimed\n"
    with State.open(tmp_path / "state.db") as state:
        ask = {"watermark": morning, "worker": this_worker(), "lease_seconds": 60}
        assert state.jobs.claim("k", "one", token=new_token(), **ask) is Claim.RUNNING
        child.kill()
        child.communicate()
        assert state.jobs.claim("k", "one", token=new_token(), **ask) is Claim.CLAIMED
