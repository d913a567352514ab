import pytest

from support.phrasebook import lead_ins
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


LINE = "always use spaces"


@pytest.mark.parametrize("lead_in", lead_ins.KEEPING)
def test_a_line_below_one_that_asks_to_keep_it_was_said(lead_in):
    assert all(is_said(LINE, [shape.format(lead_in)]) for shape in lead_ins.BELOW)


@pytest.mark.parametrize("lead_in", [*lead_ins.TAKING_BACK, "the plan:", "what we could try:"])
def test_a_line_below_another_lead_in_was_not_said_without_it(lead_in):
    assert [shape for shape in lead_ins.SHAPES if is_said(LINE, [shape.format(lead_in)])] == []


@pytest.mark.parametrize(
    "note",
    [
        "You must not do any of these: delete the database, force push to main",
        "You must not do any of these: delete the database",
        "You must not do any of these:\n- delete the database\n- force push to main",
        "Fix it. You must not do any of these: delete the database; force push to main",
    ],
)
def test_a_line_together_with_its_lead_in_was_said(note):
    said = "Fix it.\nYou must not do any of these:\n- delete the database\n- force push to main"
    assert is_said(note, [said])
    assert not is_said("Delete the database. Force push to main.", [said])


@pytest.mark.parametrize(
    "message",
    [
        'The new hire wrote: "It is simple. {0}. Nobody checks." That is wrong!',
        *('"{0}."', '"Simple. {0}. Done.', "\u201c{0}.\u201d", "\u201e{0}.\u201c", "\u00ab {0}. \u00bb", "'{0}.'"),
        *("\u300c{0}\u3002\u300d", "\u300e{0}\u300f", "> {0}", "```\n{0}\n```", "`{0}`"),
    ],
)
def test_what_is_quoted_was_not_said(message):
    assert not is_said(LINE, [message.format(LINE)])


@pytest.mark.parametrize(
    "message",
    [
        *(
            "\u274c {0}",
            "- \u274c {0}",
            "{0} \u274c",
            "\u2717 {0}",
            "\U0001f6ab {0}",
            "~~{0}~~",
            "not {0}",
            "don't {0}",
        ),
        *("{0}?", "{0}. Just kidding.", "{0}. That is wrong!", "{0}.\n\nIgnore that.", "{0}. Das ist falsch."),
        *("{0}. C'est faux.", "{0}. Es broma.", "{0}\u3002\u4e0d\u5bf9\u3002", "{0}. \uc544\ub2c8."),
        *("Never! {0}", "Never... {0}", "Avoid sins, e.g. {0}.", "never, and I mean it\n{0}", "If it fails,\n{0}"),
        "{0}\nonly if Ada agrees",
    ],
)
def test_what_is_rejected_or_taken_back_in_the_same_breath_was_not_said(message):
    assert not is_said(LINE, [message.format(LINE)])


@pytest.mark.parametrize(
    "message",
    [
        "what he told me is wrong; {0}; that is what he said",
        "what he told me is odd. {0}. Great.",
        "{0}. That is what he said.",
        "{0}\nis what the wiki says",
        "The wiki says:\n\nIt is simple.\n\n{0}.",
        "Das hat der Kollege gesagt. {0}.",
        "Mon coll\u00e8gue l'a dit. {0}.",
        "Lo dijo el jefe. {0}.",
    ],
)
def test_what_is_lent_to_somebody_else_was_not_said(message):
    assert not is_said(LINE, [message.format(LINE)])


@pytest.mark.parametrize(
    "message",
    [
        *("{0}!", "- fix it\n- {0}", "fix the build\n{0}\nthanks", "Fix it. {0}. Thanks.", "No, that's wrong. {0}."),
        *("Never push.\n\n{0}", "Never:\n- push\n\nPlease remember: {0}", "Run this:\n```\nmake\n```\n\n{0}"),
        *(
            "The wiki says little. Remember that {0}.",
            "please note that {0}",
            "Don't forget: {0}",
            "Vergiss nicht: {0}",
            "The wiki says:\n- it is simple\n\n{0}",
            "The wiki says:\n\nIt is simple.\n\nRemember that {0}.",
        ),
    ],
)
def test_a_statement_beside_others_was_said(message):
    assert is_said(LINE, [message.format(LINE)])


@pytest.mark.parametrize(
    "hostile",
    [":" + "-" * 60_000, ":" * 60_000 + "a", '"' * 60_000, "'a" * 30_000, "never:\n" * 9_000, "```\n" * 15_000],
)
def test_hostile_messages_take_linear_time(hostile):
    assert not is_said(LINE, [hostile])


@pytest.mark.parametrize(("first", "second"), [("1. ", "2. "), ("- ", "- "), ("* ", "* "), ("1) ", "2) ")])
@pytest.mark.parametrize("note", ["use tabs", "never use tabs"])
def test_two_items_may_be_answers_to_two_questions(note, first, second):
    """Whether "never" belongs to the one below it nobody can tell: the person may confirm either."""
    assert not is_said(note, [f"{first}never\n{second}use tabs"])


@pytest.mark.parametrize("message", ["never\nuse tabs", "- never\n  - use tabs", "- never use tabs\n- use pnpm"])
def test_a_never_belongs_to_what_stands_below_it(message):
    assert is_said("never use tabs", [message])
    assert not is_said("use tabs", [message])


@pytest.mark.parametrize(
    "message", ["> use npm\nuse pnpm", "> a\n  > b\nuse pnpm", "> a\nb\nuse pnpm\n\nuse make", " > a\n  use pnpm"]
)
def test_a_line_right_below_a_quotation_belongs_to_it(message):
    """As markdown has it."""
    assert not is_said("use pnpm", [message])


@pytest.mark.parametrize(
    "message",
    [
        "> use npm\n\nuse pnpm",
        "> use npm\n>\nuse pnpm",
        "> use npm\n- use pnpm",
        "> use npm\n2) use pnpm",
        "use pnpm\n> use npm",
        "use pnpm\n\n> use npm\nby habit",
    ],
)
def test_what_begins_anew_beside_a_quotation_is_the_persons(message):
    assert is_said("use pnpm", [message])
