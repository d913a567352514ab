"""A damaged state database is put aside, and one is made from what can still be read of it."""

import sqlite3

import pytest

from vademecum.errors import DatabaseBroken
from vademecum.state import CitedKind, SessionMode, State, broken_folder, past_rescues
from vademecum.state.rescue import is_cut_short

GARBAGE = b"not a database" * 500


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.db"


@pytest.fixture
def filled(path, compose):
    with State.open(path) as state:
        for number in range(300):
            state.modes.set(f"s{number:03}", SessionMode.DISABLED)
        with state.transaction():
            for number in range(300):
                state.records.upsert(compose(f"s{number:03}", raw_memory="x" * 3000))
        state.jobs.claim(
            "extraction",
            "learned",
            watermark=state.records.heads()[0].updated_at,
            worker="w",
            token="t",
            lease_seconds=9,
        )
    return path


def modes(path):
    with State.open(path) as state:
        return len(state.modes.sessions(SessionMode.DISABLED))


def test_garbage_is_put_aside_to_the_byte_and_a_new_database_stands_in_its_place(path):
    path.write_bytes(GARBAGE)
    with State.open(path) as state:
        assert state.rescued
        assert state.rescued.kept == {}
        state.check()
        folder = state.rescued.folder
    (aside,) = broken_folder(path).glob("*/state.db")
    assert str(aside.parent) == folder
    assert aside.read_bytes() == GARBAGE
    assert sorted(file.name for file in aside.parent.iterdir()) == ["report.json", "state.db"]


def test_a_sound_database_is_opened_as_it_is(filled):
    with State.open(filled) as state:
        assert state.rescued is None
        assert not state.is_new
    assert not broken_folder(filled).exists()


def test_damage_in_its_middle_fails_one_command_and_not_the_next(filled):
    size = filled.stat().st_size
    with filled.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 8))
    with pytest.raises(DatabaseBroken) as caught, State.open(filled) as state:
        state.records.all()
    assert "same again" in caught.value.next_step
    assert modes(filled) == 300
    with State.open(filled) as state:
        state.check()
        assert state.records.counts()
    (told,) = past_rescues(filled)
    assert "records" in told.torn


def test_whoever_lost_their_record_is_to_be_learned_again(filled):
    test_damage_in_its_middle_fails_one_command_and_not_the_next(filled)
    with State.open(filled) as state:
        assert [job.key for job in state.jobs.all("extraction")] == []


def test_a_table_that_is_missing_is_made_again_and_the_others_stay(filled):
    with sqlite3.connect(filled) as connection:
        connection.execute("DROP TABLE usage")
    connection.close()
    with pytest.raises(DatabaseBroken), State.open(filled) as state:
        state.usage.totals(CitedKind.SESSION)
    assert modes(filled) == 300


def test_what_is_no_database_is_not_taken_for_a_cut_one(path):
    path.write_bytes(b"x" * 5000)
    assert not is_cut_short(path)
    with State.open(path) as state:
        assert state.rescued.reason == "file is not a database"


@pytest.mark.parametrize("length", [1, 99, 100, 4096, 8192])
def test_a_file_that_was_cut_short_is_known_before_it_is_read(filled, length):
    assert not is_cut_short(filled)
    filled.write_bytes(filled.read_bytes()[:length])
    assert is_cut_short(filled)
    with State.open(filled) as state:
        assert state.rescued.reason == "it was cut short"


def test_a_file_that_others_still_write_is_not_taken_for_a_cut_one(path):
    with State.open(path) as first:
        first.modes.set("s1", SessionMode.DISABLED)
        assert not is_cut_short(path)
        with State.open(path) as second:
            assert second.rescued is None


def test_what_is_no_damage_is_left_alone(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(DatabaseBroken, match="a database of another program"):
        State.open(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("theirs",)]
    connection.close()
    assert not broken_folder(path).exists()


def test_rescues_are_told_oldest_first_as_long_as_the_old_file_lies_there(path):
    for _ in range(2):
        path.write_bytes(GARBAGE)
        State.open(path).close()
    first, second = past_rescues(path)
    assert first.at <= second.at
    assert first.folder != second.folder
    for file in broken_folder(path).glob("*/report.json"):
        file.write_text("{")
    assert past_rescues(path) == []
