"""A reset keeps what was there until the trash is emptied."""

from itertools import count

import pytest

from support.killing import in_child, kill_at
from support.memfs import create, git, page, put
from vademecum.errors import NotFound, RefusedError
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.memfs.forgetting.remains import Finder, look_in_objects
from vademecum.memfs.forgetting.trash import empty_trash, list_trash, put_in_trash

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("basilisk\n"))
    memory.move_baseline(memory.tree().tree_id)
    return memory


def reset(memory, **kept):
    with memory.writing("resetting"):
        return put_in_trash(memory, kept)


def test_the_new_beginning_has_the_first_files_and_no_past(memory):
    seeds = set(memory.tree().paths()) - {"reference/a.md"}
    old = memory.head()
    kept = reset(memory)
    assert git(memory.folder, "rev-list", "--count", "HEAD").strip() == "1"
    assert set(memory.tree().paths()) == seeds
    assert git(memory.folder, "rev-parse", kept.reference).strip() == old
    assert (kept.commits, [item.reference for item in list_trash(memory)]) == (2, [kept.reference])
    assert memory.baseline() is None
    assert git(memory.folder, "status", "--porcelain") == ""


def test_what_is_to_be_kept_stands_in_the_new_beginning(memory):
    reset(memory, **{"ARCHIVE.md": b"# Archive\n"})
    assert memory.tree().read("ARCHIVE.md") == "# Archive\n"


def test_a_file_that_a_person_edited_meanwhile_is_left(memory):
    (memory.folder / "reference/a.md").write_text("mine\n")
    reset(memory)
    assert (memory.folder / "reference/a.md").read_text() == "mine\n"


def test_a_person_on_another_branch_is_refused(memory):
    git(memory.folder, "switch", "-qc", "mine")
    with pytest.raises(RefusedError):
        reset(memory)
    assert list_trash(memory) == []


def test_emptying_takes_it_off_the_disk(memory):
    reset(memory)
    assert empty_trash(memory) > 3
    assert look_in_objects(memory.folder, Finder(["basilisk"])).finds == ()
    assert git(memory.folder, "fsck", "--strict") == ""
    assert list_trash(memory) == []
    with pytest.raises(NotFound):
        empty_trash(memory)


def test_a_reset_killed_before_it_began_anew_and_repeated_is_one_in_the_trash(memory, tmp_path):
    old = memory.head()
    for step in count():
        other = Repository.open(memory.folder, locks=Locks(tmp_path / "locks"))
        in_child(lambda: (kill_at(step), reset(other)))  # noqa: B023 (runs at once)
        if memory.head() != old:
            break
        assert len(list_trash(memory)) <= 1
    assert step > 5
    assert [item.commits for item in list_trash(memory)] == [2]


def test_memory_that_was_brought_back_and_is_put_away_again_is_one_in_the_trash(memory):
    first = reset(memory)
    git(memory.folder, "reset", "-q", "--hard", first.reference)
    assert reset(memory).reference == first.reference
    assert [item.reference for item in list_trash(memory)] == [first.reference]


def test_a_reset_killed_at_any_step_has_happened_or_not_and_can_be_repeated(memory, tmp_path):
    put(memory, b=page("b\n"))
    for step in count(0, 3):
        old, had = memory.head(), len(list_trash(memory))
        other = Repository.open(memory.folder, locks=Locks(tmp_path / "locks"))
        ended = in_child(lambda: (kill_at(step), reset(other)))  # noqa: B023 (runs at once)
        put(memory, c=page(f"{step}\n"))
        if git(memory.folder, "merge-base", "--is-ancestor", old, "HEAD", check=False) == "" and memory.tree().has(
            "reference/b.md"
        ):
            assert memory.baseline() is not None
        else:
            assert memory.baseline() is None
            assert len(list_trash(memory)) == had + 1
            assert "b\n" in git(memory.folder, "show", f"{list_trash(memory)[-1].reference}:reference/b.md")
        assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
        if ended == 0:
            break
        put(memory, b=page("b\n"))
        memory.move_baseline(memory.tree().tree_id)
    assert step > 15
