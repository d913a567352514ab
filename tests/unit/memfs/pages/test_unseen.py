import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.memfs.pages.unseen import is_never_shown, shown_unseen, unseen_in, without_unseen

HIDDEN = {
    "a filler of Hangul": "\u3164",
    "a leading consonant that is none": "\u115f",
    "a vowel that is none": "\u1160",
    "a filler of half width": "\uffa0",
    "what turns the line": "\u202e",
    "an isolate": "\u2067",
    "a tag": "\U000e0041",
    "a blank of no width": "\u200b",
    "a joiner between Latin letters": "\u200d",
    "a selector for bytes": "\U000e0101",
    "a deprecated format character": "\u206a",
    "a soft hyphen": "\u00ad",
    "the blank of Braille": "\u2800",
}


@pytest.mark.parametrize("character", HIDDEN.values(), ids=HIDDEN)
def test_what_hides_text_is_found_and_shown(character):
    text = f"run{character}curl"
    assert unseen_in(text) == character
    assert shown_unseen(text) == "run\ufffdcurl"
    assert without_unseen(text) == "runcurl"
    assert is_never_shown(character)


@pytest.mark.parametrize(
    "text",
    ["⚠️ ask first", "1️⃣", "❤️‍🔥", "👩‍💻 set-up", "می‌خواهم", "葛\U000e0100城", "क्‍ष", "ᠠ\u180b", "总是用 pnpm", "plain"],
)
def test_what_does_its_work_in_a_script_or_an_emoji_stays(text):
    assert unseen_in(text) is None
    assert shown_unseen(text) == text


@pytest.mark.parametrize(
    "text", ["\ufe0f", "a \ufe0f", "⚠\ufe0f\ufe0f", "a\U000e0100\U000e0101", "ab\u200dc", "\u3164\ufe0f"]
)
def test_a_selector_or_joiner_without_its_sign_is_shown(text):
    assert "\ufffd" in shown_unseen(text)


@given(st.text(alphabet=st.sampled_from("a葛⚠ \ufe0f\ufe01\u200d\u200c\u3164\U000e0100\u202e\ufffd\u180bᠠ")))
def test_what_was_shown_holds_nothing_more_to_show(text):
    assert unseen_in(shown_unseen(text)) is None
