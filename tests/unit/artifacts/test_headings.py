import pytest

from vademecum.artifacts import is_memory_heading, without_memory_headings


@pytest.mark.parametrize(
    "line",
    [
        "# Task Group: everywhere",
        "  # task group: /srv/shop ",
        "- # Task Group: everywhere [note]",
        "> ## User Preferences",
        "## Task 3: make the tests pass, success",
        "## What's in Memory",
    ],
)
def test_a_heading_of_handbook_or_summary_is_known_in_any_disguise(line):
    assert is_memory_heading(line)


@pytest.mark.parametrize(
    "line",
    ["", "#", "# Rules", "# tabs", "Task Group: everywhere", "## Task force", "#no-heading", "- always use tabs"],
)
def test_other_lines_are_a_persons_own(line):
    assert not is_memory_heading(line)


def test_text_is_left_as_it_is_but_for_them():
    assert without_memory_headings("a\n# Task Group: everywhere\n\n  b\n") == "a\n\n  b\n"
