import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.errors import UsageError
from vademecum.recall.query import HitKind, Query, parse_query, with_filters


def test_words_phrases_and_exclusions_are_told_apart():
    query = parse_query('deploy "blue green" -heroku -"old way" now')
    assert query.words == ("deploy", "now")
    assert query.phrases == ("blue green",)
    assert query.excluded == ("heroku", "old way")


def test_filters_are_told_apart_from_words():
    query = parse_query(
        'in:memory path:Reference/ project:"my shop" host:a host:b after:2026-10-01 before:2026-11-01 x'
    )
    assert query == Query(
        words=("x",),
        typed="x",
        kind=HitKind.MEMORY,
        paths=("reference/",),
        projects=("my shop",),
        hosts=("a", "b"),
        after=datetime(2026, 10, 1, tzinfo=UTC),
        before=datetime(2026, 11, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize("text", ["foo:bar", "std::vector", "http://x", "path:"])
def test_what_is_no_filter_is_a_word(text: str):
    query = parse_query(text)
    assert query.words == (text,)
    assert not query.is_filtered


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("after:yesterday x", "2026-11-20"),
        ("x before:2026-13-01", "2026-11-20"),
        ('after:"last week"', "2026-11-20"),
        ("in:nowhere x", "memory, sessions, all"),
    ],
)
def test_a_known_filter_with_a_value_that_is_none_is_refused_with_what_is_allowed(text: str, allowed: str):
    """As a word it would narrow nothing, and the answer would look as if it had."""
    with pytest.raises(UsageError) as caught:
        parse_query(text)
    assert allowed in caught.value.next_step


@pytest.mark.parametrize("text", ['"after:yesterday" x', "x -after:yesterday"])
def test_in_quotes_or_behind_a_minus_it_is_words(text: str):
    assert not parse_query(text).is_filtered


def test_a_quote_that_is_never_closed_falls_back_to_words():
    """core 18.1: the words count, not the sign."""
    query = parse_query('"blue green" "deploy')
    assert query.phrases == ()
    assert query.words == ("blue", "green", "deploy")


@pytest.mark.parametrize("text", ["", "   ", "-", '""', "!!! ???", "-heroku", "in:all"])
def test_a_query_without_a_word_or_filter_is_blank(text: str):
    assert parse_query(text).is_blank


def test_in_all_is_the_default():
    assert parse_query("in:all x") == parse_query("x")


def test_flags_of_programs_are_words():
    assert parse_query("--no-cache").words == ("--no-cache",)


def test_stop_words_carry_no_meaning_unless_there_is_nothing_else():
    assert parse_query("how do we deploy the shop?").terms == ("deploy", "shop?")
    assert parse_query("to be or not to be").words == ("to", "be", "or", "not", "to", "be")
    assert parse_query("what is it?").terms == ("what", "is", "it?")


@given(st.text())
def test_any_text_parses(text: str):
    try:
        query = parse_query(text)
    except UsageError:
        assert re.search(r"\b(in|after|before):", text)
    else:
        assert query.is_blank or query.is_filtered or query.match_any()


@pytest.mark.parametrize("typed", ["deploy", '"blue green', 'say "hi" "', "", 'path:x "'])
def test_filters_that_are_added_count_whatever_was_typed_before_them(typed):
    query = parse_query(
        with_filters(typed, {"project": 'my "shop', "host": None, "before": "2026-11-01", "in": "memory"})
    )
    assert query.projects == ("my  shop",)
    assert query.hosts == ()
    assert query.before == datetime(2026, 11, 1, tzinfo=UTC)
    assert query.kind is HitKind.MEMORY


def test_a_blank_filter_is_none():
    assert parse_query(with_filters("x", {"project": ' " '})) == parse_query("x")
