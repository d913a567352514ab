"""The corpus: what is planted must go, what only looks like a secret must stay."""

import re

import pytest

from support.secret_corpus import Positive, look_alikes, positives
from vademecum.secrets import mask

POSITIVES = positives()
LOOK_ALIKES = look_alikes()
_MARKER = re.compile(r"\[secret:[a-z0-9-]+\]")


def test_the_corpus_is_as_large_as_promised():
    assert len(POSITIVES) >= 300
    assert len({one.kind for one in POSITIVES}) >= 40
    assert len(LOOK_ALIKES) >= 300


@pytest.mark.parametrize("kind", sorted({one.kind for one in POSITIVES}))
def test_no_six_characters_of_a_secret_survive(kind: str):
    """codex-A18"""
    leaks = [one.text for one in POSITIVES if one.kind == kind and _survives(one)]
    assert leaks == []


def test_nothing_changes_in_texts_that_only_look_like_secrets():
    assert [text for text in LOOK_ALIKES if mask(text) != text] == []


def test_a_clean_text_is_returned_as_the_same_object():
    assert all(mask(text) is text for text in LOOK_ALIKES)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_seeds_leak_nothing_either(seed: int):
    assert [one.text for one in positives(seed) if _survives(one)] == []
    assert [text for text in look_alikes(seed) if mask(text) != text] == []


def _survives(one: Positive) -> bool:
    left = _MARKER.sub("\x00", mask(one.text))
    return any(part[start : start + 6] in left for part in one.parts for start in range(len(part) - 5))
