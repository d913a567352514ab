"""Every way in which sessions were seen to show a secret, and what looks like one of them."""

import pytest

from support.renderings import VALUES, masked, stays
from vademecum.secrets import mask

_MASKED = masked()


def test_every_line_of_the_corpus_shows_a_secret():
    assert len(_MASKED) >= 550
    assert [text for _, text in _MASKED if "§" not in text] == []


@pytest.mark.parametrize("kind", sorted({kind for kind, _ in _MASKED}))
def test_no_rendering_of_this_kind_lets_its_secret_pass(kind: str):
    leaks = [
        text.replace("§", value)
        for other, text in _MASKED
        for value in VALUES
        if other == kind and value in mask(text.replace("§", value))
    ]
    assert leaks == []


@pytest.mark.parametrize("text", stays())
def test_what_only_looks_like_one_stays(text: str):
    assert mask(text) == text


def test_nothing_changes_where_such_texts_follow_each_other():
    text = "\n".join(stays())
    assert mask(text) == text
