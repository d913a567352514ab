"""Real processes on one memory repository: several writers at once, and writers killed at every step."""

import os
import random
import signal
import subprocess
import sys
from itertools import count

import pytest

from support.killing import in_child, kill_at
from support.memfs import TOOL, WRITER, create, draft, git, learn, page, put
from vademecum.locks import Locks
from vademecum.memfs import Repository, land
from vademecum.memfs.writing import publication

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

CREATOR = """
import sys
from pathlib import Path
from vademecum.locks import Locks
from vademecum.memfs import Repository
folder = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
print(Repository.create(folder / "memory", locks=Locks(folder / "locks")).head())
"""


def race(program, *argument_lists):
    """Start one process per argument list, let all go at once, and return what each printed last."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for arguments in argument_lists
    ]
    try:
        assert [process.stdout.readline() for process in processes] == ["ready\n"] * len(processes)
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        answers = [process.communicate(timeout=50)[0].strip() for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert [process.returncode for process in processes] == [0] * len(processes)
    return answers


def test_two_processes_that_create_the_same_memory_make_one_root(tmp_path):
    """core-26.6, core-W3"""
    heads = race(CREATOR, [tmp_path], [tmp_path], [tmp_path])
    assert len(set(heads)) == 1
    assert git(tmp_path / "memory", "rev-list", "--count", "--all") == "1\n"
    assert git(tmp_path / "memory", "status", "--porcelain") == ""


def test_writers_take_turns_and_no_edit_is_lost(tmp_path):
    """core-26.1"""
    memory = create(tmp_path)
    race(WRITER, *[[tmp_path, f"writer-{number}", 10] for number in range(4)])
    subjects = [commit.subject for commit in memory.log(limit=100)]
    assert len(subjects) == 41
    assert {f"writer-{w} {n}" for w in range(4) for n in range(10)} <= set(subjects)
    assert git(memory.folder, "rev-list", "--min-parents=2", "main") == ""
    assert_sound(memory)


def test_a_write_that_waits_for_a_landing_is_made_on_top_of_it(tmp_path):
    """core-26.6"""
    memory = create(tmp_path)
    with draft(memory, tmp_path) as work:
        work.write("reference/learned.md", page("learned\n"))
        frozen = work.freeze()
    command = [sys.executable, "-c", WRITER, str(tmp_path), "tool", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout.readline() == "ready\n"
        with memory.writing("landing a draft"):
            writer.stdin.write("go\n")
            writer.stdin.flush()
            assert land(memory, frozen, subject="Learn", provenance=learn()).commit is not None
    assert writer.returncode == 0
    assert [commit.subject for commit in memory.log(limit=2)] == ["tool 0", "Learn"]
    assert_sound(memory)


def test_a_person_who_commits_with_git_meanwhile_loses_nothing(tmp_path):
    """core-26.6: either side waits or is refused; no commit undoes another."""
    memory = create(tmp_path)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path), "tool", "6"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with writer:
        assert writer.stdout.readline() == "ready\n"
        writer.stdin.write("go\n")
        writer.stdin.flush()
        mine = set()
        for number in count():
            (memory.folder / f"mine-{number}.md").write_text("x\n")
            git(memory.folder, "add", f"mine-{number}.md", check=False)
            git(memory.folder, "commit", "-qm", f"mine {number}", check=False, hooks=True)
            mine.add(f"mine-{number}.md")
            if writer.poll() is not None:
                break
    assert writer.returncode == 0
    git(memory.folder, "add", ".")
    git(memory.folder, "commit", "-qm", "rest", "--allow-empty")
    assert memory.tree().read("reference/tool.md").endswith("5\n")
    assert mine <= set(memory.tree().paths())
    assert sum(commit.subject.startswith("tool ") for commit in memory.log(limit=10**6)) == 6
    assert_sound(memory)


def reopen(folder):
    return Repository.open(folder / "memory", locks=Locks(folder / "locks"))


def assert_sound(memory):
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
    assert git(memory.folder, "status", "--porcelain") == ""


def edit(memory, number):
    edits = {
        "reference/kept.md": page(f"{number}\n"),
        f"log/{number}.md": "new\n",
        f"log/{number - 1}.md": None,
        "system/human.md": page(f"human {number}\n"),
    }
    return memory.commit(edits, subject=f"edit {number}", provenance=TOOL, wait_seconds=0)


def test_a_writer_killed_at_any_step_leaves_the_old_or_the_new_state_and_the_next_write_works(tmp_path):
    """core-26.3, core-W1"""
    edit(create(tmp_path), 0)
    for step in count(0, 2):
        number = 2 * step + 1
        before = reopen(tmp_path).head()
        ended = in_child(lambda: (kill_at(step), edit(reopen(tmp_path), number)))  # noqa: B023 (runs at once)
        memory = reopen(tmp_path)
        assert memory.head() == before or memory.log(limit=1)[0].subject == f"edit {number}"
        edit(memory, number + 1)
        assert memory.tree().read("reference/kept.md") == page(f"{number + 1}\n")
        assert_sound(memory)
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert step > 30


def test_a_writer_killed_at_any_time_leaves_a_sound_repository(tmp_path):
    """core-26.3: also inside of libgit2."""
    edit(create(tmp_path), 0)
    moments = random.Random(2)

    def interrupted():
        memory = reopen(tmp_path)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, moments.uniform(0.0005, 0.02))
        edit(memory, number)

    for number in range(1, 41, 2):
        moments.random()
        in_child(interrupted)
        memory = reopen(tmp_path)
        edit(memory, number + 1)
        assert_sound(memory)


def test_a_hand_edit_made_after_a_kill_is_not_overwritten(tmp_path):
    """core-W1: the next writer brings up to date only what is exactly the old version."""
    memory = create(tmp_path)
    put(memory, a=page("old\n"), b=page("old\n"))

    def killed_after_the_branch_moved():
        rename = os.rename

        def counted(source, target, **options):
            if str(target).endswith("refs/heads/main"):
                rename(source, target, **options)
                os.kill(os.getpid(), signal.SIGKILL)
            rename(source, target, **options)

        os.rename = counted
        put(reopen(tmp_path), a=page("new\n"), b=page("new\n"))

    assert in_child(killed_after_the_branch_moved) == -signal.SIGKILL
    (memory.folder / "reference/a.md").write_text("by hand\n")
    put(memory, c=page())
    assert (memory.folder / "reference/a.md").read_text() == "by hand\n"
    assert (memory.folder / "reference/b.md").read_text() == page("new\n")
    assert git(memory.folder, "status", "--porcelain") == " M reference/a.md\n"


def test_a_creator_killed_at_any_step_is_completed_by_the_next(tmp_path):
    """core-W3"""
    for step in count(0, 5):
        folder = tmp_path / str(step)
        ended = in_child(lambda: (kill_at(step), create(folder)))  # noqa: B023 (runs at once)
        memory = create(folder)
        assert len(memory.log()) == 1
        assert_sound(memory)
        if ended == 0:
            break
    assert step > 40


def test_a_landing_killed_at_any_step_lands_once(tmp_path):
    """core-R83"""
    memory = create(tmp_path)
    put(memory, clean=page("0\n"), both=page("0\n"))
    for step in count(0, 8):
        run = learn(f"run-{step}")
        folder = tmp_path / f"work-{step}"
        with draft(memory, folder) as work:
            work.write("reference/clean.md", page(f"learned {step}\n"))
            work.write("reference/both.md", page(f"learned {step}\n"))
            frozen = work.freeze()
        put(memory, both=page(f"meanwhile {step}\n"))
        ended = in_child(
            lambda: (kill_at(step), land(reopen(tmp_path), frozen, subject="Learn", provenance=run))  # noqa: B023
        )
        landing = land(memory, frozen, subject="Learn", provenance=run)
        assert landing.commit.paths == ("reference/clean.md",)
        assert landing.conflicts == ("reference/both.md",)
        assert [commit.provenance for commit in memory.log(limit=3)].count(run) == 1
        assert memory.proposal(f"run-{step}").read("reference/both.md") == page(f"learned {step}\n")
        assert_sound(memory)
        if ended == 0:
            break
    assert step > 40


def test_a_branch_that_moves_while_a_commit_is_built_is_never_overwritten(tmp_path, monkeypatch):
    """The compare-and-swap: a commit that somebody makes in between is built upon, not dropped."""
    memory = create(tmp_path)
    moved = []
    take_gits_locks = publication.publishing

    def with_a_person_in_between(*arguments):
        if not moved:
            moved.append(True)
            (memory.folder / "mine.md").write_text("mine\n")
            git(memory.folder, "add", "mine.md")
            git(memory.folder, "commit", "-qm", "mine")
        return take_gits_locks(*arguments)

    monkeypatch.setattr("vademecum.memfs.writing.committing.publishing", with_a_person_in_between)
    put(memory, a=page())
    assert [commit.subject for commit in memory.log()] == ["put", "mine", "Start the memory repository"]
    assert memory.tree().has("mine.md")
    assert_sound(memory)
