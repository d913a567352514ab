"""What of a person's staged work may not be committed, and why; the same rules as for `vade adopt`."""

import re

import pytest

from support.memfs import FAKE_SECRET, TOOL, create, git, page, put
from vademecum.errors import GitFailed, StorageError
from vademecum.memfs.hand_commits.check import staged_problems


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


def stage(memory, *names, **texts):
    for path, text in texts.items():
        file = memory.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    git(memory.folder, "add", "--all", *names)
    return staged_problems(memory.folder, None)


REFUSED = {
    "a header without description": ({"reference/x.md": "no header\n"}, "no header with a description"),
    "a header that is no header": ({"log/x.md": "---\na: b: c\n---\n"}, "header line 2"),
    "a blank alias": ({"reference/x.md": '---\ndescription: x\naliases: ["a", " "]\n---\n'}, "aliases"),
    "a piece of a tool call": ({"reference/x.md": "---\ndescription: x</parameter>\n---\n"}, "piece of a tool call"),
    "UTF-16": ({"reference/x.md": "x".encode("utf-16")}, "UTF-16"),
    "no text": ({"reference/x.md": b"\xff\x00"}, "not UTF-8"),
    "carriage returns": ({"reference/x.md": page("a\r\n")}, "carriage returns"),
    "a conflict marker": ({"MEMORY.md": "a\n<<<<<<< HEAD\nb\n"}, r"conflict marker \(<<<<<<<\) in line 2"),
    "a secret": ({"MEMORY.md": f"a\ntoken: {FAKE_SECRET}\n"}, r"secret \([\w-]+\) in line 2"),
    "a secret in a file that is no memory": ({"notes.txt": f"token: {FAKE_SECRET}\n"}, r"secret \([\w-]+\) in line 1"),
    "a secret in a name": ({f"log/{FAKE_SECRET}.md": "x\n"}, "name that looks like a secret"),
    "a name of a device": ({"reference/aux.md": page()}, "device on Windows"),
    "a page in the wrong case": ({"reference/X.MD": page()}, r"ends in \.md"),
    "a name that collides": ({"system/Human.md": page()}, r"can be taken for 'human\.md'"),
    "too large a page": ({"log/x.md": b"x" * (4 * 1024 * 1024 + 1)}, "more than 4194304 bytes"),
}


