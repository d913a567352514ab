"""What nothing refers to vanishes from the disk; what something refers to stays."""

import subprocess

import pytest

from support.memfs import create, git, page, put
from vademecum.errors import GitFailed
from vademecum.memfs.forgetting.purging import purge
from vademecum.memfs.git.opening import open_git
from vademecum.memfs.writing.moving import Moves, move_together, pending_moves

pytestmark = [pytest.mark.slow, pytest.mark.timeout(30)]


def lost_blob(memory, text="lost\n"):
    command = ["git", "hash-object", "-w", "--stdin"]
    done = subprocess.run(command, input=text, cwd=memory.folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def begin(memory, *removed):
    git_repository = open_git(memory.folder)
    head = memory.head()
    with memory.writing("moving"):
        move_together(memory.folder, git_repository, Moves(old=head, new=head, others={}, purges=True, removed=removed))


def finish(memory):
    with memory.writing("purging"):
        purge(memory.folder, open_git(memory.folder))


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("a\n"))
    return memory


def has(memory, oid):
    return oid in git(memory.folder, "cat-file", "--batch-check", "--batch-all-objects")


@pytest.mark.parametrize("packed", [False, True])
def test_what_nothing_refers_to_goes(memory, packed):
    blob = lost_blob(memory)
    if packed:
        pack = memory.folder / ".git/objects/pack"
        pack.mkdir(exist_ok=True)
        listed = f"{blob}\n{memory.head()}\n"
        subprocess.run(
            ["git", "pack-objects", "-q", str(pack / "pack")],
            input=listed,
            text=True,
            cwd=memory.folder,
            check=True,
            capture_output=True,
        )
    begin(memory, blob)
    finish(memory)
    assert not has(memory, blob)
    assert pending_moves(memory.folder) is None
    assert git(memory.folder, "fsck", "--strict") == ""
    assert memory.tree().read("reference/a.md") == page("a\n")


def test_what_a_branch_a_stash_or_the_index_refers_to_stays(memory):
    lost = lost_blob(memory)
    staged = lost_blob(memory, "staged\n")
    git(memory.folder, "update-index", "--add", "--cacheinfo", f"100644,{staged},staged.md")
    git(memory.folder, "branch", "mine", git(memory.folder, "commit-tree", "-m", "x", "HEAD^{tree}").strip())
    begin(memory, lost)
    finish(memory)
    assert has(memory, staged)
    assert git(memory.folder, "log", "--format=%s", "mine") == "x\n"


def test_what_is_still_held_is_told_and_the_next_call_completes(memory):
    staged = lost_blob(memory, "staged\n")
    git(memory.folder, "update-index", "--add", "--cacheinfo", f"100644,{staged},staged.md")
    begin(memory, staged)
    with pytest.raises(GitFailed, match=staged[:10]):
        finish(memory)
    git(memory.folder, "rm", "-q", "--cached", "staged.md")
    finish(memory)
    assert not has(memory, staged)


def test_without_a_beginning_nothing_is_pruned(memory):
    """Maintenance never prunes: only what moved references away does."""
    blob = lost_blob(memory)
    finish(memory)
    assert has(memory, blob)


def test_what_git_leaves_half_written_goes(memory):
    torn = memory.folder / ".git/objects/ab/tmp_obj_x"
    torn.parent.mkdir(exist_ok=True)
    torn.write_bytes(b"anything")
    message = memory.folder / ".git/COMMIT_EDITMSG"
    message.write_text("words\n")
    begin(memory, lost_blob(memory))
    finish(memory)
    assert not torn.exists()
    assert not message.exists()


def test_files_stay_private(memory):
    begin(memory, lost_blob(memory))
    finish(memory)
    packs = list((memory.folder / ".git/objects/pack").iterdir())
    assert packs
    assert all(file.stat().st_mode & 0o077 == 0 for file in packs)
