import fcntl
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from support.killing import in_child
from vademecum.errors import BusyError, DatabaseBroken, StorageError, UnsafePath
from vademecum.state import Database, Record, RetiredReason, State


def test_the_file_belongs_to_its_user_alone(tmp_path: Path):
    with State.open(tmp_path / "state.db") as state:
        state.records.counts()
        modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}


def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path):
    (tmp_path / "state.db").touch(0o644)
    State.open(tmp_path / "state.db").close()
    assert stat.S_IMODE((tmp_path / "state.db").stat().st_mode) == 0o600


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_the_file_is_never_opened_through_a_link(tmp_path: Path, link):
    (tmp_path / "elsewhere").touch()
    link(tmp_path / "elsewhere", tmp_path / "state.db")
    with pytest.raises(UnsafePath):
        State.open(tmp_path / "state.db")
    assert (tmp_path / "elsewhere").read_bytes() == b""


def test_a_link_to_nowhere_creates_nothing(tmp_path: Path):
    (tmp_path / "state.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePath):
        State.open(tmp_path / "state.db")
    assert not (tmp_path / "elsewhere").exists()


def test_a_pipe_in_the_place_of_the_file_does_not_hang(tmp_path: Path):
    os.mkfifo(tmp_path / "state.db")
    with pytest.raises(UnsafePath):
        State.open(tmp_path / "state.db")


def test_a_missing_folder_is_a_storage_error(tmp_path: Path):
    with pytest.raises(StorageError):
        State.open(tmp_path / "missing" / "state.db")


def test_a_file_that_is_no_database_is_told_apart_and_left_alone_where_nothing_may_change(tmp_path: Path):
    (tmp_path / "state.db").write_bytes(b"garbage " * 1000)
    with pytest.raises(DatabaseBroken) as caught:
        State.open(tmp_path / "state.db", rescues=False)
    assert caught.value.intact
    assert caught.value.next_step
    assert (tmp_path / "state.db").read_bytes() == b"garbage " * 1000


def test_a_database_of_another_program_is_left_alone(tmp_path: Path):
    with sqlite3.connect(tmp_path / "state.db") as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(DatabaseBroken, match="a database of another program"):
        State.open(tmp_path / "state.db")


def test_damage_inside_the_file_is_found_when_it_is_asked_for(tmp_path: Path, compose):
    path = tmp_path / "state.db"
    with State.open(path) as state:
        with state.transaction():
            for number in range(200):
                state.records.upsert(compose(f"s{number}", raw_memory="x" * 3000))
        state.check()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 4))
    with State.open(path) as state, pytest.raises(DatabaseBroken):
        state.check()


def test_a_truncated_file_is_reported_as_broken_when_it_is_read(tmp_path: Path, compose):
    path = tmp_path / "state.db"
    with State.open(path) as state, state.transaction():
        for number in range(200):
            state.records.upsert(compose(f"s{number}", raw_memory="x" * 3000))
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(DatabaseBroken), State.open(path, rescues=False) as state:
        state.records.all()


def test_garbage_in_the_write_ahead_log_loses_nothing_that_was_checkpointed(tmp_path: Path, compose):
    """user-U04: a malformed log is passed over, and opening does not wait for it."""
    path = tmp_path / "state.db"
    with State.open(path) as state:
        state.records.upsert(compose())
    (tmp_path / "state.db-wal").write_bytes(b"\x00garbage" * 5000)
    with State.open(path) as state:
        assert state.records.get("s1")


def test_a_transaction_that_fails_leaves_nothing(state: State, compose):

    def write_and_crash() -> None:
        with state.transaction():
            state.records.upsert(compose("a"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_crash()
    assert state.records.all() == []


def test_transactions_inside_a_transaction_join_it(state: State, compose):

    def write_and_crash() -> None:
        with state.transaction():
            with state.transaction():
                state.records.upsert(compose("a"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_crash()
    assert state.records.all() == []


def test_readers_do_not_wait_for_a_writer(tmp_path: Path, compose):
    """user-U06: a reader beside an open write transaction sees the state before it, at once."""
    with State.open(tmp_path / "state.db") as writer, State.open(tmp_path / "state.db") as reader:
        with writer.transaction():
            writer.records.upsert(compose())
            assert reader.records.all() == []
        assert len(reader.records.all()) == 1


def test_a_writer_waits_for_another_writer(tmp_path: Path, compose):
    """user-U05: a write that meets a lock waits and is not dropped."""
    path = tmp_path / "state.db"
    State.open(path).close()
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.05, other.execute, ["ROLLBACK"])
    release.start()
    with State.open(path) as state:
        assert state.records.upsert(compose())
    release.join()
    other.close()


def test_a_lock_that_is_not_given_back_is_busy(state: State, tmp_path: Path, compose):
    other = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    state._database.run("PRAGMA busy_timeout = 1")
    with pytest.raises(BusyError) as caught:
        state.records.upsert(compose())
    assert caught.value.retriable
    other.close()


def test_a_full_disk_is_a_storage_error_and_keeps_what_was_there(state: State, compose):
    state.records.upsert(compose("a"))
    pages = state._database.one("PRAGMA page_count")[0]
    state._database.one(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError):
        state.records.upsert(compose("b", raw_memory="x" * 100_000))
    assert [record.session_id for record in state.records.all()] == ["a"]


def test_text_of_a_forgotten_session_is_gone_from_the_disk(tmp_path: Path, compose):
    words = "the-words-to-forget"
    with State.open(tmp_path / "state.db") as state:
        state.records.upsert(compose(raw_memory=words, rollout_summary=words * 500))
        state.records.retire("s1", RetiredReason.FORGOTTEN)
        record = state.records.get("s1")
        assert isinstance(record, Record)
        state.truncate_log()
        assert not any(words.encode() in entry.read_bytes() for entry in tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_many_processes_may_create_the_file_at_the_same_moment(tmp_path: Path):
    code = (
        "import sys, pathlib; from vademecum.state import State\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "State.open(pathlib.Path(sys.argv[1])).close()"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, str(tmp_path / "state.db")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = [subprocess.Popen(command, env=environment, **pipes) for _ in range(6)]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        child.communicate()
    assert [child.returncode for child in children] == [0] * 6


def test_a_second_connection_takes_no_lock_from_the_first(tmp_path):
    """The system drops all locks of a process on a file when the process closes any descriptor of it."""
    path = tmp_path / "state.db"
    with Database.open(path, package="vademecum.state") as first:
        first.all("SELECT count(*) FROM runs")
        Database.open(path, package="vademecum.state").close()
        assert in_child(lambda: lock_whole(path)) != 0


def lock_whole(path):
    """As a process does that takes itself for the last one, before it folds the log into the file and removes it."""
    with path.open("r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
