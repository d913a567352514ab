"""Files are read through `State.read` where opening them as usual fails: here the switch to a log is refused."""

import sqlite3

import pytest

from support.killing import in_child
from vademecum.errors import DatabaseBroken, StorageError
from vademecum.state import Database, SessionMode, State
from vademecum.state import database as opening


@pytest.fixture
def unwritable(monkeypatch):
    """A disk on which SQLite cannot make the file that the users of a log share."""

    def refuse(_connection):
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    def disk_fills():
        monkeypatch.setattr(opening, "_use_write_ahead_log", refuse)

    return disk_fills


def test_what_was_kept_is_read_and_nothing_is_changed(tmp_path, unwritable):
    with State.open(tmp_path / "state.db") as state:
        state.modes.stamp("s1", SessionMode.DISABLED)
    unwritable()
    with pytest.raises(StorageError):
        State.open(tmp_path / "state.db")
    with State.read(tmp_path / "state.db") as state:
        assert state.modes.get("s1") is SessionMode.DISABLED
        with pytest.raises(StorageError, match="readonly"):
            state.modes.stamp("s2", SessionMode.DISABLED)


def test_a_log_that_a_killed_writer_left_is_read_with_it(tmp_path, unwritable):
    def dies_before_it_closes():
        State.open(tmp_path / "state.db").modes.stamp("s1", SessionMode.DISABLED)

    in_child(dies_before_it_closes)
    assert (tmp_path / "state.db-wal").stat().st_size
    unwritable()
    with State.read(tmp_path / "state.db") as state:
        assert state.modes.get("s1") is SessionMode.DISABLED


def test_a_log_that_cannot_be_read_is_no_reason_to_show_what_stood_there_before(tmp_path, monkeypatch):
    """What a person switched off last may stand in the log alone."""
    State.open(tmp_path / "state.db").close()
    (tmp_path / "state.db-wal").write_bytes(b"\x00" * 4096)
    real = sqlite3.connect

    def connect(name, *words, **options):
        if "mode=ro" in str(name) and "immutable" not in str(name):
            raise sqlite3.OperationalError("unable to open database file")
        return real(name, *words, **options)

    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(StorageError, match=r"stands in state\.db-wal"):
        Database.copy(tmp_path / "state.db", package="vademecum.state")


def test_a_damaged_file_is_damaged_for_readers_too(tmp_path, unwritable):
    (tmp_path / "state.db").write_bytes(b"garbage " * 1000)
    unwritable()
    with pytest.raises(DatabaseBroken):
        State.read(tmp_path / "state.db", rescues=False)


def test_a_file_that_is_not_there_holds_nothing(tmp_path):
    with Database.copy(tmp_path / "missing.db", package="vademecum.state") as database:
        assert "records" in database.tables()
    assert not list(tmp_path.iterdir())
