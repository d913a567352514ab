import os

import pytest

from vademecum.errors import BusyError
from vademecum.memfs.git.lock import drop_own_lock, git_lock


@pytest.fixture
def lock(tmp_path):
    return tmp_path / "index.lock"


def test_it_stands_for_the_length_of_the_block(tmp_path, lock):
    with git_lock(tmp_path / "index"):
        assert lock.exists()
    assert not lock.exists()
    with pytest.raises(ZeroDivisionError), git_lock(tmp_path / "index"):
        _ = 1 // 0
    assert not lock.exists()


@pytest.mark.parametrize("content", ["", "DIRC", "0123\n"])
def test_one_of_gits_own_is_busy_and_stays(tmp_path, lock, content):
    lock.write_text(content)
    with pytest.raises(BusyError, match=r"index\.lock exists"), git_lock(tmp_path / "index"):
        pass
    assert lock.read_text() == content


def test_one_of_ours_that_a_dead_writer_left_is_taken_over(tmp_path, lock):
    with git_lock(tmp_path / "index"):
        left = lock.read_bytes()
    lock.write_bytes(left)
    with git_lock(tmp_path / "index"):
        pass
    assert not lock.exists()


def test_a_half_written_one_is_dropped_on_demand_and_gits_own_is_not(tmp_path, lock):
    with git_lock(tmp_path / "index"):
        left = lock.read_bytes()
    for content, stays in ((left[:5], False), (b"", False), (b"DIRC\0\0", True)):
        lock.write_bytes(content)
        drop_own_lock(tmp_path / "index")
        assert lock.exists() == stays
    lock.unlink()
    drop_own_lock(tmp_path / "index")


def test_a_person_who_deletes_it_meanwhile_breaks_nothing(tmp_path, lock):
    with git_lock(tmp_path / "index"):
        lock.unlink()
    assert not lock.exists()


def test_a_pipe_in_its_place_is_anothers_and_is_not_waited_for(tmp_path, lock):
    os.mkfifo(lock)
    drop_own_lock(tmp_path / "index")
    with pytest.raises(BusyError), git_lock(tmp_path / "index"):
        pass
    assert lock.is_fifo()
