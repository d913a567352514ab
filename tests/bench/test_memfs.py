"""Measurements of the memory repository at 2,000 files, against the budgets of docs/decisions.md."""

import os
import statistics
import subprocess
import sys
import time
from itertools import count

import pytest

from support.budgets import Row, best_median, note_milliseconds, note_row, note_speed
from support.memfs import TOOL, WRITER, create, draft, git, learn, page
from vademecum.locks import Locks
from vademecum.memfs import Repository, check, land
from vademecum.memfs.pages import front_matter
from vademecum.recall import compile_context, refresh

pytestmark = [pytest.mark.bench, pytest.mark.timeout(120)]

FILES = 2000
MIX = f"{FILES:,} files"
ROUNDS, WARMUPS = 15, 2
WARM_EDITS = 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    memory = create(folder)
    edits = {f"reference/topic-{n % 20}/page-{n}.md": page(f"line {n}\n" * 10, f"page {n}") for n in range(FILES)}
    memory.commit(edits, subject="fill", provenance=TOOL)
    return folder


@pytest.fixture
def memory(folder):
    return Repository.open(folder / "memory", locks=Locks(folder / "locks"))


def test_durable_edit(benchmark, memory):
    """Budget: median at most 20 ms."""
    numbers = count()
    benchmark.pedantic(
        lambda: memory.commit(
            {"reference/topic-1/page-1.md": page(f"{next(numbers)}\n")}, subject="edit", provenance=TOOL
        ),
        rounds=60,
        warmup_rounds=5,
    )
    note_milliseconds(benchmark, "edit, durable", at_most=20, mix=MIX)


def test_durable_new_file(benchmark, memory):
    numbers = count()
    benchmark.pedantic(
        lambda: memory.commit({f"log/entry-{next(numbers)}.md": "new\n"}, subject="new", provenance=TOOL),
        rounds=30,
        warmup_rounds=2,
    )
    note_milliseconds(benchmark, "new file, durable", at_most=20, mix=MIX)


def test_durable_edit_by_git_calls(benchmark, memory):
    """The reference: status, add, status, diff, blob check, commit, rev-parse, each a process, with fsync on.

    Before each round edits of ours are timed, so that both meet the same noise: warm ones, so after a first one that
    meets the index that git has just written. Budget: at least five times faster.
    """
    path = "reference/topic-2/page-2.md"
    numbers = count()
    program = [
        "git",
        "-c",
        "core.fsync=all",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.org",
    ]
    calls = (
        ["status", "--porcelain", "--untracked-files=all"],
        ["add", "--", path],
        ["status", "--porcelain"],
        ["diff", "--cached", "--name-only"],
        ["cat-file", "blob", f":{path}"],
        ["commit", "-q", "-m", "edit"],
        ["rev-parse", "HEAD"],
    )

    def edit():
        (memory.folder / path).write_text(page(f"{next(numbers)}\n"))
        for arguments in calls:
            subprocess.run([*program, *arguments], cwd=memory.folder, check=True, capture_output=True, env=os.environ)

    def edit_ours():
        for _ in range(1 + WARM_EDITS):
            start = time.perf_counter()
            memory.commit({path: page(f"{next(numbers)}\n")}, subject="edit", provenance=TOOL)
            ours.append(time.perf_counter() - start)
        del ours[-1 - WARM_EDITS]

    ours: list[float] = []
    benchmark.pedantic(edit, setup=edit_ours, rounds=ROUNDS, warmup_rounds=WARMUPS)
    note_milliseconds(benchmark, "edit, by git calls", mix=MIX)
    ours, theirs = ours[WARMUPS * WARM_EDITS :], benchmark.stats.stats.data
    times = {
        "median": statistics.median(theirs) / statistics.median(ours),
        "judged": best_median(theirs) / best_median(ours),
        "best": min(theirs) / min(ours),
    }
    note_row(benchmark, Row(what="edit, ratio", unit="x faster", budget=5, rising=True, mix="than git calls", **times))


