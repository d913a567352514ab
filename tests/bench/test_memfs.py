"""Measurements of the memory repository at 2,000 files, against the budgets of docs/decisions.md."""

import os
import subprocess
from itertools import count

import pytest

from support.memfs import TOOL, create, draft, learn, page
from vademecum.locks import Locks
from vademecum.memfs import Repository, check, front_matter, land

pytestmark = pytest.mark.bench

FILES = 2000


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


def test_durable_edit_by_git_calls(benchmark, memory):
    """The reference: status, add, status, diff, blob check, commit, rev-parse, each a process, with fsync on."""
    path = "reference/topic-2/page-2.md"
    numbers = count()
    git = ["git", "-c", "core.fsync=all", "-c", "user.name=x", "-c", "user.email=x@example.org"]
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
            subprocess.run([*git, *arguments], cwd=memory.folder, check=True, capture_output=True, env=os.environ)

    benchmark.pedantic(edit, rounds=15, warmup_rounds=2)


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

    benchmark.pedantic(check_and_land, setup=frozen, rounds=8)


def test_open_freeze_and_delete_a_draft(benchmark, memory, tmp_path):
    runs = count()

    def whole():
        with draft(memory, tmp_path / str(next(runs))) as work:
            work.freeze()

    benchmark.pedantic(whole, rounds=5)


def test_list_a_tree_cold(benchmark, memory):
    """Part of the 60 ms of a cold context."""
    assert len(benchmark(lambda: memory.tree().paths())) > FILES


def test_read_all_headers(benchmark, memory):
    """Part of the 60 ms of a cold context."""

    def headers():
        tree = memory.tree()
        return [front_matter.parse(tree.read(path)).meta.get("description") for path in tree.paths()]

    assert len(benchmark(headers)) > FILES
