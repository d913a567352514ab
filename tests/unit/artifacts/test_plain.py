from hypothesis import given
from hypothesis import strategies as st

from vademecum.artifacts import neutralise, plain_line


@given(st.text(max_size=300), st.integers(10, 80))
def test_a_plain_line_is_one_bounded_line_that_moves_nothing(text, limit):
    line = plain_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert neutralise(line) == line
    assert "[[" not in line
    assert "<!--" not in line
    assert plain_line(line, limit) == line


def test_words_that_mean_something_in_a_memory_file_are_broken_up():
    assert plain_line("see [[gone.md]]") == "see [ [gone.md]]"
    assert plain_line("<<<<<<< HEAD") == "< <<<<<< HEAD"
    assert plain_line("a <!-- vade:3fa91c07be s#t1 -->") == "a <! -- vade:3fa91c07be s#t1 -->"
    assert plain_line("a\r\nb\0c") == "a b c"


def test_ordinary_words_of_any_language_stay():
    for text in ("use pnpm, never npm", "总是用 pnpm", "für `größere` Umbauten", "a[0][1] << 3", "x <- y"):
        assert plain_line(text) == text
