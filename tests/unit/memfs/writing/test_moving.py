"""Several references move together, or none of them does."""

import pytest

from support.memfs import create, git, page, put
from vademecum.errors import BusyError, HeadMoved
from vademecum.memfs.git.opening import open_git
from vademecum.memfs.writing.moving import Moves, complete_moves, move_together, pending_moves

BASELINE = "refs/vademecum/baseline"
PROPOSAL = "refs/vademecum/proposals/run-1"


@pytest.fixture
def memory(tmp_path):
    """Main at its second commit; baseline and a proposal at the first; `memory.next` is a third that nobody names."""
    memory = create(tmp_path)
    memory.first = memory.head()
    for name in (BASELINE, PROPOSAL):
        git(memory.folder, "update-ref", name, memory.first)
    put(memory, a=page("a\n"))
    memory.second = memory.head()
    tree = git(memory.folder, "rev-parse", f"{memory.first}^{{tree}}").strip()
    memory.next = git(memory.folder, "commit-tree", "-m", "other past", tree).strip()
    return memory


def wanted(memory, **more):
    others = {BASELINE: memory.next, PROPOSAL: None}
    return Moves(old=memory.second, new=memory.next, others=others, **more)


def move(memory, moves):
    with memory.writing("moving"):
        move_together(memory.folder, open_git(memory.folder), moves)


def references(memory):
    shown = git(memory.folder, "for-each-ref", "--format=%(refname) %(objectname)")
    return dict(line.split() for line in shown.splitlines())


def note(memory):
    return memory.folder / ".git/vademecum-moves.json"


def test_all_move_and_the_files_follow(memory):
    move(memory, wanted(memory))
    assert references(memory) == {"refs/heads/main": memory.next, BASELINE: memory.next}
    assert not (memory.folder / "reference/a.md").exists()
    assert git(memory.folder, "status", "--porcelain") == ""
    assert not note(memory).exists()


def test_references_that_a_person_packed_move_and_go_as_well(memory):
    git(memory.folder, "pack-refs", "--all")
    move(memory, wanted(memory))
    assert references(memory) == {"refs/heads/main": memory.next, BASELINE: memory.next}


def test_none_moves_where_a_person_committed_meanwhile(memory):
    before = references(memory)
    with pytest.raises(HeadMoved):
        move(memory, Moves(old=memory.first, new=memory.next, others={BASELINE: memory.next}))
    assert references(memory) == before
    assert not note(memory).exists()


def test_none_moves_while_git_is_at_work(memory):
    before = references(memory)
    lock = memory.folder / ".git/index.lock"
    lock.write_text("")
    with pytest.raises(BusyError):
        move(memory, wanted(memory))
    lock.unlink()
    assert references(memory) == before
    assert pending_moves(memory.folder) is None


def test_what_a_killed_process_had_not_begun_is_dropped_by_the_next_writer(memory):
    before = references(memory)
    note(memory).write_bytes(b'{"old":"%b","new":"%b","others":{}}' % (memory.second.encode(), memory.next.encode()))
    with memory.writing("anything"):
        pass
    assert references(memory) == before
    assert not note(memory).exists()


@pytest.mark.parametrize("committed", [False, True], ids=["at once", "after a commit of the person's"])
def test_what_a_killed_process_had_begun_is_completed_by_the_next_writer(memory, committed):
    note(memory).write_bytes(
        b'{"old":"%b","new":"%b","others":{"%b":"%b","%b":null}}'
        % tuple(text.encode() for text in (memory.second, memory.next, BASELINE, memory.next, PROPOSAL))
    )
    git(memory.folder, "reset", "-q", "--hard", memory.next)
    if committed:
        git(memory.folder, "commit", "-q", "--allow-empty", "-m", "mine")
    with memory.writing("anything"):
        pass
    assert references(memory)[BASELINE] == memory.next
    assert PROPOSAL not in references(memory)
    assert not note(memory).exists()


def test_a_note_that_was_not_written_whole_is_nothing(memory):
    note(memory).write_text('{"old":')
    assert pending_moves(memory.folder) is None
    with memory.writing("anything"):
        complete_moves(memory.folder, open_git(memory.folder))
    assert memory.head() == memory.second


def test_the_reflogs_of_main_name_the_new_commits_and_their_subjects(memory):
    move(memory, wanted(memory, rewritten={memory.second: memory.next, memory.first: None}))
    for name in ("HEAD", "main"):
        shown = git(memory.folder, "reflog", "show", "--format=%H %gs", name)
        assert set(shown.splitlines()) == {f"{memory.next} commit: other past"}


def test_the_note_stays_until_the_old_objects_are_gone(memory):
    move(memory, wanted(memory, purges=True, removed=(memory.second,)))
    assert pending_moves(memory.folder).removed == (memory.second,)
    put(memory, b=page("later\n"))
    assert pending_moves(memory.folder).removed == (memory.second,)


def owes(memory, *objects):
    """A scrub that moved all references, and was killed before the disk was done."""
    move(memory, wanted(memory, purges=True, removed=objects))


def test_what_waits_for_the_disk_only_moves_no_reference_again(memory):
    owes(memory, "1" * 40)
    git(memory.folder, "update-ref", BASELINE, memory.first)
    with memory.writing("anything"):
        pass
    assert references(memory)[BASELINE] == memory.first
    assert pending_moves(memory.folder).removed == ("1" * 40,)


def test_what_is_still_to_vanish_is_not_lost_by_a_later_move(memory):
    owes(memory, "1" * 40)
    move(memory, Moves(old=memory.next, new=memory.second, others={}))
    assert pending_moves(memory.folder).purges
    assert pending_moves(memory.folder).removed == ("1" * 40,)


def test_what_is_still_to_vanish_is_not_lost_where_a_later_move_is_refused(memory):
    owes(memory, "1" * 40)
    with pytest.raises(HeadMoved):
        move(memory, Moves(old=memory.first, new=memory.second, others={}, purges=True, removed=("2" * 40,)))
    assert pending_moves(memory.folder).removed == ("1" * 40,)
