"""A real file system that is full, or read-only."""

import os
import subprocess

import pytest

from support.memfs import TOOL, create, git
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
