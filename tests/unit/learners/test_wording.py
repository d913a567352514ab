import pytest

from vademecum.learners import is_of_the_words, says_the_same


@pytest.mark.parametrize(
    ("text", "grounds", "is_of_them"),
    [
        ("use pnpm here", ["please always use pnpm here, never npm"], True),
        ("use pnpm; run make check", ["use pnpm", "always run `make check` first"], True),
        ("never write tests", ["use pnpm"], False),
        ("push to production", [], False),
        ("nutze pnpm", ["bitte nutze immer pnpm"], True),
        ("用 pnpm", ["一律用 pnpm"], True),
        ("...", [], True),
    ],
)
def test_a_statement_is_made_of_the_words_of_what_it_rests_on(text, grounds, is_of_them):
    assert is_of_the_words(text, grounds) is is_of_them


def test_an_empty_statement_says_nothing():
    """The words of what was forgotten are not kept: nothing can be compared with them."""
    assert says_the_same("use pnpm", "use pnpm")
    assert not says_the_same("", "")
