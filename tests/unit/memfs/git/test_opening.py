import os

import pytest

from support.memfs import create, git, page, put
from vademecum.errors import StorageError, UnsafePath
from vademecum.locks import Locks
from vademecum.memfs import Repository


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


def reopen(memory):
    return Repository.open(memory.folder, locks=Locks(memory.folder.parent / "locks"))


HOSTILE_CONFIG = """
[core]
    autocrlf = true
    hooksPath = {hooks}
    excludesFile = {hooks}/ignore
    attributesFile = {hooks}/attributes
    worktree = {hooks}
    fsmonitor = {hooks}/pre-commit
[commit]
    gpgsign = true
[user]
    name = Hostile
[init]
    templateDir = {hooks}
    defaultBranch = hostile
"""


def test_neither_the_persons_configuration_nor_git_variables_have_any_effect(tmp_path, closed_home, monkeypatch):
    """core-R41, core-W12, core-W13"""
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    (hooks / "ignore").write_text("*.md\n")
    (hooks / "attributes").write_text("*.md eol=crlf filter=evil\n")
    config = HOSTILE_CONFIG.format(hooks=hooks)
    for place in (closed_home / ".gitconfig", closed_home / "xdg-config/git/config", tmp_path / "system"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(config)
    other = create(tmp_path / "other")
    hostile = {
        "GIT_DIR": str(other.folder / ".git"),
        "GIT_WORK_TREE": str(other.folder),
        "GIT_INDEX_FILE": str(tmp_path / "index"),
        "GIT_OBJECT_DIRECTORY": str(other.folder / ".git/objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(other.folder / ".git/objects"),
        "GIT_CONFIG_GLOBAL": str(tmp_path / "system"),
        "GIT_CONFIG_SYSTEM": str(tmp_path / "system"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.autocrlf",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_TEMPLATE_DIR": str(hooks),
        "GIT_NAMESPACE": "hostile",
        "GIT_AUTHOR_NAME": "Hostile",
        "GIT_COMMITTER_DATE": "1970-01-01T00:00:00Z",
    }
    before = other.head()
    with monkeypatch.context() as patch:
        for name, value in hostile.items():
            patch.setenv(name, value)
        memory = create(tmp_path)
        commit = put(memory, a=page("line\n"))
    assert other.head() == before
    assert commit.author == "vademecum"
    assert commit.at.year > 1970
    assert (memory.folder / "reference/a.md").read_bytes() == page("line\n").encode()
    assert not (memory.folder / ".git/hooks/reference-transaction").exists()
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "index").exists()
    for place in (closed_home / ".gitconfig", closed_home / "xdg-config/git/config"):
        place.unlink()
    assert git(memory.folder, "status", "--porcelain") == ""
    assert git(memory.folder, "fsck", "--strict") == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("objects/info/alternates", "/tmp/elsewhere\n"),
        ("commondir", "/tmp/elsewhere\n"),
        ("config.worktree", "[core]\n"),
        ("config", "[core]\n\tworktree = /tmp/elsewhere\n"),
        ("config", "[include]\n\tpath = /tmp/elsewhere\n"),
        ("config", '[includeIf "gitdir:/"]\n\tpath = /tmp/elsewhere\n'),
    ],
)
def test_a_repository_that_leads_elsewhere_is_refused_for_reading_and_writing(memory, name, text):
    """core-R85"""
    with (memory.folder / ".git" / name).open("a") as file:
        file.write(text)
    with pytest.raises(UnsafePath):
        reopen(memory)
    with pytest.raises(UnsafePath):
        put(memory, a=page())


@pytest.mark.parametrize("name", [".git", ".git/objects", ".git/refs", ".git/config", ".git/HEAD"])
def test_links_in_place_of_gits_own_files_are_refused(tmp_path, memory, name):
    (memory.folder / name).rename(tmp_path / "moved")
    (memory.folder / name).symlink_to(tmp_path / "moved")
    with pytest.raises(UnsafePath):
        reopen(memory)


def test_a_git_file_in_place_of_the_folder_is_refused(tmp_path, memory):
    (memory.folder / ".git").rename(tmp_path / "moved")
    (memory.folder / ".git").write_text(f"gitdir: {tmp_path}/moved\n")
    with pytest.raises(UnsafePath, match="not a folder"):
        reopen(memory)


def test_a_root_that_was_swapped_for_a_link_is_refused(tmp_path, memory):
    memory.folder.rename(tmp_path / "moved")
    memory.folder.symlink_to(tmp_path / "moved")
    with pytest.raises(UnsafePath, match="symbolic link"):
        put(memory, a=page())


def test_a_configuration_that_cannot_be_read_is_a_storage_error(memory):
    (memory.folder / ".git/config").write_text("[broken")
    with pytest.raises(StorageError):
        reopen(memory)


def test_packed_objects_and_references_are_read_and_built_upon(memory):
    """A person's `git gc` is normal life."""
    put(memory, a=page())
    head = memory.head()
    git(memory.folder, "gc", "-q", "--prune=now")
    assert not (memory.folder / ".git/refs/heads/main").exists()
    assert memory.head() == head
    assert put(memory, b=page()) is not None
    assert memory.tree().read("reference/a.md") == page()
    assert git(memory.folder, "fsck", "--strict") == ""


def test_a_persons_own_commit_stays_private(memory):
    (memory.folder / "mine.md").write_text("x\n")
    git(memory.folder, "add", ".")
    git(memory.folder, "commit", "-qm", "mine")
    assert (memory.folder / ".git/refs/heads/main").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["config", "index", "packed-refs", "shallow", "refs/heads/main", "logs/HEAD"])
def test_a_pipe_in_the_place_of_a_file_of_git_is_refused_and_not_waited_for(tmp_path, name):
    memory = create(tmp_path)
    file = memory.folder / ".git" / name
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    with pytest.raises(UnsafePath, match="is no regular file"):
        Repository.open(memory.folder, locks=Locks(tmp_path / "locks"))


def test_a_settings_file_beside_the_repositorys_own_is_refused_with_the_way_to_be_rid_of_it(memory):
    (memory.folder / ".git/config.worktree").write_text("[core]\n")
    with pytest.raises(UnsafePath) as caught:
        reopen(memory)
    assert "git config --unset extensions.worktreeConfig" in caught.value.next_step


def test_an_object_that_was_emptied_is_damage_and_what_mends_it_is_told(memory):
    put(memory, a=page())
    blob = memory.tree().blob_id("reference/a.md")
    file = memory.folder / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    file.write_bytes(b"")
    with pytest.raises(StorageError, match="is damaged") as caught:
        reopen(memory).tree().read("reference/a.md")
    assert "clone or backup" in caught.value.next_step
