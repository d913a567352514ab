"""A newest commit that lost objects: doctor names the one to go back to, and nothing of the files is lost by it."""

import re
import subprocess

import pytest

from support.memfs import create, git, page, put
from vademecum.findings import Level
from vademecum.memfs import inspect_repository

BLOB, TREE, COMMIT = "HEAD:reference/b.md", "HEAD:reference", "HEAD"


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("first\n"))
    put(memory, b=page("second\n"))
    return memory


def lose(memory, name):
    found = git(memory.folder, "rev-parse", name).strip()
    (memory.folder / ".git/objects" / found[:2] / found[2:]).unlink()
    return found


def problems(memory):
    return [finding for finding in inspect_repository(memory.folder) if finding.level is Level.PROBLEM]


@pytest.mark.parametrize("name", [BLOB, TREE, COMMIT])
def test_the_command_that_is_told_goes_back_and_adopting_takes_in_what_is_newer(memory, name):
    before = git(memory.folder, "rev-parse", "HEAD~1").strip()
    lost = lose(memory, name)
    (found,) = problems(memory)
    assert lost[:10] in found.what
    assert f"{before[:12]} before it is whole" in found.what
    command = re.search(r"`(git update-ref [^`]*)`", found.next)[1]
    subprocess.run(command, shell=True, cwd=memory.folder, capture_output=True, check=True)
    assert memory.adopt().commit.paths == ("reference/b.md",)
    assert memory.tree().read("reference/b.md") == page("second\n")
    assert problems(memory) == []


def test_what_is_missing_too_in_the_commit_before_is_passed_over(memory):
    start = git(memory.folder, "rev-parse", "HEAD~2").strip()
    lose(memory, "HEAD~1:reference")
    lose(memory, "HEAD:reference")
    (found,) = problems(memory)
    assert f"{start[:12]} before it is whole" in found.what


def test_where_no_commit_is_whole_a_clone_is_what_helps(memory):
    lose(memory, "HEAD:system/human.md")
    (found,) = problems(memory)
    assert "clone or backup" in found.next
