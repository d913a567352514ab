import pygit2
import pytest

from support.memfs import create, git, put
from vademecum.memfs.git.gathering import gathering
from vademecum.memfs.git.objects import updated_tree
from vademecum.memfs.git.opening import open_git


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, **{"deep/er/a": "---\ndescription: a\n---\na\n"})
    return memory


def stored(memory):
    return {path.name for path in (memory.folder / ".git/objects").glob("??/*")}


def build(repository):
    """A commit with a new blob three folders down; return all five new objects in the order of their making."""
    head = repository.head.peel(pygit2.Commit)
    tree = updated_tree(repository, head.tree_id, {"reference/deep/er/b.md": repository.create_blob(b"b\n")})
    by = pygit2.Signature("x", "x@example.org", 0, 0)
    return repository.create_commit(None, by, by, "x", tree, [head.id])


def test_what_is_gathered_can_be_read_at_once_and_is_in_the_store_only_when_named(memory, tmp_path):
    repository, store = open_git(memory.folder), memory.folder / ".git/objects"
    before = stored(memory)
    with gathering(repository, store) as objects:
        commit = build(repository)
        assert repository[commit].tree["reference/deep/er/b.md"].data == b"b\n"
        assert repository[commit].tree["system/human.md"].data
        staged = objects.stage(tmp_path)
        assert stored(memory) == before
        changed = objects.name(tmp_path, store)
    assert {folder / file.name[2:] for file in staged for folder in [store / file.name[:2]]} == {
        path for path in store.glob("??/*") if path.name not in before
    }
    assert {path.parent for path in store.glob("??/*") if path.name not in before} <= changed
    assert git(memory.folder, "fsck", "--strict", "--no-dangling") == ""
    assert git(memory.folder, "show", f"{commit}:reference/deep/er/b.md") == "b\n"
    assert open_git(memory.folder)[commit].tree["reference/deep/er/b.md"].data == b"b\n"


def test_what_an_object_names_is_staged_before_it(memory, tmp_path):
    repository = open_git(memory.folder)
    with gathering(repository, memory.folder / ".git/objects") as objects:
        build(repository)
        order = [file.name for file in objects.stage(tmp_path)]
        kinds = [repository[name].type_str for name in order]
    assert kinds == ["blob", "tree", "tree", "tree", "tree", "commit"]


def test_what_is_not_named_is_gone_with_the_block(memory):
    repository = open_git(memory.folder)
    before = stored(memory)
    with gathering(repository, memory.folder / ".git/objects"):
        commit = build(repository)
    assert commit not in repository
    assert stored(memory) == before


def test_what_the_store_has_already_is_not_gathered(memory, tmp_path):
    repository = open_git(memory.folder)
    blob = repository.head.peel(pygit2.Commit).tree["system/human.md"]
    with gathering(repository, memory.folder / ".git/objects") as objects:
        assert repository.create_blob(blob.data) == blob.id
        assert objects.stage(tmp_path) == []
