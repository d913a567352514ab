"""Which sentences of a message are the person's own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.learners.extractive.sentences import sentences_of


def texts(message: str) -> list[str]:
    return [sentence.text for sentence in sentences_of(message)]


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Use e.g. ruff. It's in v1.2.3 of main.py.", ["Use e.g. ruff.", "It's in v1.2.3 of main.py."]),
        ("从现在起用 pnpm。不要用 npm!好吗?", ["从现在起用 pnpm。", "不要用 npm!", "好吗?"]),
        ("テストを書いて。お願いします。", ["テストを書いて。", "お願いします。"]),
        ("- first\n- second\n1. third", ["first", "second", "third"]),
        ("fix it\nuse tabs\nthanks", ["fix it", "use tabs", "thanks"]),
        (
            "This sentence is wrapped by an editor at\nthe end of a line.",
            ["This sentence is wrapped by an editor at the end of a line."],
        ),
        ("Use tracing, not println!, in logs. Done", ["Use tracing, not println!, in logs.", "Done"]),
        ("Frag z.B. mich. Danke", ["Frag z.B. mich.", "Danke"]),
        ("`a. b` stays. Done", ["`a. b` stays.", "Done"]),
        ("**Bold rule.** Next", ["Bold rule.", "Next"]),
        ("", []),
        ("...", []),
    ],
)
def test_a_message_is_split_into_sentences(message: str, found: list[str]) -> None:
    """Full stops of many scripts end a sentence; those in abbreviations, versions and code do not."""
    assert texts(message) == found


def test_what_is_shown_below_a_lead_in_is_all_that_it_leads_in_to() -> None:
    """A line right below pasted text is the person's again."""
    assert texts("We never use npm, it fails:\n```\nx\n```\nUse pnpm.") == ["We never use npm, it fails:", "Use pnpm."]


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=600))
def test_every_sentence_stands_in_the_message(message: str) -> None:
    """Sentences are parts of the message with its whitespace collapsed, numbered from one."""
    found = sentences_of(message)
    said = " ".join(message.split())
    assert all(sentence.text in said for sentence in found)
    assert [sentence.ordinal for sentence in found] == list(range(1, len(found) + 1))
