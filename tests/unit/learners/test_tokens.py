"""One estimate of tokens, for prompts and for what nobody has counted."""

import pytest

from vademecum.learners import tokens_of


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("日本語", 3), ("abcd日", 2)])
def test_tokens_are_estimated_on_the_safe_side(text, tokens):
    assert tokens_of(text) == tokens
