"""People work in the memory folder with editors, file managers and plain git while we write."""

import os
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from support.memfs import create, draft, git, learn, page, put
from vademecum.errors import DirtyPath, RefusedError, UnsafePath
from vademecum.memfs import Writer, land

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


@pytest.fixture
def memory(tmp_path):
    memory = create(tmp_path)
    put(memory, a=page("old\n"), b=page("old\n"))
    return memory


def status(memory):
    return git(memory.folder, "status", "--porcelain", "--untracked-files=all")


def edit_by_hand(memory, name, text):
    """Save as vim does: probe the folder, move the old file aside, write the new one, drop the old one."""
    file = memory.folder / "reference" / name
    (file.parent / "4913").touch()
    (file.parent / "4913").unlink()
    file.rename(f"{file}~")
    file.write_text(text)
    file.with_name(f"{name}~").unlink()


LITTER = (
    "4913",
    ".a.md.swp",
    "a.md~",
    "#a.md#",
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    "a.md.orig",
    ".a.md.Xy12",
    "._a.md",
)


def test_what_editors_and_desktops_leave_neither_blocks_nor_becomes_memory(memory):
    """core-W2"""
    for name in LITTER:
        (memory.folder / "reference" / name).write_bytes(b"\0litter")
    (memory.folder / "reference/.#a.md").symlink_to("somebody@machine.123")  # Emacs locks a file by a dangling link
    untracked = status(memory)
    assert put(memory, a=page("new\n")).paths == ("reference/a.md",)
    adoption = memory.adopt()
    assert (adoption.commit, adoption.refused) == (None, {})
    assert status(memory) == untracked
    assert untracked.count("??") == len(LITTER) + 1


def test_an_editor_that_saves_by_rename_makes_a_hand_edit_like_any_other(memory):
    edit_by_hand(memory, "a.md", page("by hand\n"))
    with pytest.raises(DirtyPath):
        put(memory, a=page("tool\n"))
    assert put(memory, b=page("tool\n")) is not None
    assert memory.adopt().commit.paths == ("reference/a.md",)
    assert put(memory, a=page("tool\n")) is not None
    assert status(memory) == ""


def test_a_file_that_an_editor_moved_aside_for_a_moment_is_not_written_meanwhile(memory):
    file = memory.folder / "reference/a.md"
    file.rename(f"{file}~")
    with pytest.raises(DirtyPath):
        put(memory, a=page("tool\n"))
    assert put(memory, b=page("tool\n")) is not None
    file.with_name("a.md~").rename(file)
    assert put(memory, a=page("tool\n")) is not None


def test_what_a_person_staged_is_theirs_to_commit_after_our_edit(memory):
    (memory.folder / "mine.md").write_text("mine\n")
    git(memory.folder, "add", "mine.md")
    put(memory, a=page("tool\n"))
    assert status(memory) == "A  mine.md\n"
    git(memory.folder, "commit", "-qm", "mine")
    mine, ours = memory.log(limit=2)
    assert (mine.paths, ours.paths) == (("mine.md",), ("reference/a.md",))
    assert memory.tree().read("reference/a.md") == page("tool\n")
    assert status(memory) == ""


