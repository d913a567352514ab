import errno
import os
import shutil
import subprocess
import sys
import threading

import pytest

from support.killing import in_child
from vademecum import locks as module
from vademecum.errors import BusyError, StorageError
from vademecum.locks import Domain, Locks

HOLDER = """
import sys
from pathlib import Path
from vademecum.locks import Domain, Locks
with Locks(Path(sys.argv[1])).hold(Domain.MEMORY_WRITE, purpose="landing a draft", wait_seconds=0):
    print("holding", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "holding\n"
    with process:
        yield process
        process.stdin.close()


def take(folder, domain=Domain.MEMORY_WRITE):
    with Locks(folder).hold(domain, purpose="testing", wait_seconds=0):
        return True


def test_a_busy_lock_names_its_owner_purpose_and_time(tmp_path, holder):
    with pytest.raises(BusyError, match=rf"process {holder.pid} \(landing a draft, since 20\d\d-.* UTC\)") as caught:
        take(tmp_path)
    assert caught.value.retriable


def test_the_lock_of_a_killed_owner_is_free_at_once(tmp_path, holder):
    """core-R52: nothing has to be proven about the dead."""
    holder.kill()
    holder.wait()
    assert take(tmp_path)


def test_domains_do_not_block_each_other(tmp_path, holder):
    assert take(tmp_path, Domain.CONSOLIDATION)


def test_a_lock_is_free_again_after_an_error_inside(tmp_path):
    """core-R63"""
    locks = Locks(tmp_path)
    with pytest.raises(ZeroDivisionError), locks.hold(Domain.SYNC, purpose="failing", wait_seconds=0):
        _ = 1 // 0
    assert take(tmp_path, Domain.SYNC)


def test_threads_of_one_process_exclude_each_other(tmp_path):
    locks, answers = Locks(tmp_path), []

    def contend():
        try:
            with locks.hold(Domain.MEMORY_WRITE, purpose="second", wait_seconds=0):
                answers.append("got it")
        except BusyError:
            answers.append("busy")

    with locks.hold(Domain.MEMORY_WRITE, purpose="first", wait_seconds=0):
        thread = threading.Thread(target=contend)
        thread.start()
        thread.join()
    assert answers == ["busy"]


def test_a_thread_that_holds_the_lock_goes_on(tmp_path):
    locks = Locks(tmp_path)
    with locks.hold(Domain.MEMORY_WRITE, purpose="outer", wait_seconds=0):
        with locks.hold(Domain.MEMORY_WRITE, purpose="inner", wait_seconds=0):
            pass
        with pytest.raises(BusyError, match="outer"):
            take(tmp_path)


def test_a_waiter_gets_the_lock_when_it_is_given_back(tmp_path, holder):
    locks = Locks(tmp_path)
    threading.Timer(0.05, holder.stdin.close).start()
    with locks.hold(Domain.MEMORY_WRITE, purpose="waiting", wait_seconds=4):
        assert locks.owner(Domain.MEMORY_WRITE).purpose == "waiting"


def test_a_forked_child_neither_holds_nor_frees_its_parents_lock(tmp_path):
    """core-26.6"""
    locks = Locks(tmp_path)
    with locks.hold(Domain.MEMORY_WRITE, purpose="parent", wait_seconds=0):
        status = os.waitpid(fork_and_leave_the_block(locks), 0)[1]
        assert os.waitstatus_to_exitcode(status) == 0
        with pytest.raises(BusyError):
            take(tmp_path)
    assert take(tmp_path)


def fork_and_leave_the_block(locks):
    child = os.fork()
    if child:
        return child
    try:
        with locks.hold(Domain.MEMORY_WRITE, purpose="child", wait_seconds=0):
            code = 1
    except BusyError:
        code = 0
    os._exit(code)


class TestHeldBefore:
    """What is kept of a lock between two holds holds nothing."""

    @pytest.fixture
    def locks(self, tmp_path):
        locks = Locks(tmp_path / "locks")
        with locks.hold(Domain.MEMORY_WRITE, purpose="first", wait_seconds=0):
            pass
        return locks

    @staticmethod
    def is_held_alone(locks):
        with locks.hold(Domain.MEMORY_WRITE, purpose="again", wait_seconds=0), pytest.raises(BusyError):
            take(locks.folder)
        return take(locks.folder)

    def test_it_is_free_for_others_and_is_taken_anew(self, locks):
        assert take(locks.folder)
        assert self.is_held_alone(locks)

    def test_it_is_taken_where_its_folder_went_meanwhile(self, locks):
        shutil.rmtree(locks.folder)
        assert self.is_held_alone(locks)

    def test_it_is_the_file_that_others_lock_where_that_was_replaced(self, locks):
        file = locks.folder / "memory-write.lock"
        file.rename(file.with_name("former"))
        file.touch()
        assert self.is_held_alone(locks)

    def test_it_is_busy_for_whoever_waited_in_vain_and_free_later(self, locks):
        with Locks(locks.folder).hold(Domain.MEMORY_WRITE, purpose="other", wait_seconds=0), pytest.raises(BusyError):
            locks.hold(Domain.MEMORY_WRITE, purpose="again", wait_seconds=0).__enter__()
        assert self.is_held_alone(locks)

    def test_a_child_that_is_forked_then_has_a_hold_of_its_own(self, locks):
        assert in_child(lambda: self.is_held_alone(locks)) == 0
        with locks.hold(Domain.MEMORY_WRITE, purpose="parent", wait_seconds=0):
            assert in_child(lambda: self.is_held_alone(locks)) != 0
        assert self.is_held_alone(locks)


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_that_does_not_lock_is_refused_by_name(tmp_path, monkeypatch, number):
    def flock(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(StorageError, match="does not lock") as caught:
        take(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_an_unreadable_owner_file_is_only_a_worse_message(tmp_path, holder):
    (tmp_path / "memory-write.owner").write_bytes(b"\xff{")
    with pytest.raises(BusyError, match="another process holds"):
        take(tmp_path)


def test_lock_files_are_for_their_owner_only(tmp_path):
    folder = tmp_path / "runtime" / "locks"
    take(folder)
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot lock in"):
        take(tmp_path / "file" / "locks")


def test_nobody_owned_a_new_lock(tmp_path):
    assert module.Locks(tmp_path).owner(Domain.SYNC) is None


def test_a_pipe_in_the_place_of_the_owners_file_is_not_waited_for(tmp_path):
    locks = Locks(tmp_path)
    os.mkfifo(tmp_path / "memory-write.owner")
    assert locks.owner(Domain.MEMORY_WRITE) is None
    with locks.hold(Domain.MEMORY_WRITE, purpose="writing", wait_seconds=0):
        assert str(locks.owner(Domain.MEMORY_WRITE)).startswith(f"process {os.getpid()}")


def test_nobody_waits_longer_than_their_patience(tmp_path):
    with Locks(tmp_path).hold(Domain.CONSOLIDATION, purpose="p", wait_seconds=0):
        hurried = Locks(tmp_path, patience_seconds=0)
        with (
            pytest.raises(BusyError, match="waited 0 s"),
            hurried.hold(Domain.CONSOLIDATION, purpose="q", wait_seconds=3600),
        ):
            pass
