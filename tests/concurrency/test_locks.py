"""Locks between real processes: hung, killed and forked owners. Children say where they are; nobody sleeps."""

import fcntl
import os
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import count

import msgspec
import pytest

from support.killing import in_child, kill_at
from vademecum.errors import BusyError
from vademecum.locks import Domain, LockOwner, Locks

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

HOLDER = """
import subprocess, sys
from pathlib import Path
from vademecum.locks import Domain, Locks
with Locks(Path(sys.argv[1])).hold(Domain.MEMORY_WRITE, purpose="landing a draft", wait_seconds=0):
    print("holding", flush=True)
    for line in sys.stdin:
        if line == "start a program\\n":
            command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
            print(subprocess.Popen(command, stdin=subprocess.PIPE, close_fds=False).pid, flush=True)
"""

#: Forks while another thread takes the first lock, for which it imports `filelock`; the child takes one as well.
FORKER = """
import os, sys, threading
from pathlib import Path
from vademecum.locks import Domain, Locks

locks = Locks(Path(sys.argv[1]))
importing, forked = threading.Event(), threading.Event()

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "filelock" and not importing.is_set():
            importing.set()
            forked.wait(0.5)

def lock():
    with locks.hold(Domain.MEMORY_WRITE, purpose="taking the first lock", wait_seconds=20):
        pass

sys.meta_path.insert(0, Slow())
other = threading.Thread(target=lock)
other.start()
importing.wait()
child = os.fork()
forked.set()
if child == 0:
    lock()
    os._exit(0)
other.join()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

CONTENDER = """
import sys
from pathlib import Path
from vademecum.errors import BusyError
from vademecum.locks import Domain, Locks
locks = Locks(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
try:
    with locks.hold(Domain.MEMORY_WRITE, purpose="contending", wait_seconds=0):
        print("holding", flush=True)
        sys.stdin.readline()
except BusyError:
    print("busy", flush=True)
"""


def start(program, folder):
    command = [sys.executable, "-c", program, str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(process, line):
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


@pytest.fixture
def holder(tmp_path):
    process = start(HOLDER, tmp_path)
    assert process.stdout.readline() == "holding\n"
    yield process
    process.kill()
    process.communicate()


def take(folder, wait_seconds=0.0):
    with Locks(folder).hold(Domain.MEMORY_WRITE, purpose="testing", wait_seconds=wait_seconds):
        return True


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_hung_owner_keeps_its_lock_and_the_waiter_is_told_how_to_end_it(tmp_path, holder):
    """core-R53, core-W8"""
    os.kill(holder.pid, signal.SIGSTOP)
    with pytest.raises(BusyError, match=rf"process {holder.pid} \(landing a draft, since .*waited 0\.1 s") as caught:
        take(tmp_path, 0.1)
    assert re.search(rf"took the lock \d+ s ago; if it hangs, end it with `kill {holder.pid}`", caught.value.next_step)
    assert caught.value.retriable
    holder.kill()
    holder.wait()
    assert take(tmp_path)


def test_of_many_that_find_a_dead_owner_one_goes_on(tmp_path, holder):
    """core-R55"""
    contenders = [start(CONTENDER, tmp_path) for _ in range(4)]
    try:
        assert [process.stdout.readline() for process in contenders] == ["ready\n"] * 4
        holder.kill()
        holder.wait()
        for process in contenders:
            say(process, "go")
        assert sorted(process.stdout.readline() for process in contenders) == ["busy\n"] * 3 + ["holding\n"]
    finally:
        for process in contenders:
            process.kill()
            process.communicate()


def test_a_program_that_the_owner_started_does_not_keep_the_lock_of_the_dead(tmp_path, holder):
    """core-26.6"""
    say(holder, "start a program")
    program = int(holder.stdout.readline())
    try:
        holder.kill()
        holder.wait()
        assert take(tmp_path)
    finally:
        os.kill(program, signal.SIGKILL)


def test_a_forked_child_does_not_keep_the_lock_of_its_dead_parent(tmp_path):
    """core-26.6"""
    read, write = os.pipe()
    parent = os.fork()
    if parent == 0:
        try:
            with Locks(tmp_path).hold(Domain.MEMORY_WRITE, purpose="forking", wait_seconds=0):
                if os.fork() == 0:
                    os.write(write, f"{os.getpid()}\n".encode())
                signal.pause()
        finally:
            os._exit(70)
    with os.fdopen(read) as lines:
        child = int(lines.readline())
    try:
        os.kill(parent, signal.SIGKILL)
        os.waitpid(parent, 0)
        assert take(tmp_path)
    finally:
        os.kill(child, signal.SIGKILL)
        os.close(write)


@pytest.mark.parametrize("whose", [os.getpid, lambda: 1, lambda: 2**22 - 1], ids=["ours", "of init", "nobody's"])
def test_what_the_owner_file_says_decides_nothing(tmp_path, whose):
    """core-R56, core-R57: a recycled pid, another machine's, or one that nobody has."""
    take(tmp_path)
    owner = LockOwner(pid=whose(), purpose="long ago", since=datetime.now(UTC) - timedelta(days=400))
    (tmp_path / "memory-write.owner").write_bytes(msgspec.json.encode(owner))
    assert take(tmp_path)


@pytest.mark.parametrize("left", [b"", b'{"pid": 12', b"\xff" * 1024])
def test_a_torn_owner_file_is_no_owner(tmp_path, left):
    """core-R58: there is no grace period to wait for."""
    (tmp_path / "memory-write.owner").write_bytes(left)
    (tmp_path / "memory-write.lock").write_bytes(left)
    assert take(tmp_path)


def test_a_waiter_writes_nothing_and_nobody_leaves_other_files(tmp_path, holder):
    """core-R59, core-R60, core-R61: two files per domain, whoever died and however often."""
    before = (tmp_path / "memory-write.owner").read_bytes()
    with pytest.raises(BusyError):
        take(tmp_path, 0.05)
    assert (tmp_path / "memory-write.owner").read_bytes() == before
    holder.kill()
    holder.wait()
    for _ in range(3):
        take(tmp_path)
    assert names(tmp_path) == ["memory-write.lock", "memory-write.owner"]


def test_a_clock_that_was_set_back_makes_no_negative_time(tmp_path, holder):
    """core-26.6: two clocks that disagree."""
    owner = LockOwner(pid=holder.pid, purpose="tomorrow", since=datetime.now(UTC) + timedelta(days=1))
    (tmp_path / "memory-write.owner").write_bytes(msgspec.json.encode(owner))
    with pytest.raises(BusyError) as caught:
        take(tmp_path)
    assert "took the lock 0 s ago" in caught.value.next_step


def test_an_owner_killed_at_any_step_of_taking_and_giving_back_leaves_a_free_lock(tmp_path):
    """core-29.2 I11"""
    for step in count():

        def acquire_and_release(step=step):
            steps = kill_at(step, module=os)
            kill_at(step, module=fcntl, names=("flock",), steps=steps)
            take(tmp_path)

        ended = in_child(acquire_and_release)
        assert take(tmp_path)
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert step >= 4


def test_a_child_forked_while_a_thread_takes_the_first_lock_can_take_one_too(tmp_path):
    with subprocess.Popen([sys.executable, "-c", FORKER, str(tmp_path)], start_new_session=True) as forker:
        try:
            assert forker.wait(timeout=20) == 0
        except subprocess.TimeoutExpired:
            os.killpg(forker.pid, signal.SIGKILL)
            raise
