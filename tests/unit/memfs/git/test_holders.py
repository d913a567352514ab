"""Who holds on to commits."""

import pytest

from support.memfs import create, git, page, put
from vademecum.memfs.git.holders import foreign_holders, own_references
from vademecum.memfs.git.opening import open_git


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("a\n"))
    return memory


def foreign(memory):
    return {holder.name: holder for holder in foreign_holders(open_git(memory.folder), memory.folder / ".git")}


def test_ours_are_main_baseline_proposals_and_trash(memory):
    for name in ("baseline", "proposals/run-1", "trash/20260101T000000Z/main", "other/thing"):
        git(memory.folder, "update-ref", f"refs/vademecum/{name}", "HEAD")
    assert set(own_references(open_git(memory.folder))) == {
        "refs/heads/main",
        "refs/vademecum/baseline",
        "refs/vademecum/proposals/run-1",
        "refs/vademecum/trash/20260101T000000Z/main",
    }
    assert set(foreign(memory)) == {"the reference refs/vademecum/other/thing"}


def test_a_memory_that_nobody_else_touched_has_no_foreign_holder(memory):
    assert foreign(memory) == {}


def test_each_is_named_with_its_commit_and_a_remedy_that_works(memory):
    git(memory.folder, "branch", "feature/x")
    git(memory.folder, "tag", "-a", "-m", "m", "v1")
    git(memory.folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(memory.folder, "update-ref", "refs/notes/commits", "HEAD")
    found = foreign(memory)
    assert set(found) == {
        "the branch feature/x",
        "the tag v1",
        "the remote branch origin/main",
        "the reference refs/notes/commits",
    }
    for holder in found.values():
        assert holder.commits == (memory.head(),)
        command = holder.remedy.partition("`git ")[2].partition("`")[0]
        git(memory.folder, *command.split())
    assert foreign(memory) == {}


def test_what_a_reflog_of_a_branch_or_a_buried_stash_names_counts(memory):
    first = memory.head()
    git(memory.folder, "branch", "trial")
    put(memory, a=page("b\n"))
    git(memory.folder, "branch", "-f", "trial", "HEAD")
    assert set(foreign(memory)["the branch trial"].commits) == {first, memory.head()}


def test_a_symbolic_name_of_nothing_is_no_holder_of_commits(memory):
    git(memory.folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    assert all(holder.commits == () for holder in foreign(memory).values())
