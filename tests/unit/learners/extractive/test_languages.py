"""Which languages there are, and in which of them a sentence is read."""

import pytest

from vademecum.learners.extractive.languages import load_languages, readings_of


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
