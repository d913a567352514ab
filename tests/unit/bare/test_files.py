import hashlib
import json
import math
import os
import unicodedata
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.bare.files import append_line, decoded, digest, encoded, read_file, read_own_file, replace_file

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


class TestJson:
    @given(st.dictionaries(st.text(), VALUES, max_size=4), st.sampled_from([None, 2]))
    def test_an_object_is_read_as_the_standard_library_reads_it(self, value, indent):
        text = json.dumps(value, indent=indent)
        assert decoded(f" {text}\n".encode()) == json.loads(text)

    @given(st.dictionaries(st.text(), st.text() | st.integers() | st.booleans(), max_size=4))
    def test_what_is_written_is_ascii_and_reads_the_same(self, value):
        data = encoded(value)
        assert data.isascii()
        assert json.loads(data) == value

    def test_a_path_that_is_not_unicode_survives(self):
        name = os.fsdecode(b"/srv/\xff")
        assert decoded(encoded({"cwd": name})) == {"cwd": name}

    @pytest.mark.parametrize(
        "data",
        [b"", b"{", b"[]", b"3", b"null", b"{}{}", b'{"a": 1} x', b'{"a": nan}', b"\xff\xfe", b'{"a":' * 100_000],
        ids=range(10),
    )
    def test_anything_but_one_object_is_a_value_error(self, data):
        with pytest.raises(ValueError):  # noqa: PT011  it says nothing: it may hold what was typed
            decoded(data)

    def test_what_the_standard_library_takes_beyond_json_is_taken_as_well(self):
        assert math.isinf(decoded(b'{"a": Infinity}')["a"])


class TestDigest:
    @given(st.text())
    def test_it_is_sha_256_of_the_text_in_its_one_spelling(self, text):
        spelled = unicodedata.normalize("NFC", text)
        assert digest(text) == hashlib.sha256(spelled.encode("utf-8", "surrogatepass")).hexdigest()


class TestReading:
    def test_a_pipe_or_a_folder_is_refused_and_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for name in ("pipe", "."):
            with pytest.raises((ValueError, OSError)):
                read_file(str(tmp_path / name))

    def test_no_more_is_read_than_was_asked_for(self, tmp_path):
        (tmp_path / "long").write_bytes(b"x" * 10_000)
        assert read_file(str(tmp_path / "long"), 100) == b"x" * 100


class TestReadingWhatIsOurs:
    PLACES = ("identity", "identity/cache", "identity/cache/file")

    def read(self, folder):
        return read_own_file(str(folder / "identity/cache/file"), folders=2)

    @pytest.fixture
    def home(self, tmp_path):
        """Behind a link, as a person may keep it."""
        (tmp_path / "disk/identity/cache").mkdir(parents=True)
        (tmp_path / "disk/identity/cache/file").write_bytes(b"ours")
        (tmp_path / "home").symlink_to(tmp_path / "disk")
        return tmp_path / "home"

    def test_it_is_read_wherever_the_home_lies(self, home):
        assert self.read(home) == b"ours"

    @pytest.mark.parametrize("place", PLACES)
    def test_a_link_in_the_place_of_the_file_or_of_a_folder_above_it_is_not_followed(self, home, tmp_path, place):
        """codex-A15"""
        (home / place).rename(tmp_path / "moved")
        (home / place).symlink_to(tmp_path / "moved")
        with pytest.raises(OSError, match=place.rpartition("/")[2]):
            self.read(home)

    @pytest.mark.parametrize("place", PLACES)
    def test_a_link_that_is_put_there_in_the_middle_of_the_reading_is_not_followed(
        self, home, tmp_path, place, monkeypatch
    ):
        """codex-A15: whatever is swapped before any of the openings, only what was ours is read."""
        (tmp_path / "theirs/cache").mkdir(parents=True)
        (tmp_path / "theirs/cache/file").write_bytes(b"theirs")
        decoy = tmp_path / "theirs" / place.removeprefix("identity").removeprefix("/")
        open_ = os.open
        for swapped_at in range(1 + len(self.PLACES)):
            numbers = count()

            def racing(*arguments, at=swapped_at, numbers=numbers, **options):
                if next(numbers) == at:
                    (home / place).rename(tmp_path / "moved")
                    (home / place).symlink_to(decoy)
                return open_(*arguments, **options)

            with monkeypatch.context() as swapping, suppress(OSError):
                swapping.setattr(os, "open", racing)
                assert self.read(home) == b"ours"
            assert next(numbers) > swapped_at
            (home / place).unlink()
            (tmp_path / "moved").rename(home / place)

    def test_nothing_stays_open(self, home):
        before = len([*Path("/proc/self/fd").iterdir()])
        self.read(home)
        (home / "identity/cache/file").unlink()
        with pytest.raises(FileNotFoundError):
            self.read(home)
        assert len([*Path("/proc/self/fd").iterdir()]) == before


