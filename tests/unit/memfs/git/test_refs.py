"""References of ours come and go by files that we write ourselves, so that a killed writer leaves nothing unknown."""

import pytest

from support.killing import in_child, kill_at
from support.memfs import create, git, learn, page, put
from vademecum.errors import BusyError
from vademecum.memfs.git import refs
from vademecum.memfs.git.opening import open_git

EDITS = {"reference/new.md": page("proposed\n").encode()}


@pytest.fixture
def repository(tmp_path):
    """Two proposals, packed by a person's git, and a packed tag."""
    repository = create(tmp_path)
    for run in ("run-1", "run-2"):
        repository.keep_proposal(repository.tree(), EDITS, subject="propose", provenance=learn(run))
    git(repository.folder, "tag", "-am", "mine", "mine")
    git(repository.folder, "pack-refs", "--all")
    return repository


def lock(repository):
    return repository.folder / ".git" / "packed-refs.lock"


def test_a_packed_one_is_dropped_and_the_others_stay(repository):
    repository.keep_proposal(repository.tree(), EDITS, subject="again", provenance=learn("run-1"))
    repository.drop_proposal("run-1")
    assert repository.proposals() == refs.proposals(open_git(repository.folder)) == ["run-2"]
    assert git(repository.folder, "rev-parse", "mine^{commit}").strip() == repository.head()
    git(repository.folder, "fsck", "--strict")


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_killed_anywhere_the_next_writer_goes_on(repository):
    for step in range(1, 50):

        def drop(step=step):
            kill_at(step)
            repository.drop_proposal("run-2")

        if in_child(drop) == 0:
            break
        put(repository, name=page(f"{step}\n"))
        assert not lock(repository).exists()
        git(repository.folder, "fsck", "--strict")
    assert step > 2
    repository.drop_proposal("run-1")
    assert refs.proposals(open_git(repository.folder)) == []


@pytest.mark.parametrize("content", [b"", b"# pack-refs with: peeled\n"], ids=["git", "libgit2"])
def test_a_lock_of_somebody_else_is_named_with_what_to_delete(repository, monkeypatch, content):
    """git's own is empty while it packs references."""
    monkeypatch.setattr("vademecum.memfs.repository.PATIENT_SECONDS", 0)
    lock(repository).write_bytes(content)
    with pytest.raises(BusyError, match=r"packed-refs\.lock exists") as caught:
        repository.drop_proposal("run-1")
    assert f"delete {lock(repository)}" in caught.value.next_step
    assert repository.proposals() == ["run-1", "run-2"]
    put(repository, name=page())
    assert lock(repository).read_bytes() == content
