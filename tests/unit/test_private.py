"""What is the user's alone is made so from the first moment."""

import os

import pytest

from vademecum.private import make_private_folders, replace_private_file


def mode(path):
    return path.stat().st_mode & 0o777


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.fixture(autouse=True)
def open_umask():
    """Modes come from the code, not from a careful umask."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_every_folder_that_was_missing_is_private(tmp_path):
    tmp_path.chmod(0o755)
    make_private_folders(tmp_path / "a/b/c")
    assert [mode(tmp_path / name) for name in ("a", "a/b", "a/b/c")] == [0o700] * 3
    assert mode(tmp_path) == 0o755


def test_a_folder_that_is_there_keeps_its_mode_and_content(tmp_path):
    folder = tmp_path / "a"
    folder.mkdir(0o755)
    (folder / "kept").write_text("as it was")
    make_private_folders(folder)
    assert (mode(folder), names(folder), (folder / "kept").read_text()) == (0o755, ["kept"], "as it was")


def test_a_file_is_replaced_whole_and_private(tmp_path):
    file = tmp_path / "a.json"
    file.write_text("old")
    replace_private_file(file, b"new")
    assert (file.read_text(), mode(file), names(tmp_path)) == ("new", 0o600, ["a.json"])


def test_a_link_is_replaced_and_not_followed(tmp_path):
    """Somebody else's file that a link points to stays as it is."""
    (tmp_path / "other").write_text("theirs")
    (tmp_path / "a.json").symlink_to("other")
    replace_private_file(tmp_path / "a.json", b"new")
    assert (tmp_path / "other").read_text() == "theirs"
    assert not (tmp_path / "a.json").is_symlink()


def test_a_failure_leaves_the_old_file_and_no_new_one(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(OSError, match="a"):
        replace_private_file(tmp_path / "a", b"new")
    assert names(tmp_path) == ["a"]
