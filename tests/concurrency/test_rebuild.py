"""Several processes that meet a damaged state database, and one that is killed while it makes it anew."""

import signal
import sys
from itertools import count
from multiprocessing import get_context

import pytest

from support.killing import in_child, kill_at
from vademecum.state import SessionMode, State, broken_folder, past_rescues

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

PROCESSES = 4


def prepared(path):
    with State.open(path) as state:
        state.modes.set("s1", SessionMode.DISABLED)


def meet(path, barrier, results):
    barrier.wait(30)
    with State.open(path) as state:
        results.put(state.rescued is not None)


@pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")
def test_many_that_find_garbage_make_it_anew_once(tmp_path):
    path = tmp_path / "state.db"
    path.write_bytes(b"not a database" * 500)
    fork = get_context("fork")
    barrier, results = fork.Barrier(PROCESSES), fork.Queue()
    workers = [fork.Process(target=meet, args=(path, barrier, results)) for _ in range(PROCESSES)]
    for worker in workers:
        worker.start()
    rebuilt = [results.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert rebuilt.count(True) == 1
    assert len(past_rescues(path)) == 1


def test_one_that_is_killed_at_any_step_leaves_the_way_open(tmp_path):
    for step in count():
        path = tmp_path / str(step) / "state.db"
        path.parent.mkdir()
        prepared(path)
        damaged = b"not a database" * 500
        path.write_bytes(damaged)
        ended = in_child(lambda: (kill_at(step), State.open(path).close()))  # noqa: B023  (runs at once)
        with State.open(path) as state:
            state.check()
        assert any(file.read_bytes() == damaged for file in broken_folder(path).glob("*/state.db"))
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert step > 20
