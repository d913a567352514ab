"""The ways to ask for help, and the hints of a call that went wrong."""

from datetime import UTC, datetime

import pytest

from support.product import ruled

pytestmark = pytest.mark.timeout(60)


def test_the_word_help_is_the_option(product):
    assert product.call("help").out == product.call("--help").out


@pytest.mark.parametrize("words", [("learn",), ("memory", "create")])
def test_help_of_a_command_is_its_own(product, words):
    assert product.call("help", *words).out == product.call(*words, "--help").out


def test_a_text_that_begins_with_a_dash_is_told_how_to_be_given(product):
    assert "vade note -- TEXT" in product.call("note", "-never use npm", code=2).err
    product.call("note", "--", "-never use npm")
    assert "-never use npm" in product.context()


def test_several_lines_show_all_that_they_rest_on_when_that_is_asked_for(product):
    rules = ("always answer with the word xylophonist here", "never edit generated files by hand")
    days = (datetime(2026, 11, day, 9, tzinfo=UTC) for day in (2, 5))
    product.tell(*(ruled(*rules, label=f"on {day}", started_at=day) for day in days))
    product.learn()
    short, whole = (product.call("why", "MEMORY.md", *words).out for words in ((), ("--all",)))
    assert "more time" in short
    assert "add --all" in short
    assert whole.count("you said") == 4
    assert "add --all" not in whole
