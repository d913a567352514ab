"""What a power failure can leave, which no kill does. `tests/concurrency` kills real writers."""

import pygit2
import pytest

from support.memfs import create, git, page, put
from vademecum.memfs.git.opening import open_git
from vademecum.memfs.writing.publication import Places, publishing
from vademecum.memfs.writing.recovery import is_idle, recover
from vademecum.memfs.writing.refreshing import file_changes

NO_COMMIT = "0" * 40


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("old\n"))
    return memory


def leave_note(memory, old, new):
    places = Places(memory.folder)
    places.staging.mkdir()
    places.note(old, new).touch()
    return places


def test_a_commit_that_main_never_reached_and_that_lacks_its_tree_is_left_alone(memory):
    repository = open_git(memory.folder)
    text = f"tree {NO_COMMIT[:-1]}1\nauthor x <x@example.org> 0 +0000\ncommitter x <x@example.org> 0 +0000\n\nx\n"
    torn = repository.odb.write(pygit2.enums.ObjectType.COMMIT, text.encode())
    leave_note(memory, memory.head(), str(torn))
    recover(memory.folder, repository)
    assert is_idle(memory.folder)
    assert put(memory, a=page("new\n")) is not None


def test_locks_whose_content_did_not_reach_the_disk_are_dropped(memory):
    places = leave_note(memory, memory.head(), NO_COMMIT[:-1] + "1")
    for target in (places.index, places.main):
        target.with_name(f"{target.name}.lock").touch()
    assert put(memory, a=page("new\n")) is not None
    assert git(memory.folder, "status", "--porcelain") == ""


def test_staged_files_that_came_back_empty_are_made_anew(memory):
    old = memory.head()
    new = put(memory, a=page("new\n")).id
    (memory.folder / "reference/a.md").write_text(page("old\n"))
    places = leave_note(memory, old, new)
    for name in ("file-0", "index", "main"):
        (places.staging / name).touch()
    put(memory, b=page())
    assert (memory.folder / "reference/a.md").read_text() == page("new\n")
    assert git(memory.folder, "status", "--porcelain") == ""


def test_main_can_move_to_a_commit_that_is_no_child_and_is_completed_as_well(memory):
    """History that is rewritten moves by the same steps."""
    repository, old = open_git(memory.folder), memory.head()
    put(memory, a=page("newer\n"), b=page())
    tip = memory.head()
    with publishing(memory.folder, repository, tip) as publication:
        publication.move_main(tip, old, file_changes(repository, tip, old))
    assert memory.head() == old
    assert not (memory.folder / "reference/b.md").exists()
    assert git(memory.folder, "status", "--porcelain") == ""
    (memory.folder / "reference/a.md").write_text(page("newer\n"))
    leave_note(memory, tip, old)
    recover(memory.folder, repository)
    assert git(memory.folder, "status", "--porcelain") == ""
