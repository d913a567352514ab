"""A handbook that is cut into its parts is the same when it is put together."""

import pytest

from vademecum.artifacts import handbook_parts, with_hidden_parts, without_parts

A = "# Task Group: /a\nscope: a\n\n## User preferences\n- one\n"
B = "# Task Group: /b\nscope: b\n\n## User preferences\n- two\n"
ALL = "# Task Group: everywhere\nscope: all\n"
MINE = "# Mine\nwords of a person\n"
WHOLE = f"{A}\n{B}\n{MINE}\n{ALL}"


def test_each_part_is_known_by_its_project_and_nothing_is_lost():
    parts = handbook_parts(WHOLE)
    assert [part.project for part in parts] == ["/a", "/b", None, ""]
    assert "".join(part.text for part in parts) == WHOLE


@pytest.mark.parametrize(
    "inner",
    ["```\n# Task Group: /c\n```\n", "<!-- vade:yours -->\n# Task Group: /c\n<!-- /vade:yours -->\n"],
    ids=["code", "lines of a person"],
)
def test_a_heading_in_code_or_among_a_person_s_lines_begins_no_part(inner):
    assert [part.project for part in handbook_parts(f"{A}{inner}{B}")] == ["/a", "/b"]


@pytest.mark.parametrize("hidden", [["/a"], ["/b"], ["/a", "/b"], []])
def test_what_was_not_changed_comes_back_byte_for_byte(hidden):
    assert with_hidden_parts(without_parts(WHOLE, hidden), WHOLE, hidden) == WHOLE


def test_a_hidden_group_stays_behind_its_neighbour_whatever_became_of_that():
    written = without_parts(WHOLE, ["/b"]).replace("- one", "- one and more")
    assert with_hidden_parts(written, WHOLE, ["/b"]) == WHOLE.replace("- one", "- one and more")


def test_a_hidden_group_whose_neighbour_is_gone_is_kept():
    assert with_hidden_parts(ALL, WHOLE, ["/b"]) == f"{ALL}\n{B}"


def test_a_hidden_group_that_came_first_still_does():
    assert with_hidden_parts(f"{B}- three\n", f"{A}\n{B}", ["/a"]) == f"{A}\n{B}- three\n"
