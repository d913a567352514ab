import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.memfs.pages.links import find_links, links_in, resolve, with_links

CASES = {
    "see [[reference/a]] and [[people/b/card.md]]": ["reference/a", "people/b/card.md"],
    "[[reference/a#part]] [[reference/b|words]]": ["reference/a", "reference/b"],
    "[[ -f x/y ]] and [[1, 2], [3, 4]] and [[1]]": [],
    "`[[code/a]]` and\n```\n[[code/b]]\n```\n[[text/c]]": ["text/c"],
    "~~~\n[[code/a]]\nnever closed": [],
    "no links at all": [],
    "[[a/b\nc/d]]": [],
}


@pytest.mark.parametrize(("text", "targets"), CASES.items())
def test_links_are_paths_in_double_brackets_outside_of_code(text, targets):
    assert links_in(text) == targets


def test_the_suffix_may_be_left_out():
    assert resolve("reference/a") == resolve("reference/a.md") == resolve("./reference/a") == "reference/a.md"
    assert resolve("extensions/x/resources/scope.json") == "extensions/x/resources/scope.json"


def test_links_of_markdown_are_read_from_the_folder_of_their_file():
    text = "[a](a.md) [b](../people/b%20c.md#h) [[people/d|d]] [x](https://a.b/c.md) [y](/e.md#) [z](#h) `[c](c.md)`"
    assert [(link.target, link.relative) for link in find_links(text, "reference/x.md")] == [
        ("reference/a.md", True),
        ("people/b c.md", True),
        ("people/d.md", False),
        ("/e.md", True),
    ]


PIECES = st.sampled_from(
    ["[[a/b]]", "[[a/b#c|d]]", "[x](y.md)", "`[[c/d]]`", "```\n", "~~~\n", "[[", "]]", "`", "\n", "w "]
)


@given(st.lists(PIECES, max_size=12).map("".join))
@settings(max_examples=100)
def test_a_link_stands_where_it_is_said_to_and_nothing_else_is_rewritten(text):
    for link in find_links(text, "x.md"):
        assert text[link.start : link.end] == link.written
    assert with_links(text, "x.md", lambda link: link.written) == text
    assert [link.written for link in find_links(text, "x.md") if not link.relative] == links_in(text)
