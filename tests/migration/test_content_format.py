"""Memories that earlier versions wrote, under this one.

`data/memory-format-<n>.bundle` is a git bundle of a memory that the version of that format made: the four example
sessions, a note, and a hand edit.
"""

import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from support.killing import in_child, kill_at
from support.memfs import TOOL, git, page
from support.product import Product, ruled
from vademecum.locks import Locks
from vademecum.memfs import Repository
from vademecum.memfs.writing.format import FORMAT_PATH, PRESENT, STEPS, format_file

DATA = Path(__file__).parent / "data"
BUNDLES = sorted(DATA.glob("memory-format-*.bundle"))


def unpack(bundle: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "clone", "-q", "-b", "main", str(bundle), "memory")
    git(folder / "memory", "remote", "remove", "origin")
    return folder / "memory"


def opened(folder: Path) -> Repository:
    return Repository.open(folder / "memory", locks=Locks(folder / "locks"))


def test_there_is_a_memory_of_every_format_before_this_one():
    """core-W45"""
    assert [bundle.stem for bundle in BUNDLES] == [f"memory-format-{number}" for number in range(PRESENT)]


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda bundle: bundle.stem)
def test_an_older_memory_keeps_every_file_and_is_written_in_the_present_format(tmp_path: Path, bundle: Path):
    """core-W45"""
    unpack(bundle, tmp_path)
    memory = opened(tmp_path)
    before = memory.tree()
    texts = {path: before.read(path) for path in before.paths()}
    commit = memory.commit({"reference/new.md": page()}, subject="new", provenance=TOOL)
    after = memory.tree()
    assert after.read_own(FORMAT_PATH) == format_file(PRESENT)
    assert {path: after.read(path) for path in texts} == texts
    assert commit.paths == ("reference/new.md",)
    assert len(memory.log()) == len(memory.log(limit=50, offset=1 + PRESENT)) + 1 + PRESENT
    assert git(memory.folder, "status", "--porcelain") == ""


@pytest.mark.slow
@pytest.mark.timeout(30)
def test_an_older_memory_is_read_and_learned_into_as_before(tmp_path: Path):
    """core-W45: a session is still known, a note still waits, and nothing is learned twice."""
    product = Product(tmp_path)
    unpack(BUNDLES[0], product.identity)
    assert "we use pnpm in this repo" in product.context("/home/ada/shop")
    assert "rebuilt every Monday" in product.context("/home/ada/shop")
    product.call("note", "the pager is on the second shelf")
    product.tell(ruled("always answer in French"))
    answer = product.learn()
    assert answer.json["consolidation"]["status"] == "landed"
    assert "we use pnpm in this repo" in product.context("/home/ada/shop")
    assert "a line of my own" in product.read("system/human.md")
    assert product.git("log", "--format=%s").splitlines().count(STEPS[0].subject) == 1


WRITER = """
import sys
from pathlib import Path
from vademecum.locks import Locks
from vademecum.memfs import Repository
folder = Path(sys.argv[1])
memory = Repository.open(folder / "memory", locks=Locks(folder / "locks"))
print("ready", flush=True)
sys.stdin.readline()
memory.adopt()
"""


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_processes_that_come_at_once_migrate_once(tmp_path: Path):
    """core-W45"""
    unpack(BUNDLES[0], tmp_path)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], **pipes) for _ in range(3)]
    try:
        assert [writer.stdout.readline() for writer in writers] == ["ready\n"] * 3
        for writer in writers:
            writer.stdin.write("go\n")
            writer.stdin.flush()
        assert [writer.wait(timeout=40) for writer in writers] == [0] * 3
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert [c.subject for c in opened(tmp_path).log()].count(STEPS[0].subject) == 1


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_migration_killed_at_any_step_is_finished_by_the_next_write(tmp_path: Path):
    """core-W45"""
    for step in count(0, 3):
        folder = tmp_path / str(step)
        unpack(BUNDLES[0], folder)
        ended = in_child(lambda: (kill_at(step), opened(folder).adopt()))  # noqa: B023 (runs at once)
        memory = opened(folder)
        memory.adopt()
        assert [c.subject for c in memory.log()].count(STEPS[0].subject) == 1
        assert memory.tree().read_own(FORMAT_PATH) == format_file(PRESENT)
        assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
        assert git(memory.folder, "status", "--porcelain") == ""
        if ended == 0:
            break
        assert ended == -signal.SIGKILL
    assert step > 20
