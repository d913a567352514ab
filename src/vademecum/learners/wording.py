"""Whether statements say the same, by the words of the built-in learner: it is loaded only where that is asked."""

from collections.abc import Iterable

__all__ = ["is_of_the_words", "says_the_same"]

#: So much of what a statement says has to stand in what it rests on: it may be shortened and joined, not made up.
_SHARE = 0.5


def says_the_same(left: str, right: str) -> bool:
    """Whether both say the same thing, in the same words or in others; an empty one says nothing."""
    from vademecum.learners.extractive.similarity import meaning, same_statement

    return bool(left) and (left == right or same_statement(meaning(left), meaning(right)))


def is_of_the_words(text: str, grounds: Iterable[str]) -> bool:
    """Whether a statement is made of the words of these; one without a word that counts is."""
    from vademecum.learners.extractive.similarity import meaning

    said = meaning(text).content
    given = frozenset[str]().union(*(meaning(ground).content for ground in grounds))
    return len(said & given) >= _SHARE * len(said)
