"""Loose objects are packed now and then; nothing is lost by it, and no write fails for it."""

import signal
from itertools import count

import pytest

from support.killing import in_child, kill_at
from support.memfs import TOOL, create, git, page, put
from vademecum.errors import GitFailed
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.memfs.git import maintenance
from vademecum.memfs.git.maintenance import count_loose, pack_when_due


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    pages = {f"reference/{number}.md": page(f"{number}\n") for number in range(60)}
    memory.commit(pages, subject="many", provenance=TOOL)
    return memory


@pytest.fixture
def due(monkeypatch):
    monkeypatch.setattr(maintenance, "DUE_OBJECTS", 10)
    monkeypatch.setattr(maintenance, "_SAMPLE", maintenance._FOLDERS)


def objects(memory):
    lines = git(memory.folder, "cat-file", "--batch-all-objects", "--batch-check").splitlines()
    return set(lines)


def packs(memory):
    return list((memory.folder / ".git/objects/pack").glob("*.pack"))


def test_few_loose_objects_are_left_alone(memory):
    loose = count_loose(memory.folder)
    assert loose > 60
    assert not pack_when_due(memory.folder)
    assert count_loose(memory.folder) == loose


def test_what_comes_after_a_count_counts(memory, due, monkeypatch):
    monkeypatch.setattr(maintenance, "DUE_OBJECTS", count_loose(memory.folder) + 1)
    assert not pack_when_due(memory.folder)
    for number in range(3):
        git(memory.folder, "commit", "-q", "--allow-empty", "-m", f"{number}")
    assert pack_when_due(memory.folder)
    assert count_loose(memory.folder) == 0


def test_a_write_packs_what_has_come_together_and_loses_nothing(memory, due, monkeypatch):
    """core-5.16: what no reference leads to is kept as well."""
    monkeypatch.setattr(maintenance, "DUE_OBJECTS", 50)
    (memory.folder / "loose.txt").write_text("nobody refers to this\n")
    orphan = git(memory.folder, "hash-object", "-w", "loose.txt").strip()
    before, texts = objects(memory), {path: memory.tree().read(path) for path in memory.tree().paths()}
    commit = put(memory, new=page("new\n"))
    assert count_loose(memory.folder) == 0
    assert len(packs(memory)) == 1
    assert before < objects(memory)
    assert git(memory.folder, "cat-file", "-p", orphan) == "nobody refers to this\n"
    assert {path: memory.tree(f"{commit.id}~1").read(path) for path in texts} == texts
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
    assert git(memory.folder, "status", "--porcelain") == "?? loose.txt\n"


def test_a_reader_that_was_open_before_goes_on(tmp_path, memory, due):
    reader = Repository.open(memory.folder, locks=Locks(tmp_path / "locks"))
    tree = reader.tree()
    put(memory, new=page("new\n"))
    assert tree.read("reference/7.md") == page("7\n")
    assert reader.tree().read("reference/new.md") == page("new\n")


def test_packs_are_the_owners_alone(memory, due):
    put(memory, new=page("new\n"))
    files = list((memory.folder / ".git/objects/pack").iterdir())
    assert {file.stat().st_mode & 0o077 for file in files} == {0}


def test_git_is_kept_from_collecting_garbage_unless_the_person_decided(memory, due):
    put(memory, new=page("new\n"))
    assert git(memory.folder, "config", "--local", "gc.auto") == "0\n"
    git(memory.folder, "config", "gc.auto", "700")
    memory.commit({f"log/{n}.md": f"{n}\n" for n in range(20)}, subject="more", provenance=TOOL)
    assert git(memory.folder, "config", "--local", "gc.auto") == "700\n"


def test_a_flood_is_packed_in_portions(memory, due):
    for number in range(2):
        put(memory, **{f"n{number}": page(f"n{number}\n")})
        assert count_loose(memory.folder) > 10
    assert len(packs(memory)) == 2


@pytest.mark.parametrize("failure", [GitFailed("no"), OSError(28, "No space left on device")])
def test_a_write_does_not_fail_for_it(memory, due, monkeypatch, failure):
    def fail(*_, **__):
        raise failure

    before = count_loose(memory.folder)
    monkeypatch.setattr(maintenance, "run_git", fail)
    assert put(memory, new=page("new\n"))
    assert count_loose(memory.folder) > before


def test_a_write_that_failed_packs_nothing(memory, due):
    with pytest.raises(ValueError, match="mine"), memory.writing("testing"):
        raise ValueError("mine")
    assert packs(memory) == []


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_killed_at_any_step_it_has_lost_nothing_and_the_next_write_goes_on(memory, due):
    """core-5.16"""
    before = objects(memory)
    for step in count(0, 7):
        ended = in_child(lambda: (kill_at(step), pack_when_due(memory.folder)))  # noqa: B023 (runs at once)
        assert objects(memory) >= before
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    put(memory, new=page("new\n"))
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
