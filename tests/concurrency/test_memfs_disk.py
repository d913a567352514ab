"""A real file system that is full, or read-only; and failures of the disk put in at every step."""

import errno
import os
import subprocess
from itertools import count

import pytest

from support.killing import STEPS, before_step
from support.memfs import TOOL, create, git, page
from vademecum.errors import StorageError
from vademecum.locks import Locks
from vademecum.memfs import Repository

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 600 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only a user who may mount can make a small file system")
    yield folder
    subprocess.run(["umount", folder], check=True)


def remount(folder, options):
    subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)


def fill(memory):
    for number in range(1000):
        text = f"{number} {os.urandom(2000).hex()}\n"
        memory.commit({f"log/{number}.md": text}, subject="fill", provenance=TOOL, wait_seconds=0)


def test_a_full_disk_refuses_the_write_and_loses_nothing(small_disk):
    memory = create(small_disk)
    with pytest.raises(StorageError, match="No space left") as caught:
        fill(memory)
    assert "Nothing that was stored has changed" in caught.value.intact
    committed = len(memory.log(limit=1000))
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
    remount(small_disk, "size=4m")
    memory.commit({"log/after.md": "x\n"}, subject="after", provenance=TOOL, wait_seconds=0)
    assert len(memory.log(limit=1000)) == committed + 1
    assert git(memory.folder, "status", "--porcelain") == ""


def test_a_read_only_disk_can_be_read_and_says_so_when_written(small_disk):
    create(small_disk)
    remount(small_disk, "ro")
    try:
        memory = Repository.open(small_disk / "memory", locks=Locks(small_disk / "locks"))
        assert memory.tree().paths()
        with pytest.raises(StorageError, match="Read-only"):
            memory.commit({"log/x.md": "x\n"}, subject="x", provenance=TOOL, wait_seconds=0)
    finally:
        remount(small_disk, "rw")


WRITES = ("open", "fdopen", "rename", "replace", "mkdir", "fsync")


def broken(number):
    def fails():
        raise OSError(number, os.strerror(number))

    return fails


def edit(memory, number):
    edits = {
        "reference/kept.md": page(f"{number}\n"),
        f"log/{number}.md": "new\n",
        f"log/{number - 1}.md": None,
        f"people/p{number}/card.md": page(),
    }
    return memory.commit(edits, subject=f"edit {number}", provenance=TOOL, wait_seconds=0)


@pytest.mark.parametrize("from_then_on", [False, True])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_fails_at_any_step_loses_nothing_and_says_what_is_true(tmp_path, monkeypatch, error, from_then_on):
    """core-W1: the error says whether the change is committed; the next write needs nobody."""
    memory = create(tmp_path)
    edit(memory, 0)
    for step in count(error % 3, 3):
        before, number = memory.head(), 2 * step + 1
        with monkeypatch.context() as patch:
            names = WRITES if error in {errno.ENOSPC, errno.EDQUOT} else STEPS
            steps = before_step(step, broken(error), names=names, put=patch.setattr, from_then_on=from_then_on)
            try:
                edit(memory, number)
                told = "done"
            except StorageError as failure:
                told = failure.intact
        assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
        committed = memory.head() != before
        assert committed == (told == "done" or "is committed as" in told)
        edit(memory, number + 1)
        assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
        assert git(memory.folder, "status", "--porcelain", "--untracked-files=all") == ""
        if next(steps) <= step:
            break
    assert step > 25


def test_hard_links_are_never_needed(tmp_path, monkeypatch):
    """core-W48"""
    monkeypatch.setattr(os, "link", broken(errno.EPERM))
    memory = create(tmp_path)
    edit(memory, 1)
    (memory.folder / "reference/kept.md").write_text(page("by hand\n"))
    assert memory.adopt().commit.paths == ("reference/kept.md",)
    memory.move_baseline(memory.tree().tree_id)
    assert git(memory.folder, "status", "--porcelain") == ""
