"""Several learners at once on one memory; one that is killed at every step; one that is asked to end."""

import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from support.compose import Assistant, Human, Script, write_claude_code
from support.killing import in_child, kill_at
from support.metered_learner import MeteredLearner
from support.walking import extract_sessions
from vademecum.learning import Window, walk
from vademecum.sessions import Message, Role, Session, SessionRef
from vademecum.state import INTERRUPTED, Database, JobStatus, RecordState, State

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

SESSIONS = 12
#: `vade` with the scripted learner: it notes in a file of all processes what it was asked, and waits where it is told.
LEARNING = """
import os, socket, sys
from support.metered_learner import MeteredLearner
from vademecum.cli import cli
from vademecum.engine import learn

class Told(MeteredLearner):
    def _request(self, task, subject):
        line = os.open(os.environ["ASKED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(line, f"{subject}\\n".encode())
        os.close(line)
        super()._request(task, subject)

def wait_for_an_answer():
    if port := os.environ.get("SERVER"):
        with socket.create_connection(("127.0.0.1", int(port))) as connection:
            connection.recv(1)

learn.learner_named = lambda *_: Told(meanwhile=wait_for_an_answer)
print("ready", flush=True)
sys.stdin.readline()
cli(sys.argv[1:])
"""


def learner_on(folder: Path, *words: str, **environ: str) -> subprocess.Popen[str]:
    """A process that learns as soon as it reads a line."""
    settings = {
        "PYTHONPATH": ":".join(sys.path),
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "VADEMECUM_HOME": str(folder / "home"),
        "VADEMECUM_MEMORIES_MAX_ROLLOUTS_PER_STARTUP": "128",
        "ASKED": str(folder / "asked"),
    }
    command = [sys.executable, "-c", LEARNING, "learn", "--from", str(folder / "sessions"), "--now", "--json", *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=settings | environ, **pipes)
    assert process.stdout.readline() == "ready\n"
    return process


def told_sessions(folder: Path, number: int = SESSIONS) -> None:
    yesterday = datetime.now(UTC) - timedelta(days=1)
    for at in range(number):
        turns = (Human(text=f"always run check {at}"), Assistant(text="Done."))
        script = Script(label=f"s{at}", cwd="/srv/shop", turns=turns, started_at=yesterday)
        write_claude_code(folder / "sessions", script)


def asked(folder: Path) -> Counter[str]:
    return Counter((folder / "asked").read_text().split())


def state_of(folder: Path) -> State:
    return State.open(folder / "home" / "identities" / "default" / "state.db")


def test_three_learners_at_once_learn_each_session_once(tmp_path):
    """codex-A01, codex-R33"""
    told_sessions(tmp_path)
    processes = [learner_on(tmp_path) for _ in range(3)]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors
    calls = asked(tmp_path)
    del calls["consolidation"]
    assert (len(calls), set(calls.values())) == (SESSIONS, {1})
    with state_of(tmp_path) as state:
        assert len(state.records.all(RecordState.ACTIVE)) == SESSIONS
        assert {job.status for job in state.jobs.all()} == {JobStatus.DONE}
        assert state.requests.spent_on(datetime.now(UTC)).tokens_in == 100 * sum(asked(tmp_path).values())


@pytest.mark.parametrize(("signal_number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_learner_that_is_asked_to_end_gives_its_session_back_though_it_waits_for_a_network(
    tmp_path, signal_number, code
):
    """codex-A28, codex-R40, codex-N03"""
    told_sessions(tmp_path, 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        process = learner_on(tmp_path, SERVER=str(server.getsockname()[1]))
        process.stdin.write("go\n")
        process.stdin.flush()
        connection, _ = server.accept()
        with connection:
            process.send_signal(signal_number)
            _, errors = process.communicate(timeout=30)
    assert process.returncode == code, errors
    with state_of(tmp_path) as state:
        (job,) = state.jobs.all()
        assert (job.status, job.failures, job.retry_at) == (JobStatus.PENDING, {}, None)
        assert [run.outcome for run in state.runs.list()] == [INTERRUPTED]
    again = learner_on(tmp_path)
    again.communicate("go\n", timeout=60)
    assert again.returncode == 0
    with state_of(tmp_path) as state:
        assert len(state.records.all()) == 1


def test_a_killed_learner_s_session_is_free_at_once_and_its_spending_counts(tmp_path):
    """codex-R30, codex-N04, codex-X37"""
    told_sessions(tmp_path, 2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        process = learner_on(tmp_path, SERVER=str(server.getsockname()[1]))
        process.stdin.write("go\n")
        process.stdin.flush()
        server.accept()[0].close()
        with server.accept()[0]:
            process.kill()
            process.communicate()
    again = learner_on(tmp_path)
    again.communicate("go\n", timeout=60)
    with state_of(tmp_path) as state:
        assert len(state.records.all()) == 2
        killed = state.runs.list()[-1]
        assert (killed.outcome, killed.tokens_in) == (INTERRUPTED, 100)


@pytest.fixture
def three(monkeypatch):
    """References to three sessions that need no file."""
    end = datetime.now(UTC) - timedelta(days=1)
    said = (Message(id="1", index=1, role=Role.HUMAN, text="always use pnpm", at=end),)
    facts = {"host": "a-host", "cwd": "/srv/shop", "branch": None, "parent_id": None, "messages": said}
    sessions = {name: Session(id=name, started_at=end, updated_at=end, **facts) for name in ("s1", "s2", "s3")}
    monkeypatch.setattr(walk, "load", lambda ref: sessions[ref.path])
    return [SessionRef(host="a-host", path=name, fingerprint="f", modified_at=end) for name in sessions]


def extracted(folder: Path, refs) -> MeteredLearner:
    learner = MeteredLearner()
    window = Window(now=datetime.now(UTC), idle=timedelta(hours=6), age=None)
    with State.open(folder / "state.db") as state:
        extract_sessions(refs, state=state, learner=learner, window=window)
    return learner


def test_an_extraction_killed_at_any_step_is_complete_after_the_next(tmp_path, three):
    """codex-R30, codex-R42: each statement to the database is a step."""
    steps_of_a_store = ("run", "run_many", "write", "one", "all")
    for step in count():
        folder = tmp_path / str(step)
        folder.mkdir()
        State.open(folder / "state.db").close()
        ended = in_child(
            lambda: (kill_at(step, module=Database, names=steps_of_a_store), extracted(folder, three))  # noqa: B023 (runs at once)
        )
        with State.open(folder / "state.db") as state:
            before = {record.session_id for record in state.records.all()}
        learner = extracted(folder, three)
        assert set(learner.asked) == {"s1", "s2", "s3"} - before
        with State.open(folder / "state.db") as state:
            assert len(state.records.all()) == 3
            assert {job.status for job in state.jobs.all()} == {JobStatus.DONE}
            assert all(job.failures == {} for job in state.jobs.all())
            # The newest row is still there to be closed where nothing was left to begin a pass with.
            assert all(run.finished_at for run in state.runs.list() if learner.asked)
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert step > 40