def test_a_commit_whose_message_is_being_written_does_not_stop_us_and_undoes_nothing(memory, tmp_path):
    """git refuses the person's commit, because main moved; made again it holds both."""
    for name in ("opened", "closed"):
        os.mkfifo(tmp_path / name)
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\necho > {tmp_path}/opened\nread line < {tmp_path}/closed\necho mine > "$1"\n')
    editor.chmod(0o700)
    (memory.folder / "mine.md").write_text("mine\n")
    git(memory.folder, "add", "mine.md")
    identity = ("-c", "user.name=Person", "-c", "user.email=person@example.org")
    command = ["git", *identity, "-c", f"core.editor={editor}", "commit"]
    person = subprocess.Popen(command, cwd=memory.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    (tmp_path / "opened").read_text()
    put(memory, a=page("tool\n"))
    (tmp_path / "closed").write_text("\n")
    person.communicate(timeout=20)
    git(memory.folder, "commit", "-qm", "mine", check=person.returncode != 0)
    assert memory.tree().read("reference/a.md") == page("tool\n")
    assert memory.tree().has("mine.md")
    assert status(memory) == ""


@pytest.mark.parametrize("damage", ["gone", "empty", "torn"])
def test_an_index_that_git_could_not_read_is_made_anew(memory, damage):
    index = memory.folder / ".git/index"
    whole = index.read_bytes()
    index.unlink()
    if damage != "gone":
        index.write_bytes(b"" if damage == "empty" else whole[:-30])
    put(memory, a=page("tool\n"))
    assert status(memory) == ""


def test_a_detached_head_is_not_written_and_says_the_way_back(memory):
    git(memory.folder, "switch", "-q", "--detach")
    with pytest.raises(RefusedError, match="not on branch main") as caught:
        put(memory, a=page("tool\n"))
    assert "git switch main" in caught.value.next_step
    git(memory.folder, "switch", "-q", "main")
    assert put(memory, a=page("tool\n")) is not None


@pytest.mark.parametrize("command", ["rebase", "merge", "cherry-pick", "revert"])
def test_an_unfinished_git_operation_is_left_as_it_is_and_named(memory, command):
    """core-R80"""
    git(memory.folder, "switch", "-qc", "other")
    (memory.folder / "reference/a.md").write_text(page("other\n"))
    git(memory.folder, "commit", "-qam", "other")
    git(memory.folder, "switch", "-q", "main")
    put(memory, a=page("main\n"))
    put(memory, a=page("later\n"))
    target = {"revert": "HEAD~1", "rebase": "other", "merge": "other", "cherry-pick": "other"}[command]
    git(memory.folder, command, *(["--no-edit"] if command == "revert" else []), target, check=False)
    before = status(memory)
    assert "UU reference/a.md" in before
    with pytest.raises(RefusedError, match="unfinished") as caught:
        put(memory, b=page("tool\n"))
    assert "Finish or abort" in caught.value.next_step
    assert status(memory) == before
    git(memory.folder, command, "--abort")
    assert put(memory, b=page("tool\n")) is not None


def test_a_checkout_with_other_line_ends_is_a_hand_edit_that_cannot_be_adopted(memory):
    git(memory.folder, "config", "core.autocrlf", "true")
    for name in ("a.md", "b.md"):
        (memory.folder / "reference" / name).unlink()
    git(memory.folder, "checkout", "-q", ".")
    assert b"\r\n" in (memory.folder / "reference/a.md").read_bytes()
    with pytest.raises(DirtyPath):
        put(memory, a=page("tool\n"))
    assert {"reference/a.md", "reference/b.md"} <= memory.adopt().refused.keys()
    assert b"\r" not in memory.tree().read_bytes("reference/a.md")


def test_a_folder_in_the_place_of_a_file_is_not_written_and_not_adopted(memory):
    file = memory.folder / "reference/a.md"
    file.unlink()
    file.mkdir()
    (file / "inner.md").write_text(page())
    with pytest.raises(UnsafePath):
        put(memory, a=page("tool\n"))
    assert "reference/a.md/inner.md" in memory.adopt().refused
    assert (file / "inner.md").read_text() == page()


def test_a_file_in_the_place_of_a_folder_is_not_written(memory):
    put(memory, **{"deep/c": page()})
    git(memory.folder, "rm", "-rq", "--cached", "reference/deep")
    (memory.folder / "reference/deep/c.md").unlink()
    (memory.folder / "reference/deep").rmdir()
    (memory.folder / "reference/deep").write_text("a file\n")
    with pytest.raises((UnsafePath, DirtyPath)):
        put(memory, **{"deep/c": page("tool\n")})
    assert (memory.folder / "reference/deep").read_text() == "a file\n"


def test_time_never_decides_what_is_newer(tmp_path):
    """core-26.6: the clock of one writer is a day behind the other's."""
    times = iter([datetime(2026, 5, day, tzinfo=UTC) + timedelta(hours=3) for day in (9, 8, 7, 6)])
    memory = create(tmp_path, clock=lambda: next(times))
    for number in range(3):
        put(memory, f"put {number}", learn(f"run-{number}"), a=page(f"{number}\n"))
    assert [commit.subject for commit in memory.log(limit=3)] == ["put 2", "put 1", "put 0"]
    assert memory.tree().read("reference/a.md") == page("2\n")
    assert memory.find_run(learn("run-2"), after=memory.resolve("HEAD~1")).subject == "put 2"
    assert memory.find_run(learn("run-1"), after=memory.resolve("HEAD~1")) is None


NAMES = ("[ab]", "!bang", "ünïcode", "日本", "it's", "a b", "-dash", "(round)", "{a,b}", "#hash", "%41", "&and", "@at")


def test_a_name_that_looks_like_a_pattern_or_an_option_is_only_a_name(memory):
    """core-R38, core-W14"""
    put(memory, **{name: page() for name in NAMES})
    for name in NAMES:
        assert put(memory, **{name: page(f"{name}\n")}).paths == (f"reference/{name}.md",)
        assert (memory.folder / f"reference/{name}.md").read_text() == page(f"{name}\n")
    assert status(memory) == ""


def test_a_persons_own_configuration_of_the_repository_stays_and_names_nobody_else_as_author(memory, tmp_path):
    """core-R33, core-R34"""
    for name, value in (("user.name", "Person"), ("commit.gpgSign", "true"), ("gc.auto", "0")):
        git(memory.folder, "config", name, value)
    before = (memory.folder / ".git/config").read_bytes()
    commit = put(create(tmp_path), a=page("tool\n"))
    assert (commit.author, commit.provenance.writer) == ("vademecum", Writer.MEMORY_TOOL)
    assert (memory.folder / ".git/config").read_bytes() == before


def test_a_landing_in_conflict_leaves_no_merge_behind(memory, tmp_path):
    """core-R79"""
    with draft(memory, tmp_path) as work:
        work.write("reference/a.md", page("learned\n"))
        frozen = work.freeze()
    put(memory, a=page("meanwhile\n"))
    landing = land(memory, frozen, subject="Learn", provenance=learn())
    assert landing.conflicts == ("reference/a.md",)
    assert not list((memory.folder / ".git").glob("MERGE*"))
    assert git(memory.folder, "branch", "--format=%(refname)") == "refs/heads/main\n"
    assert git(memory.folder, "worktree", "list", "--porcelain").count("worktree ") == 1
    assert status(memory) == ""
