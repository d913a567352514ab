import pytest

from vademecum.memfs.links import links_in, resolve

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
