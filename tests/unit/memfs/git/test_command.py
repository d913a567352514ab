"""The git command line sees the repository and nothing else."""

import pytest

from support.memfs import create
from vademecum.errors import GitFailed
from vademecum.memfs.git.command import run_git


def test_it_answers_from_the_repository(tmp_path):
    memory = create(tmp_path)
    assert run_git(memory.folder, "rev-parse", "HEAD").decode().strip() == memory.head()


def test_variables_of_a_surrounding_git_have_no_effect(tmp_path, monkeypatch):
    """core-W12"""
    memory = create(tmp_path)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    assert run_git(memory.folder, "rev-parse", "HEAD").decode().strip() == memory.head()


def test_a_failure_says_what_git_said(tmp_path):
    memory = create(tmp_path)
    with pytest.raises(GitFailed, match=r"`git cat-file` failed with 128: .*nothing-here"):
        run_git(memory.folder, "cat-file", "blob", "nothing-here")


def test_without_git_the_error_says_so(tmp_path, monkeypatch):
    memory = create(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitFailed, match="not installed"):
        run_git(memory.folder, "status")
