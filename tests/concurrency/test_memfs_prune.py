"""`git gc --prune=now` and `git prune` beside our writes: what a write brings is there when it returns."""

import os
import subprocess
import sys
import time
from itertools import count

import pytest

from support.killing import before_step
from support.memfs import create, git, page, put
from vademecum.errors import StorageError
from vademecum.memfs import undo
from vademecum.memfs.git import gathering, gc_pid
from vademecum.memfs.git.gc_pid import keeping_gc_away
from vademecum.memfs.writing.publication import Publication

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("old\n"))
    return memory


def pruning(memory):
    """A `git prune` that has looked what is reachable now, and deletes the rest, and emptied folders, when called."""
    store = memory.folder / ".git/objects"
    known = set(store.glob("??/*"))

    def prune():
        for file in set(store.glob("??/*")) - known:
            file.unlink()
        for folder in store.glob("??"):
            if not any(folder.iterdir()):
                folder.rmdir()

    return prune


def is_whole(memory):
    return git(memory.folder, "fsck", "--strict", "--no-dangling", "--no-reflogs") == ""


def test_a_prune_at_any_step_of_a_write_takes_nothing_that_main_names(memory, monkeypatch):
    moved = []
    move_main = Publication.move_main
    monkeypatch.setattr(Publication, "move_main", lambda *arguments: moved.append(move_main(*arguments)))
    for step in count():
        moved.clear()
        pruned = []
        with monkeypatch.context() as patch:
            prune = pruning(memory)
            # One that looked before main moved and deletes after the write is out of anybody's reach.
            acts = lambda prune=prune, pruned=pruned: moved or pruned.append(prune())  # noqa: E731
            before_step(step, acts, put=patch.setattr)
            assert put(memory, a=page(f"new {step}\n"), **{f"deep{step}/b": page()}) is not None
        assert is_whole(memory)
        assert git(memory.folder, "status", "--porcelain") == ""
        if not pruned:
            break
    assert step > 20


def test_a_content_that_lay_in_the_store_unreferenced_is_not_lost_with_it(memory, monkeypatch):
    blob = git(memory.folder, "rev-parse", "HEAD:reference/a.md").strip()
    lying = memory.folder / ".git/objects" / blob[:2] / blob[2:]
    move_main = Publication.move_main

    def after_a_prune(*arguments):
        lying.unlink()
        return move_main(*arguments)

    monkeypatch.setattr(Publication, "move_main", after_a_prune)
    put(memory, twin=page("old\n"))
    assert is_whole(memory)


def test_an_undo_beside_a_prune_finds_the_former_content(memory):
    put(memory, a=page("new\n"))
    git(memory.folder, "prune", "--expire=now")
    undo(memory, None)
    assert is_whole(memory)
    assert memory.tree().read("reference/a.md") == page("old\n")


def test_git_does_not_collect_garbage_while_we_write(memory):
    refused = pytest.raises(AssertionError, match="gc is already running")
    with memory.writing("testing"), memory.writing("testing, one in the other"), refused:
        git(memory.folder, "gc", "--prune=now")
    assert not (memory.folder / ".git/gc.pid").exists()
    git(memory.folder, "gc", "--prune=now")
    assert put(memory, a=page("new\n")) is not None
    assert is_whole(memory)


def test_a_write_waits_for_git_to_end_its_collecting(memory):
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    file = memory.folder / ".git/gc.pid"
    file.write_text(f"{other.pid} {os.uname().nodename}")
    with keeping_gc_away(file.parent, wait_seconds=0):
        assert file.read_text().startswith(f"{other.pid} ")
    other.communicate(b"\n")
    with keeping_gc_away(file.parent, wait_seconds=0.1):
        assert file.read_text().startswith(f"{os.getpid()} ")
    assert not file.exists()


@pytest.mark.parametrize("left", ["", "no number\n", "999999999 {here}", "1 another-machine"])
def test_a_mark_that_means_nothing_any_more_stops_neither_us_nor_git(memory, left):
    file = memory.folder / ".git/gc.pid"
    file.write_text(left.format(here=os.uname().nodename))
    os.utime(file, (0, 0))
    assert put(memory, a=page("new\n")) is not None
    assert not file.exists()


def test_a_mark_of_another_machine_stops_no_write(memory, monkeypatch):
    monkeypatch.setattr(gc_pid, "_PATIENT_SECONDS", 0.1)
    file = memory.folder / ".git/gc.pid"
    file.write_text("1 another-machine")
    began = time.monotonic()
    assert put(memory, a=page("new\n")) is not None
    assert time.monotonic() - began < 10
    assert file.read_text() == "1 another-machine"


def test_folders_that_vanish_for_ever_end_a_write_with_an_error_and_main_stays(memory, monkeypatch):
    head = memory.head()
    monkeypatch.setattr(gathering, "_ATTEMPTS", 0)
    with pytest.raises(StorageError, match="takes away"):
        put(memory, a=page("new\n"))
    assert memory.head() == head
