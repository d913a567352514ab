import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.recall.snippets import MAX_SNIPPET_CHARS, cut_snippet


def test_the_line_with_most_of_the_terms_is_shown_with_its_neighbours():
    snippet = cut_snippet("one\ntwo\nthe build fails\nfour\nfive", ["build", "fail"])
    assert snippet.text == "two\nthe build fails\nfour"
    assert (snippet.first, snippet.last) == (1, 3)


def test_a_term_is_found_in_another_form():
    assert "deployed" in cut_snippet("x\n\n" * 5 + "we deployed it", ["deploying"]).text


def test_a_long_line_is_cut_around_the_match():
    snippet = cut_snippet("a" * 1000 + " needle " + "b" * 1000, ["needle"])
    assert "needle" in snippet.text
    assert snippet.text[0] == snippet.text[-1] == "…"


def test_nothing_in_a_snippet_moves_a_terminal():
    assert "\x1b" not in cut_snippet("\x1b[31mred\u202e", ["red"]).text


@given(st.text(max_size=2000), st.lists(st.text(min_size=1, max_size=8), max_size=4))
def test_a_snippet_is_short_and_says_which_lines_it_shows(body: str, terms: list[str]):
    snippet = cut_snippet(body, terms)
    assert len(snippet.text) <= MAX_SNIPPET_CHARS
    assert snippet.last - snippet.first <= 2
    assert snippet.last < len(body.split("\n"))


@pytest.mark.parametrize("body", ["", "\n\n"])
def test_an_empty_passage_gives_an_empty_snippet(body: str):
    assert not cut_snippet(body, ["x"]).text.strip()
