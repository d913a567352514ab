"""A mistyped word is answered with what it may have meant."""

import pytest

from vademecum.guesses import alike, did_you_mean

KNOWN = ("search", "status", "sessions")


def test_what_is_most_like_it_comes_first():
    assert alike("statsu", KNOWN)[0] == "status"


def test_what_is_like_nothing_means_nothing():
    assert did_you_mean("zzzz", KNOWN) == ""


@pytest.mark.parametrize(("word", "meant"), [("serach", "`search`"), ("stats", "`status`")])
def test_a_sentence_ends_with_the_guess(word: str, meant: str):
    assert did_you_mean(word, KNOWN).startswith(f"; did you mean {meant}")
