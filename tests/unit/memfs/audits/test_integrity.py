"""Whether the repository is sound: what stops writes or lost objects is a problem, what mends itself a note."""

import os
import time

import msgspec
import pytest

from support.memfs import create, git, page, put
from vademecum.findings import Level
from vademecum.memfs import inspect_repository, truncated_objects
from vademecum.memfs.git.lock import git_lock, lock_of
from vademecum.memfs.writing.format import FORMAT_PATH, PRESENT, format_file
from vademecum.memfs.writing.moving import Moves


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


def findings(memory, level=None):
    return [finding for finding in inspect_repository(memory.folder) if level in {None, finding.level}]


def only_problem(memory):
    (finding,) = findings(memory, Level.PROBLEM)
    assert finding.next
    return finding.what


def test_a_sound_repository_is_in_order(memory):
    (finding,) = findings(memory)
    assert (finding.level, finding.area) == (Level.OK, "repository")


def test_nothing_is_changed_by_it(memory):
    def state():
        return {file: file.stat().st_mtime_ns for file in memory.folder.rglob("*")}

    before = state()
    findings(memory)
    assert state() == before


@pytest.mark.parametrize("name", ["index", "HEAD", "refs/heads/main", "packed-refs"])
def test_a_lock_that_git_left_long_ago_is_a_problem(memory, name):
    """core-R35"""
    lock = memory.folder / ".git" / f"{name}.lock"
    lock.touch()
    assert [finding.level for finding in findings(memory)] == [Level.NOTE, Level.OK]
    os.utime(lock, (time.time() - 3600,) * 2)
    assert "60 minutes old and stops every write" in only_problem(memory)


def test_a_lock_that_a_killed_writer_of_ours_left_stops_nobody(memory):
    index = memory.folder / ".git/index"
    with git_lock(index):
        left = lock_of(index).read_bytes()
    lock_of(index).write_bytes(left)
    os.utime(lock_of(index), (0, 0))
    assert findings(memory, Level.PROBLEM) == []
    assert put(memory, a=page())


def test_a_damaged_object_is_a_problem(memory):
    commit = put(memory, a=page())
    blob = memory.tree().blob_id("reference/a.md")
    file = memory.folder / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    file.write_bytes(b"\0" * 40)
    assert commit
    assert f"object {blob[:10]} is missing or damaged" in only_problem(memory)


def test_a_damaged_object_of_an_older_commit_is_a_problem(memory):
    put(memory, a=page())
    blob = memory.tree().blob_id("reference/a.md")
    put(memory, a=page("new\n"))
    file = memory.folder / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    file.write_bytes(b"\0" * 40)
    assert "could not all be proved sound" in only_problem(memory)


def test_a_pipe_in_the_place_of_an_object_is_named_and_not_waited_for(memory):
    put(memory, a=page())
    blob = memory.tree().blob_id("reference/a.md")
    file = memory.folder / ".git/objects" / blob[:2] / blob[2:]
    file.unlink()
    os.mkfifo(file)
    (found,) = truncated_objects(memory.folder)
    assert f"object {blob} is no regular file" in found.what
    assert str(file) in found.next


def test_what_mends_damage_is_told(memory):
    put(memory, a=page())
    head = memory.head()
    (memory.folder / ".git/objects" / head[:2] / head[2:]).unlink()
    (finding,) = findings(memory, Level.PROBLEM)
    assert "clone or backup" in finding.next


def test_files_without_their_history_are_a_problem(memory):
    (memory.folder / ".git").rename(memory.folder.parent / "gone")
    (finding,) = findings(memory, Level.PROBLEM)
    assert "history is gone" in finding.what
    assert "vade init" in finding.next


def test_a_reference_to_nothing_is_a_problem(memory):
    (memory.folder / ".git/refs/vademecum").mkdir(parents=True)
    (memory.folder / ".git/refs/vademecum/baseline").write_text("1" * 40 + "\n")
    whats = [finding.what for finding in findings(memory, Level.PROBLEM)]
    assert "the reference refs/vademecum/baseline names no commit that is there" in whats


def test_another_branch_or_an_unfinished_merge_stops_writes(memory):
    """core-R80"""
    git(memory.folder, "switch", "-qc", "side")
    assert "nothing can be written" in only_problem(memory)
    git(memory.folder, "switch", "-q", "main")
    (memory.folder / ".git/MERGE_HEAD").write_text(f"{memory.head()}\n")
    assert "unfinished" in only_problem(memory)


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda root: (root / ".git/refs/heads/main").unlink(), "no commit on main"),
        (lambda root: (root / ".git").rename(root / "moved"), "history is gone"),
        (lambda root: (root / ".git/commondir").write_text("/elsewhere"), "elsewhere"),
        (lambda root: (root / ".git/HEAD").write_text("nonsense"), "git failed"),
    ],
    ids=["no main", "no .git", "a layout that leads elsewhere", "a broken HEAD"],
)
def test_what_cannot_be_opened_is_one_problem(memory, harm, words):
    """core-R37"""
    harm(memory.folder)
    assert words in only_problem(memory)


def test_an_older_format_is_a_note_and_a_newer_one_a_problem(memory):
    """core-W45"""
    for content, expected in ((format_file(PRESENT + 1), Level.PROBLEM), (b"x\n", Level.PROBLEM), (None, Level.NOTE)):
        if content is None:
            git(memory.folder, "rm", "-qf", FORMAT_PATH)
        else:
            (memory.folder / FORMAT_PATH).write_bytes(content)
            git(memory.folder, "add", FORMAT_PATH)
        git(memory.folder, "commit", "-qm", "x")
        assert findings(memory)[0].level is expected
        assert "format" in findings(memory)[0].what


def test_without_git_the_rest_is_examined(memory, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git is not installed" in only_problem(memory)


class TestHooks:
    def test_a_persons_own_hook_is_advised_about(self, memory):
        """core-R42"""
        (memory.folder / ".git/hooks/pre-commit").write_text("#!/bin/sh\n")
        (finding,) = findings(memory, Level.NOTE)
        assert finding.what == "pre-commit is your own, and ours does not run"
        assert '"$(dirname "$0")/pre-commit.vademecum" || exit 1' in finding.next

    @pytest.mark.parametrize("place", [".gitconfig", "xdg-config/git/config", None])
    def test_hooks_that_git_looks_for_elsewhere_are_told(self, memory, closed_home, place):
        """core-W13"""
        config = closed_home / place if place else memory.folder / ".git/config"
        config.parent.mkdir(parents=True, exist_ok=True)
        with config.open("a") as file:
            file.write("[core]\n\thooksPath = /somewhere/hooks\n")
        (finding,) = findings(memory, Level.NOTE)
        assert "/somewhere/hooks (core.hooksPath)" in finding.what


def test_a_scrub_that_was_begun_and_not_finished_is_told_with_what_to_do(memory):
    moves = Moves(old=memory.head(), new=memory.head(), others={}, purges=True, removed=("1" * 40,), moved=True)
    (memory.folder / ".git/vademecum-moves.json").write_bytes(msgspec.json.encode(moves))
    (finding,) = findings(memory, Level.WARNING)
    assert "begun and not finished" in finding.what
    assert "--scrub` again" in finding.next
