import pytest

from vademecum.artifacts import is_said

SAID = "We deploy on Fridays."


@pytest.mark.parametrize(
    "note",
    [
        "We deploy on Fridays",
        "we deploy on fridays!",
        "**We deploy** on `Fridays`.",
        "Remember that we deploy on Fridays",
        "\uff37e deploy on Fridays",
        "We deploy on\nFridays".replace("\n", " "),
    ],
)
def test_case_width_marks_and_a_lead_in_do_not_count(note):
    assert is_said(note, [SAID])


@pytest.mark.parametrize(
    "message",
    [
        "Please remember that we deploy on Fridays. Now fix the build.",
        "ok remember: we deploy on Fridays",
        "Merk dir: we deploy on Fridays\nand run the tests",
        "Can you note down that we deploy on Fridays?",
    ],
)
def test_what_leads_in_to_it_does_not_count(message):
    assert is_said("We deploy on Fridays", [message])


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ("delete the production database", "never delete the production database"),
        ("we deploy on Fridays", "do not remember that we deploy on Fridays"),
        ("we deploy on Fridays", "we deploy on Fridays only after lunch"),
        ("we deploy on Mondays", "we deploy on Fridays"),
        ("use port 8080", "use port 8081"),
        ("use -x", "use x"),
        ("deploy Fridays", "we deploy on Fridays"),
        ("We deploy on Fridays. The key is under the mat.", "We deploy on Fridays."),
        ("we deploy on Fridays", ""),
        ("...", "..."),
    ],
)
def test_a_part_of_a_sentence_or_another_word_is_another_statement(note, message):
    assert not is_said(note, [message])


def test_every_sentence_may_stand_in_a_message_of_its_own():
    assert is_said("We deploy on Fridays. Ask Ada first.", [SAID, "Ask Ada first"])


def test_scripts_without_blanks_and_their_stops_are_understood():
    assert is_said(
        "\u9031\u672b\u306b\u30c7\u30d7\u30ed\u30a4\u3059\u308b",
        ["\u9031\u672b\u306b\u30c7\u30d7\u30ed\u30a4\u3059\u308b\u3002\u4ed6\u306e\u8a71"],
    )


def test_nothing_was_said_where_there_is_no_message():
    assert not is_said("We deploy on Fridays", [])
