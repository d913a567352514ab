"""The history as Python offers it."""

import pytest

from support.product import Product
from vademecum import Memory
from vademecum.errors import DirtyPath, NotFound, RepositoryMissing


@pytest.fixture
def product(tmp_path):
    return Product(tmp_path)


@pytest.fixture
def memory(product):
    return Memory.open(home=product.home, environ={})


def test_a_note_can_be_shown_blamed_and_taken_back(memory):
    note = memory.note("call her Ada")
    (path,) = note.paths
    assert [file.path for file in memory.show(note.commit).files] == [path]
    assert {line.commit.id for line in memory.blame(path) if line.commit} == {note.commit}
    undone = memory.undo()
    assert (undone.paths, undone.undoes[0].id) == ((path,), note.commit)
    assert [commit.subject for commit in memory.log(path)] == ["Undo: Note: call her Ada", "Note: call her Ada"]
    assert [file.path for file in memory.diff(note.commit, paths=["extensions"]).files] == [path]


def test_the_context_is_the_one_of_before_at_once(memory):
    """What is cached for the next session follows every undo."""
    memory.create()
    before = memory.context(cwd="/srv/shop").text.split("memory revision")[0].split("\n", 1)[1]
    memory.note("call her Ada")
    memory.undo()
    assert memory.context(cwd="/srv/shop").text.split("memory revision")[0].split("\n", 1)[1] == before


def test_a_rehearsal_says_what_an_undo_would_do(memory):
    memory.note("call her Ada")
    head = memory.tree().revision
    rehearsed = memory.undo(dry_run=True)
    assert (rehearsed.commit, memory.tree().revision) == (None, head)
    undone = memory.undo()
    assert (rehearsed.subject, rehearsed.paths, rehearsed.files) == (undone.subject, undone.paths, undone.files)


def test_a_rehearsal_is_refused_for_what_an_undo_would_be(product, memory):
    (path,) = memory.note("call her Ada").paths
    product.edit(path, "Ada", "Eve")
    for dry_run in (True, False):
        with pytest.raises(DirtyPath):
            memory.undo(dry_run=dry_run)


def test_a_path_on_neither_side_is_an_error(memory):
    memory.create()
    with pytest.raises(NotFound, match="on either side"):
        memory.diff("HEAD", paths=["reference/none.md"])


def test_without_a_memory_there_is_no_history(memory):
    for ask in (memory.log, memory.diff, memory.undo, lambda: memory.show("HEAD"), lambda: memory.blame("MEMORY.md")):
        with pytest.raises(RepositoryMissing):
            ask()