def test_landing_of_50_changed_files(benchmark, memory, tmp_path):
    """Budget: at most 300 ms, checks included."""
    runs = count()

    def frozen():
        run = next(runs)
        with draft(memory, tmp_path / str(run)) as work:
            for number in range(50):
                work.write(f"reference/topic-{number % 20}/page-{number + 100}.md", page(f"{run} {number}\n" * 200))
            return (work.freeze(), learn(f"bench-{memory.head()[:8]}-{run}")), {}

    def check_and_land(frozen, provenance):
        check(frozen)
        assert len(land(memory, frozen, subject="Learn", provenance=provenance).commit.paths) == 50

    benchmark.pedantic(check_and_land, setup=frozen, rounds=9)
    note_milliseconds(benchmark, "landing", at_most=300, mix=f"50 changed of {MIX}")


def test_open_freeze_and_delete_a_draft(benchmark, memory, tmp_path):
    runs = count()

    def whole():
        with draft(memory, tmp_path / str(next(runs))) as work:
            work.freeze()

    benchmark.pedantic(whole, rounds=6)
    note_milliseconds(benchmark, "draft opened, frozen, deleted", mix=MIX)


def test_list_a_tree_cold(benchmark, memory):
    """Part of the 60 ms of a cold context."""
    assert len(benchmark(lambda: memory.tree(memory.head()).paths())) > FILES
    note_milliseconds(benchmark, "tree listed, cold", mix=MIX)


def test_read_all_headers(benchmark, memory):
    """Part of the 60 ms of a cold context."""

    def headers():
        tree = memory.tree(memory.head())
        return [front_matter.parse(tree.read(path)).meta.get("description") for path in tree.paths()]

    assert len(benchmark(headers)) > FILES
    note_milliseconds(benchmark, "all headers read, cold", mix=MIX)


def test_context_after_a_commit(benchmark, memory, tmp_path):
    """What every write pays after it, and what the next session then pays for its context."""
    numbers = count()

    def commit():
        edits = {"reference/topic-3/page-3.md": page(f"{next(numbers)}\n")}
        memory.commit(edits, subject="edit", provenance=TOOL)

    def context():
        refresh(memory.tree(), tmp_path)
        compile_context(memory.tree(), places=(), budget_tokens=4_000, cache=tmp_path)

    benchmark.pedantic(context, setup=commit, rounds=15, warmup_rounds=2)
    note_milliseconds(benchmark, "context after a commit", mix=MIX)


PROCESSES, EDITS = 8, 50


def test_processes_that_write_at_once(benchmark, memory):
    """Every edit of every process is one commit on one line, and the repository is sound."""
    before = memory.head()

    def started():
        commands = [
            [sys.executable, "-c", WRITER, str(memory.folder.parent), f"writer-{number}", str(EDITS)]
            for number in range(PROCESSES)
        ]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        writers = [subprocess.Popen(command, **pipes) for command in commands]
        assert [writer.stdout.readline() for writer in writers] == ["ready\n"] * PROCESSES
        return (writers,), {}

    def all_write(writers):
        for writer in writers:
            writer.stdin.write("go\n")
            writer.stdin.flush()
        for writer in writers:
            writer.communicate(timeout=100)
            assert writer.returncode == 0

    benchmark.pedantic(all_write, setup=started, rounds=1)
    assert git(memory.folder, "rev-list", "--count", f"{before}..main") == f"{PROCESSES * EDITS}\n"
    assert git(memory.folder, "rev-list", "--min-parents=2", "main") == ""
    made = {commit.subject for commit in memory.log(limit=PROCESSES * EDITS)}
    assert made == {f"writer-{process} {edit}" for process in range(PROCESSES) for edit in range(EDITS)}
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
    note_speed(benchmark, "durable edits, together", PROCESSES * EDITS, "edits/s", mix=f"{PROCESSES} processes at once")