@pytest.mark.parametrize(("files", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_it_is_refused_in_one_line_that_repeats_no_secret(memory, files, reason):
    """core-R14, core-R16, core-R17, core-R44"""
    (problem,) = stage(memory, **files)
    assert re.search(reason, problem), problem
    assert "\n" not in problem
    assert FAKE_SECRET not in problem or "name" in reason


ALLOWED = {
    "a page at the root without a header": {"todo.md": "- milk\n"},
    "files that are no memory": {"notes.txt": "x\n", ".gitignore": "*.swp\n", "a.bin": b"\0\1", ".github/X.MD": "x"},
    "read_only set by a person": {"reference/x.md": "---\ndescription: x\nread_only: true\n---\n"},
    "a boundary": {"system/boundaries.md": page("- never push\n")},
}


@pytest.mark.parametrize("files", ALLOWED.values(), ids=ALLOWED.keys())
def test_a_person_may_write_as_they_like(memory, files):
    """core-R43, core-R44"""
    assert stage(memory, **files) == []


def test_all_problems_are_told_at_once(memory):
    found = stage(memory, **{"reference/a.md": "a\n", "reference/b.md": f"{FAKE_SECRET}\n"})
    assert [problem.partition(":")[0] for problem in found] == ["reference/a.md", "reference/b.md", "reference/b.md"]


def test_only_what_changes_is_looked_at(memory):
    """A header that was wrong before may stay while the body is edited."""
    (memory.folder / "reference").mkdir()
    (memory.folder / "reference/old.md").write_text("---\ndescription: >\n  wide\n---\nold\n")
    git(memory.folder, "add", ".")
    git(memory.folder, "commit", "-qm", "old")
    assert stage(memory, **{"log/x.md": "x\n"}) == []
    assert stage(memory, **{"reference/old.md": "---\ndescription: >\n  wide\n---\nnew\n"}) == []


def test_what_is_staged_counts_not_what_lies_in_the_folder(memory):
    assert stage(memory, **{"reference/x.md": "bad\n"})
    (memory.folder / "reference/x.md").write_text(page())
    assert staged_problems(memory.folder, None)
    git(memory.folder, "add", ".")
    (memory.folder / "reference/x.md").write_text("bad again\n")
    assert staged_problems(memory.folder, None) == []


def test_a_page_that_is_only_announced_is_not_looked_at(memory):
    (memory.folder / "reference").mkdir()
    (memory.folder / "reference/x.md").write_text("bad\n")
    git(memory.folder, "add", "--intent-to-add", "reference/x.md")
    assert staged_problems(memory.folder, None) == []


def test_another_spelling_of_a_name_may_take_its_place(memory):
    (memory.folder / "log").mkdir()
    (memory.folder / "log/day.md").write_text("x\n")
    git(memory.folder, "add", "log")
    git(memory.folder, "commit", "-qm", "a page")
    git(memory.folder, "mv", "log/day.md", "log/tmp.md")
    git(memory.folder, "mv", "log/tmp.md", "log/Day.md")
    assert staged_problems(memory.folder, None) == []


def test_names_of_any_script_and_sign_are_told_as_they_are(memory):
    """core-R38"""
    problems = stage(
        memory, **{"reference/é 日本.md": "x\n", 'reference/a"b\tc\n.md': "x\n", "reference/--all.md": "x\n"}
    )
    assert [problem for problem in problems if problem.startswith("reference/é 日本.md: has no header")]
    assert [problem for problem in problems if problem.startswith("reference/--all.md: has no header")]
    assert [problem for problem in problems if "invisible character U+0009" in problem]


def test_a_link_is_refused_where_memory_would_read_it(tmp_path, memory):
    (memory.folder / "log.md").symlink_to("/etc/hostname")
    (memory.folder / "elsewhere").symlink_to("/etc")
    assert stage(memory) == ["log.md: is a symbolic link; memory reads plain files only"]


def test_a_deletion_is_a_persons_right(memory):
    git(memory.folder, "rm", "-q", "system/human.md")
    assert staged_problems(memory.folder, None) == []


def test_a_repository_without_a_commit_is_checked_as_well(memory):
    git(memory.folder, "checkout", "-q", "--orphan", "fresh")
    (told,) = stage(memory, **{"reference/x.md": "bad\n"})
    assert told.startswith("reference/x.md: has no header with a description")


def test_the_index_that_is_named_is_the_one_that_counts(tmp_path, memory):
    (memory.folder / "log.md").write_text("<<<<<<< HEAD\n")
    index = tmp_path / "other-index"
    index.write_bytes((memory.folder / ".git/index").read_bytes())
    git(memory.folder, "add", "log.md")
    assert staged_problems(memory.folder, None)
    assert staged_problems(memory.folder, index) == []


def test_a_linked_work_tree_is_checked_against_its_own_branch(tmp_path, memory):
    """core-R42"""
    git(memory.folder, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    put(memory, a=page())
    (tmp_path / "side/log.md").write_text("<<<<<<< HEAD\n")
    git(tmp_path / "side", "add", ".")
    (problem,) = staged_problems(tmp_path / "side", None)
    assert problem.startswith("log.md: ")


def test_what_cannot_be_read_is_an_error_of_ours(tmp_path, memory, monkeypatch):
    with pytest.raises(StorageError):
        staged_problems(tmp_path, None)
    (tmp_path / "index").write_bytes(b"nothing")
    with pytest.raises(GitFailed):
        staged_problems(memory.folder, tmp_path / "index")


def test_a_note_that_was_let_past_the_scanner_is_not_asked_about_again(memory):
    memory.commit({"log/x.md": f"{FAKE_SECRET}\n"}, subject="x", provenance=TOOL, cleared=("log/x.md",))
    assert stage(memory, **{"log/y.md": "y\n"}) == []