class TestWriting:
    WRITES = (
        lambda path, folders: replace_file(path, b"x", folders=folders),
        lambda path, folders: append_line(path, b"x", 9, folders=folders),
    )

    @pytest.mark.parametrize("linked", ["runtime", "runtime/pins"])
    @pytest.mark.parametrize("write", WRITES)
    def test_nothing_is_written_where_a_link_stands_in_the_place_of_one_of_our_folders(self, tmp_path, linked, write):
        elsewhere = tmp_path / "elsewhere"
        (elsewhere / "pins").mkdir(parents=True)
        link = tmp_path / linked
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(elsewhere)
        with pytest.raises(OSError, match="runtime"):
            write(str(tmp_path / "runtime" / "pins" / "one.json"), 2)
        assert [path.name for path in elsewhere.rglob("*")] == ["pins"]

    @pytest.mark.parametrize("write", WRITES)
    def test_a_home_behind_a_link_is_written_into(self, tmp_path, write):
        """Only the folders below it are ours: where a person keeps the home is theirs to say."""
        (tmp_path / "disk").mkdir()
        (tmp_path / "home").symlink_to(tmp_path / "disk")
        write(str(tmp_path / "home/runtime/file"), 1)
        assert (tmp_path / "disk/runtime/file").read_bytes() == b"x"

    def test_a_file_that_has_a_second_name_is_left_to_it(self, tmp_path):
        """codex-A15: the other name may be one of a file of somebody else, or a copy that a person keeps."""
        (tmp_path / "theirs").write_bytes(b"theirs")
        (tmp_path / "file").hardlink_to(tmp_path / "theirs")
        for line in (b"one\n", b"two\n"):
            append_line(str(tmp_path / "file"), line, 100, folders=0)
        assert (tmp_path / "theirs").read_bytes() == b"theirs"
        assert (tmp_path / "file").read_bytes() == b"one\ntwo\n"

    def test_folders_and_files_are_the_users_alone(self, tmp_path):
        replace_file(str(tmp_path / "a/b/file"), b"text", folders=0)
        append_line(str(tmp_path / "c/d/file"), b"line\n", 100, folders=0)
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
        assert modes == {"a": 0o700, "b": 0o700, "c": 0o700, "d": 0o700, "file": 0o600}

    def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(self, tmp_path):
        for text in (b"first", b"second"):
            replace_file(str(tmp_path / "file"), text, folders=0)
        assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"second")]

    def test_what_cannot_be_put_in_place_leaves_nothing_behind(self, tmp_path):
        (tmp_path / "taken/by").mkdir(parents=True)
        with pytest.raises(OSError, match="taken"):
            replace_file(str(tmp_path / "taken"), b"text", folders=0)
        assert [path.name for path in tmp_path.iterdir()] == ["taken"]

    def test_lines_are_added_until_the_bound_and_then_begin_anew(self, tmp_path):
        file = tmp_path / "lines"
        for _ in range(3):
            append_line(str(file), b"x" * 9 + b"\n", 30, folders=0)
        assert file.stat().st_size == 30
        append_line(str(file), b"new\n", 30, folders=0)
        assert file.read_bytes() == b"new\n"

    def test_a_link_in_the_place_of_a_log_is_not_followed(self, tmp_path):
        (tmp_path / "victim").write_text("mine")
        (tmp_path / "log").symlink_to(tmp_path / "victim")
        with pytest.raises(OSError, match="log"):
            append_line(str(tmp_path / "log"), b"line\n", 100, folders=0)
        assert (tmp_path / "victim").read_text() == "mine"
