"""Two hundred writers, each killed at a random step of a random kind of write."""

import random
import signal

import pytest

from support.killing import in_child, kill_at
from support.memfs import TOOL, create, draft, git, learn, page
from vademecum.locks import Locks
from vademecum.memfs import Repository, land

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

KILLS, SEEDS = 200, 10
#: Pages that writes delete or move; git looks through all of them twice after each write.
PAGES = 40

#: No kind of write has more steps than this; one that ends before its step is tried again with an earlier one.
MOST_STEPS = 120


def reopen(folder):
    return Repository.open(folder / "memory", locks=Locks(folder / "locks"))


def write(memory, edits, number):
    return memory.commit(edits, subject=f"write {number}", provenance=TOOL, wait_seconds=0)


def oldest_log(memory):
    return next(path for path in memory.tree().paths() if path.startswith("log/"))


def create_a_page(memory, number):
    write(memory, {f"people/p{number}/card.md": page(f"{number}\n")}, number)


def edit_pages(memory, number):
    write(memory, {"system/human.md": page(f"{number}\n"), "reference/kept.md": page(f"kept {number}\n")}, number)


def delete_a_page(memory, number):
    write(memory, {oldest_log(memory): None}, number)


def move_a_page(memory, number):
    old = oldest_log(memory)
    write(memory, {old: None, f"log/moved/{number}.md": memory.tree().read(old)}, number)


def keep_a_proposal(memory, number):
    edits = {"reference/kept.md": page(f"proposed {number}\n").encode()}
    memory.keep_proposal(memory.tree(), edits, subject="Propose", provenance=learn(f"run-{number}"))


def move_the_baseline(memory, number):
    memory.move_baseline(memory.tree().tree_id)


def adopt_by_hand(memory, number):
    memory.adopt()


def land_a_draft(memory, number, frozen):
    land(memory, frozen, subject=f"write {number}", provenance=learn(f"run-{number}"))


def prepared(folder, kind, number):
    """Do what comes before the write, and return what the writer does."""
    memory = reopen(folder)
    if kind is land_a_draft:
        with draft(memory, folder / f"work-{number}") as work:
            work.write("reference/kept.md", page(f"learned {number}\n"))
            work.write("reference/clean.md", page(f"learned {number}\n"))
            frozen = work.freeze()
        write(memory, {"reference/kept.md": page(f"meanwhile {number}\n")}, f"before {number}")
        return lambda: land_a_draft(reopen(folder), frozen=frozen, number=number)
    if kind is adopt_by_hand:
        (memory.folder / "reference/kept.md").write_text(page(f"by hand {number}\n"))
        (memory.folder / f"by-hand-{number}.md").write_text("new\n")
    return lambda: kind(reopen(folder), number)


KINDS = (
    create_a_page,
    edit_pages,
    delete_a_page,
    move_a_page,
    keep_a_proposal,
    move_the_baseline,
    adopt_by_hand,
    land_a_draft,
)


def assert_survived(folder, before, kind, number):
    """The repository is sound as it lies; main is old or new; the next write needs nobody."""
    assert git(folder / "memory", "fsck", "--strict", "--no-dangling") == ""
    memory = reopen(folder)
    newer = memory.log(limit=2)
    assert memory.head() == before or newer[1].id == before
    if kind is adopt_by_hand:
        assert memory.adopt().refused == {}
    write(memory, {f"log/after-{number}.md": f"{number}\n"}, f"after {number}")
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
    assert git(memory.folder, "status", "--porcelain", "--untracked-files=all") == ""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_killed_writer_leaves_the_old_or_the_new_state_and_the_next_write_works(tmp_path, seed):
    """core-26.3, core-29.2 I4"""
    chance = random.Random(seed)
    memory = create(tmp_path)
    write(memory, {"reference/kept.md": page("0\n"), **{f"log/{n}.md": "x\n" for n in range(PAGES)}}, "first")
    last_step = dict.fromkeys(KINDS, MOST_STEPS)
    kills = number = 0
    while kills < KILLS // SEEDS:
        number += 1
        kind = KINDS[(seed + number) % len(KINDS)]
        step = chance.randrange(last_step[kind])
        write_now, before = prepared(tmp_path, kind, number), reopen(tmp_path).head()
        ended = in_child(lambda: (kill_at(step), write_now()))  # noqa: B023 (runs at once)
        assert_survived(tmp_path, before, kind, number)
        if ended == 0:
            last_step[kind] = step
        else:
            assert ended == -signal.SIGKILL
            kills += 1
    assert min(last_step.values()) > 10
