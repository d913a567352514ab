import pytest

from support.memfs import create, git, page, put
from vademecum.memfs.git.index_caches import drop_index_caches


@pytest.fixture
def memory(tmp_path):
    made = create(tmp_path)
    put(made, **{"one": page("one"), "deep/two": page("two")})
    return made


@pytest.mark.parametrize("version", [2, 3, 4])
@pytest.mark.parametrize("skips_hash", [False, True])
def test_every_form_of_git_loses_what_it_cached_and_keeps_its_entries(memory, version, skips_hash):
    root, index = memory.folder, memory.folder / ".git/index"
    git(root, "config", "index.skipHash", str(skips_hash).lower())
    (root / "staged.md").write_text("mine")
    git(root, "add", "--intent-to-add" if version == 3 else "--force", "staged.md")
    git(root, "update-index", f"--index-version={version}", "--untracked-cache", "--force-write-index")
    git(root, "write-tree", check=version != 3)
    git(root, "status")
    assert b"UNTR" in index.read_bytes()
    staged = git(root, "ls-files", "--stage", "--debug")
    drop_index_caches(index)
    assert not any(name in index.read_bytes() for name in (b"TREE", b"UNTR", b"EOIE"))
    assert git(root, "ls-files", "--stage", "--debug") == staged
    git(root, "fsck", "--strict")


def test_an_index_without_any_or_in_no_known_form_stays_as_it_is(memory, tmp_path):
    index = memory.folder / ".git/index"
    drop_index_caches(index)
    plain = index.read_bytes()
    for data in (plain, b"", b"DIRC", plain[:100], b"x" * 200):
        (tmp_path / "index").write_bytes(data)
        drop_index_caches(tmp_path / "index")
        assert (tmp_path / "index").read_bytes() == data
    drop_index_caches(tmp_path / "none")
