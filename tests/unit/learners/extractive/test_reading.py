"""How statements are read, and in which languages."""

import pytest

from vademecum.learners.extractive.cues import Cue
from vademecum.learners.extractive.reading import load_languages, normalise, readings_of, slips_of


def test_english_and_chinese_ship() -> None:
    """The two full languages are there; the others are a bonus."""
    assert {"en", "zh"} <= {language.code for language in load_languages()}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("always use tabs", {"en"}),
        ("bitte immer testen", {"de", "en"}),
        ("总是用 tabs", {"zh", "en"}),
        ("常にテスト", {"ja", "en"}),
        ("항상 테스트", {"ko", "en"}),
    ],
)
def test_a_text_is_read_in_the_languages_it_may_be_in(text: str, codes: set[str]) -> None:
    """Letters and small words choose the language; English is always tried, for the trade mixes it in."""
    assert {reading.language.code for reading in readings_of(text)} == codes


def test_places_are_those_of_the_normalised_text() -> None:
    """Marks inside the searched text do not shift what is found."""
    (reading,) = readings_of("ok, please always use tabs")
    hit = reading.find(Cue.RULE)
    assert hit is not None
    assert reading.plain[hit.start : hit.end].startswith("please always use")


def test_normalising_keeps_every_place() -> None:
    """Lower-casing may make text longer; places must stay, so such letters keep their case."""
    text = "İstanbul “Always” ’ｘ"
    assert len(normalise(text)) == len(text)


@pytest.mark.parametrize("typo", ["alwyas", "allways", "alway", "alwasy"])
def test_a_mistyped_cue_word_is_read_as_meant(typo: str) -> None:
    """One wrong letter hides no rule, and places stay those of the text as it was typed."""
    (reading,) = readings_of(f"pls {typo} run the linter, because it is quick")
    rule, reason = reading.find(Cue.RULE), reading.find(Cue.REASON)
    assert rule
    assert reason
    assert typo in reading.plain[rule.start : rule.end]
    assert reading.plain[reason.start : reason.end].startswith("because")


def test_slips_of_a_word_are_one_letter_away() -> None:
    """Left out (but never the first), doubled, swapped; never the word itself."""
    assert slips_of("all") == {"al", "aall", "alll", "lal"}
