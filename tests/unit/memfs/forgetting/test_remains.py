"""The proof that words are gone reads everything: each kind of place is found."""

import json

import pytest

from support.memfs import create, git, page, put
from vademecum.memfs.forgetting.remains import Finder, look_in_files, look_in_objects, look_in_text

WORDS = "the vault code is basilisk"


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


def found(memory):
    return [find.where for find in look_in_objects(memory.folder, Finder([WORDS])).finds]


def test_a_file_of_any_commit_is_found_with_path_and_commit(memory):
    put(memory, a=page(f"x {WORDS} y\n"))
    commit = memory.head()
    memory.commit({"reference/a.md": None}, subject="gone", provenance=memory.log(limit=1)[0].provenance)
    assert found(memory) == [f"reference/a.md in commit {commit[:10]}"]


def test_a_message_and_a_name_are_found(memory):
    git(memory.folder, "commit", "-q", "--allow-empty", "-m", f"note: {WORDS}")
    (memory.folder / f"{WORDS}.md").write_text("x\n")
    git(memory.folder, "add", f"{WORDS}.md")
    git(memory.folder, "commit", "-qm", "x")
    where = found(memory)
    assert any(place.startswith("the message of commit") for place in where)
    assert any(place.startswith("a name in the folder in commit") for place in where)


@pytest.mark.parametrize("packed", [False, True])
def test_what_no_commit_has_is_found_loose_and_packed(memory, packed):
    (memory.folder / "x").write_text(WORDS)
    git(memory.folder, "add", "x")
    git(memory.folder, "commit", "-qm", "x")
    if packed:
        git(memory.folder, "repack", "-adq")
    git(memory.folder, "update-ref", "refs/heads/main", "HEAD~1")
    assert len(found(memory)) == 1
    assert "in no commit" in found(memory)[0]


def test_all_objects_are_counted(memory):
    put(memory, a=page("a\n"))
    looked = look_in_objects(memory.folder, Finder([WORDS]))
    assert looked.objects == git(memory.folder, "cat-file", "--batch-check", "--batch-all-objects").count("\n")
    assert looked.size_bytes > 1000
    assert looked.finds == ()


def test_files_are_read_where_git_and_databases_put_them_too(memory):
    (memory.folder / ".git/COMMIT_EDITMSG").write_text(WORDS)
    (memory.folder / "draft.txt").write_bytes(b"\xff\xfe " + WORDS.encode())
    where = {find.where for find in look_in_files(memory.folder.parent, Finder([WORDS])).finds}
    assert where == {"memory/.git/COMMIT_EDITMSG", "memory/draft.txt"}


def test_words_are_found_as_json_and_in_other_forms():
    words = 'say "grüße" \\ twice'
    finder = Finder([words], lambda text: text.replace("twice", "[masked]"))
    assert finder.in_bytes(json.dumps({"x": words}).encode()) == [words]
    assert finder.in_bytes(f"... {words} ...".encode()) == [words]
    assert finder.in_bytes('say "grüße" \\ [masked]'.encode()) == [words]
    assert finder.in_bytes(b"say nothing") == []


def test_all_words_of_one_place_are_told():
    looked = look_in_text(Finder(["one two three", "two three four"]), [("here", b"one two three four")])
    assert [(find.where, find.words) for find in looked.finds] == [
        ("here", "one two three"),
        ("here", "two three four"),
    ]
    assert looked.size_bytes == 18
