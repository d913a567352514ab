"""One rule for the name of a file or folder that is there, whatever a command looks at."""

from pathlib import Path

import pytest

from vademecum.errors import NotFound, UnsafePath, UsageError
from vademecum.memfs.commits.meant import find_meant, require_file, require_files, require_meant, split_lines

ROOT = Path("/srv/memory")
KNOWN = ("log/x.txt", "reference/a.md", "reference/both.md", "reference/both/c.md", "reference/v1.2.md", "todo.md")


def meant(text, known=KNOWN):
    meant = find_meant(text, known, root=ROOT)
    return None if meant is None else meant.path


@pytest.mark.parametrize(
    "text",
    [
        "reference/a.md",
        "reference/a",
        " ./reference/a ",
        "memory/reference/a",
        "/srv/memory/reference/a.md",
        "/srv/memory/reference/a",
    ],
)
def test_a_file_is_meant_however_it_is_written(text):
    assert find_meant(text, KNOWN, root=ROOT) == ("reference/a.md", ("reference/a.md",), False)


@pytest.mark.parametrize(
    "text", ["reference", "reference/", "./reference/", "memory/reference", "/srv/memory/reference/"]
)
def test_a_folder_is_all_that_lies_in_it(text):
    assert find_meant(text, KNOWN, root=ROOT) == ("reference", KNOWN[1:5], True)


@pytest.mark.parametrize("text", [".", "./", "/srv/memory", "/srv/memory/"])
def test_the_root_is_everything(text):
    assert find_meant(text, KNOWN, root=ROOT) == ("", KNOWN, True)


def test_the_ending_may_be_left_out_of_a_name_with_a_dot():
    assert meant("reference/v1.2") == "reference/v1.2.md"


def test_what_is_there_is_found_although_it_is_no_memory_path():
    assert meant("log/x.txt") == "log/x.txt"


def test_where_file_and_folder_are_there_the_shorter_name_means_neither():
    with pytest.raises(UsageError, match="a file and a folder") as caught:
        meant("reference/both")
    assert caught.value.next_step == "Name reference/both.md or reference/both/."
    assert meant("reference/both.md") == "reference/both.md"
    assert meant("reference/both/") == "reference/both"


@pytest.mark.parametrize(
    "text", ["", " ", "refer", "a.md", "reference/a/", "reference/a.md/", "/reference", "../x", "//"]
)
def test_what_is_not_there_is_none(text):
    assert meant(text) is None


def test_a_folder_of_the_name_memory_is_taken_at_its_word():
    assert meant("memory/a", ["a.md", "memory/b.md"]) is None
    assert meant("memory/b", ["a.md", "memory/b.md"]) == "memory/b.md"


@pytest.mark.parametrize(
    ("text", "near"), [("a.md", "reference/a.md"), ("referense/a", "reference/a.md"), ("todos", "todo.md")]
)
def test_an_error_names_what_is_spelled_alike(text, near):
    with pytest.raises(NotFound, match="nothing of the name") as caught:
        require_meant(text, KNOWN, root=ROOT, missing="nothing of the name {!r}")
    assert near in caught.value.next_step


@pytest.mark.parametrize("text", ["../x", "/etc/passwd", "a/../../b", ".git/config"])
def test_what_leads_elsewhere_is_refused(text):
    with pytest.raises(UnsafePath):
        require_meant(text, KNOWN, root=ROOT, missing="")


def test_a_folder_is_no_file():
    assert require_file("todo", KNOWN, root=ROOT) == "todo.md"
    with pytest.raises(NotFound, match="is a folder"):
        require_file("reference", KNOWN, root=ROOT)


def test_several_names_are_the_files_of_all_of_them():
    found = require_files(["reference/both/", "todo"], KNOWN, root=ROOT, missing="")
    assert found == {"reference/both/c.md", "todo.md"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("MEMORY.md:20-29", ("MEMORY.md", 20, 29)),
        ("log/a:7", ("log/a", 7, 7)),
        ("MEMORY.md", None),
        ("MEMORY.md:", None),
        ("MEMORY.md:x", None),
        ("a:b:3", None),
    ],
)
def test_lines_of_a_file_are_named_as_search_names_them(text, lines):
    assert split_lines(text) == lines
