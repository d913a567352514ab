"""How sentences are spelt for phrases."""

from vademecum.learners.extractive.spelling import normalise, slips_of


def test_normalising_keeps_every_place() -> None:
    """Lower-casing may make text longer; places must stay, so such letters keep their case."""
    text = "İstanbul “Always” ’ｘ"
    assert len(normalise(text)) == len(text)


def test_slips_of_a_word_are_one_letter_away() -> None:
    """Left out (but never the first), doubled, swapped; never the word itself."""
    assert slips_of("all") == {"al", "aall", "alll", "lal"}
