"""A file of the work tree is read again only where it may have changed; no edit is overlooked for it."""

import os
import time

import pytest

from support.memfs import create, git, page, put
from vademecum.memfs.disk import walking
from vademecum.memfs.writing import glances

A = "reference/a.md"
LATER_NS = 60 * 10**9


@pytest.fixture
def memory(tmp_path, monkeypatch):
    """A memory whose files have been quiet for a minute, and were looked at."""
    memory = create(tmp_path, cache=tmp_path / "cache")
    put(memory, a=page("aaaa\n"), b=page("bbbb\n"))
    monkeypatch.setattr(glances.time, "time_ns", lambda now=time.time_ns: now() + LATER_NS)
    assert memory.hand_edits().edits == {}
    return memory


@pytest.fixture
def read(monkeypatch):
    """The names of the memory files that were read."""
    names = []
    look = walking.read_regular

    def read_regular(name, *arguments, **options):
        if name.endswith(".md"):
            names.append(name)
        return look(name, *arguments, **options)

    monkeypatch.setattr(walking, "read_regular", read_regular)
    return names


def rewrite(path, text):
    """Change a file without a change of its size, and set the time of its last change back."""
    before = path.stat()
    assert len(text) == before.st_size
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_what_was_not_touched_since_is_not_read_again(memory, read):
    assert memory.hand_edits().edits == {}
    assert memory.adopt().commit is None
    assert read == []


def test_only_what_was_touched_is_read(memory, read):
    os.utime(memory.folder / A)
    assert memory.hand_edits().edits == {}
    assert read == ["a.md"]


def test_an_edit_that_keeps_size_and_time_is_found(memory):
    """The time of the last change of status cannot be set back."""
    rewrite(memory.folder / A, page("AAAA\n"))
    assert memory.hand_edits().edits == {A: page("AAAA\n").encode()}
    assert memory.adopt().commit.paths == (A,)


def test_a_file_that_was_moved_there_is_found(memory):
    """Editors write a new file and rename it: another inode."""
    other = memory.folder / "reference/other.md"
    other.write_text(page("AAAA\n"))
    before = (memory.folder / A).stat()
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(memory.folder / A)
    assert list(memory.hand_edits().edits) == [A]


def test_two_files_that_change_places_are_found(memory):
    folder = memory.folder / "reference"
    (folder / "a.md").rename(folder / "c.md")
    (folder / "b.md").rename(folder / "a.md")
    (folder / "c.md").rename(folder / "b.md")
    assert list(memory.hand_edits().edits) == [A, "reference/b.md"]


def test_a_file_that_goes_is_missed(memory):
    (memory.folder / A).unlink()
    assert memory.hand_edits().edits == {A: None}


def test_an_edit_of_a_moment_ago_is_read_although_its_status_is_the_same(memory, monkeypatch):
    """Times have grains: what changed within the one in which it was read must not be taken for known."""
    monkeypatch.undo()
    rewrite(memory.folder / A, page("aaaa\n"))
    assert memory.hand_edits().edits == {}
    status = (memory.folder / A).stat()
    fresh = glances.Glances(memory.folder.parent / "cache")
    assert not fresh.knows(memory.tree().blobs()[A], status)
    assert fresh.knows(memory.tree().blobs()["reference/b.md"], (memory.folder / "reference/b.md").stat())


def test_a_commit_without_the_work_tree_makes_the_file_an_edit(memory):
    """Known is what a file holds, not that it is right: another revision is compared with that."""
    put(memory, a=page("cccc\n"))
    git(memory.folder, "reset", "--soft", "HEAD~1")
    assert memory.hand_edits().edits == {A: page("cccc\n").encode()}


def test_an_odd_mode_is_found_in_a_known_file(memory):
    (memory.folder / A).chmod(0o700)
    assert "executable" in memory.hand_edits().refused[A]


def test_a_file_that_was_away_is_read_when_it_is_back_and_only_that_one(memory, read):
    page_a, kept = memory.folder / A, (memory.folder / A).read_bytes()
    page_a.unlink()
    assert memory.hand_edits().edits == {A: None}
    page_a.write_bytes(kept)
    read.clear()
    assert memory.hand_edits().edits == {}
    assert read == ["a.md"]


@pytest.mark.parametrize("data", [b"", b"garbage", b"vademecum unchanged 1\nshort"])
def test_a_damaged_list_means_that_all_is_read(memory, data, read):
    rewrite(memory.folder / A, page("AAAA\n"))
    (memory.folder.parent / "cache/unchanged").write_bytes(data)
    assert list(memory.hand_edits().edits) == [A]
    assert "b.md" in read


def test_a_list_that_cannot_be_kept_costs_time_only(memory, tmp_path):
    file = tmp_path / "no-folder"
    file.write_text("")
    closed = type(memory).open(memory.folder, locks=memory._locks, cache=file)
    rewrite(memory.folder / A, page("AAAA\n"))
    assert list(closed.hand_edits().edits) == [A]


def test_the_list_names_no_file(memory):
    """What is forgotten need not be taken out of it."""
    data = (memory.folder.parent / "cache/unchanged").read_bytes()
    assert b"a.md" not in data
    assert b"reference" not in data
