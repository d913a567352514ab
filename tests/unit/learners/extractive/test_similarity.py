import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.learners.extractive.similarity import families, has_reversal, meaning, overlap, same_statement

SAME = [
    ("use pnpm here", "please always use pnpm here"),
    ("run the linter before every commit", "always run the linter before you commit"),
    ("never edit generated files", "don't edit generated files"),
    ("keep lines under 100 characters", "lines should be kept under 100 characters"),
    ("提交信息用英文", "请用英文写提交信息"),
]
DIFFERENT = [
    ("use pnpm here", "use npm here"),
    ("keep lines under 100 characters", "keep lines under 80 characters"),
    ("use tabs in Makefiles", "never use tabs in Makefiles"),
    ("run the linter before every commit", "write the changelog in past tense"),
    ("write commit messages in English", "write commit messages in German"),
    ("prefer small functions", "prefer small modules"),
    (
        "run `make check` in web before each commit that you push",
        "run `make check` in api before each commit that you push",
    ),
    (
        "ask Ada before you change the schema of the billing tables in production",
        "ask Ada before you change the schema of the shipping tables in production",
    ),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_the_same_rule_in_other_words_is_one_statement(left, right):
    assert same_statement(meaning(left), meaning(right))


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_another_rule_is_another_statement(left, right):
    assert not same_statement(meaning(left), meaning(right))


@pytest.mark.parametrize(("left", "right"), SAME + DIFFERENT)
def test_the_order_of_two_statements_does_not_matter(left, right):
    assert same_statement(meaning(left), meaning(right)) == same_statement(meaning(right), meaning(left))


def test_what_stands_behind_a_negation_is_not_wanted():
    found = meaning("use pnpm here, never npm")
    assert "pnpm" in found.wanted
    assert "npm" in found.unwanted


@pytest.mark.parametrize(
    "forms", ["space spaces", "file files", "name names naming", "fix fixes fixing", "run running"]
)
def test_the_forms_of_a_word_are_one_word(forms):
    assert len({meaning(form).content for form in forms.split()}) == 1


def test_a_negation_reaches_to_the_end_of_its_clause():
    found = meaning("don't use mocks, write fakes")
    assert found.unwanted & meaning("mocks").wanted
    assert found.wanted & meaning("fakes").wanted


def test_punctuation_and_case_say_nothing():
    assert meaning("Use PNPM here!") == meaning("use pnpm here")


def test_a_family_has_something_to_choose_from():
    """Endings are taken off its members too: two must not fall together."""
    assert all(len(family) >= 2 for family in families())


def test_overlap_is_a_share():
    assert overlap(frozenset("ab"), frozenset("ab")) == 1
    assert overlap(frozenset("ab"), frozenset("cd")) == 0
    assert overlap(frozenset(), frozenset()) == 0


@pytest.mark.parametrize("text", ["we no longer use redis", "switched to uv", "actually keep it", "改用 pnpm"])
def test_a_statement_can_say_that_a_former_one_no_longer_holds(text):
    assert has_reversal(text)


def test_an_ordinary_rule_is_no_reversal():
    assert not has_reversal("always run the linter")


@settings(max_examples=80)
@given(st.text(max_size=80))
def test_any_text_has_a_meaning_and_no_word_is_wanted_and_unwanted(text):
    found = meaning(text)
    assert not found.wanted & found.unwanted
    assert same_statement(found, found) or not found.content
