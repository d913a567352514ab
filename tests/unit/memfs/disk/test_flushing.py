import os
import subprocess
import sys
import threading

import pytest

from support.killing import in_child
from vademecum.memfs.disk.flushing import flush, fsync_job
from vademecum.private import fsync_path


def flush_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("vademecum-flush")]


def test_all_jobs_have_ended_when_it_returns():
    done = []
    flush(lambda number=number: done.append(number) for number in range(30))
    assert sorted(done) == list(range(30))


def test_jobs_wait_side_by_side():
    together = threading.Barrier(4, timeout=4)
    flush([together.wait] * 4)


def test_the_first_error_is_raised_after_all_have_ended():
    done = []

    def fails():
        raise OSError(5, "broken")

    with pytest.raises(OSError, match="broken"):
        flush([fails, *(lambda: done.append(1) for _ in range(9)), fails])
    assert len(done) == 9


def test_a_process_that_forks_has_no_threads_at_that_moment_and_both_go_on(tmp_path):
    """A child of a process with threads would wait for ever for threads that it does not have."""
    jobs = [fsync_job(tmp_path)] * 4
    flush(jobs)
    assert flush_threads()

    def child():
        assert not flush_threads()
        flush(jobs)

    assert in_child(child) == 0
    flush(jobs)


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "link").symlink_to(os.devnull)
    with pytest.raises(OSError, match="symbolic"):
        fsync_path(tmp_path / "link")


FORKER = """
import concurrent.futures.thread  # no thread begins while it holds its own lock, from its hook until the fork
import os

def begins_again():
    flushing.begin(int).result()

os.register_at_fork(before=begins_again)  # right after `flushing` has ended the threads
from vademecum.memfs.disk import flushing

child = os.fork()
if child == 0:
    flushing.begin(int).result(timeout=5)
    os._exit(0)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_has_threads_of_its_own_where_another_thread_began_some_right_before_the_fork():
    assert subprocess.run([sys.executable, "-c", FORKER], timeout=20, check=False).returncode == 0
