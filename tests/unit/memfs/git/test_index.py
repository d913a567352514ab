"""git's index is only read where libgit2 can read it, and only where somebody else has written it since."""

import hashlib

import pytest

from support.memfs import create, git, page, put
from vademecum.errors import DirtyPath
from vademecum.memfs.git.index import staged_blobs


@pytest.mark.parametrize("version", [0, 1, 5, 9, 2**32 - 1])
def test_one_of_an_unknown_version_counts_as_damaged_and_nothing_is_printed(tmp_path, capfd, version):
    memory = create(tmp_path)
    file = memory.folder / ".git/index"
    body = b"DIRC" + version.to_bytes(4) + file.read_bytes()[8:-20]
    file.write_bytes(body + hashlib.sha1(body).digest())
    assert staged_blobs(file) == {}
    assert put(memory, a=page()) is not None
    assert git(memory.folder, "status", "--porcelain") == ""
    assert capfd.readouterr() == ("", "")


def test_what_a_person_stages_between_two_writes_of_one_process_stays_staged(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("one"))
    (memory.folder / "log").mkdir(exist_ok=True)
    (memory.folder / "log/mine.md").write_text("mine\n")
    git(memory.folder, "add", "log/mine.md")
    put(memory, a=page("two"))
    assert git(memory.folder, "status", "--porcelain").split() == ["A", "log/mine.md"]


def test_a_write_that_was_refused_leaves_nothing_for_the_next_one(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("one"), b=page("one"))
    (memory.folder / "reference/b.md").write_text(page("by hand"))
    with pytest.raises(DirtyPath):
        put(memory, a=page("two"), b=page("two"))
    put(memory, a=page("three"))
    assert git(memory.folder, "status", "--porcelain").split() == ["M", "reference/b.md"]


def test_an_index_that_was_cut_short_between_two_writes_is_made_anew(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("one"))
    file = memory.folder / ".git/index"
    file.write_bytes(file.read_bytes()[:-30])
    put(memory, a=page("two"))
    assert git(memory.folder, "status", "--porcelain") == ""


@pytest.mark.parametrize("by", [("config", "core.splitIndex", "true"), ("update-index", "--split-index")])
def test_one_that_git_keeps_in_two_files_is_read_with_all_that_is_staged_and_nothing_is_printed(tmp_path, capfd, by):
    memory = create(tmp_path)
    put(memory, a=page("one"))
    git(memory.folder, *by)
    (memory.folder / "log").mkdir(exist_ok=True)
    (memory.folder / "log/mine.md").write_text("mine\n")
    git(memory.folder, "add", "log/mine.md")
    assert "link" in (memory.folder / ".git/index").read_bytes().decode("latin-1")
    assert put(memory, a=page("two")) is not None
    assert "log/mine.md" in staged_blobs(memory.folder / ".git/index")
    assert git(memory.folder, "status", "--porcelain").split() == ["A", "log/mine.md"]
    assert put(memory, a=page("three")) is not None
    assert capfd.readouterr() == ("", "")


def test_a_split_one_whose_second_file_is_gone_is_made_anew_and_nothing_is_printed(tmp_path, capfd):
    memory = create(tmp_path)
    put(memory, a=page("one"))
    git(memory.folder, "update-index", "--split-index")
    for shared in (memory.folder / ".git").glob("sharedindex.*"):
        shared.unlink()
    assert staged_blobs(memory.folder / ".git/index") == {}
    assert put(memory, a=page("two")) is not None
    assert git(memory.folder, "status", "--porcelain") == ""
    assert capfd.readouterr() == ("", "")


def test_what_is_staged_is_read_from_a_split_one_as_well(tmp_path):
    memory = create(tmp_path)
    before = staged_blobs(memory.folder / ".git/index")
    git(memory.folder, "update-index", "--split-index")
    assert staged_blobs(memory.folder / ".git/index") == before != {}
