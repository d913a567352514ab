from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import PREFERENCE_KINDS, Evidence, Kind, Reach, parse_evidence, plain_line, render_evidence

AT = datetime(2026, 11, 2, 10, tzinfo=UTC)
one_line = st.text(min_size=1, max_size=120).map(plain_line).filter(bool)


@settings(max_examples=80)
@given(st.sampled_from(Kind), st.sampled_from(Reach), st.integers(1, 9_999_999), st.integers(1, 9_999), one_line)
def test_evidence_is_read_as_it_was_written(kind, reach, turn, ordinal, text):
    evidence = Evidence(kind=kind, reach=reach, turn=turn, ordinal=ordinal, at=AT, text=text)
    assert parse_evidence(render_evidence(evidence)) == evidence


def test_the_line_has_the_form_that_the_format_page_shows():
    evidence = Evidence(kind=Kind.RULE, reach=Reach.PROJECT, turn=4, at=AT, text="use pnpm here, never npm")
    assert render_evidence(evidence) == "- [t4] rule/project 2026-11-02T10:00:00Z: use pnpm here, never npm"


def test_text_of_several_lines_becomes_one():
    evidence = Evidence(kind=Kind.RULE, reach=Reach.PROJECT, turn=4, at=AT, text="use pnpm\n- [t9] rule/general x: y")
    assert len(render_evidence(evidence).splitlines()) == 1


@pytest.mark.parametrize(
    "line",
    [
        "",
        "text",
        "- [t4] rule/project: no time",
        "- [t4] order/project 2026-11-02T10:00:00Z: unknown kind",
        "- [t4] rule/planet 2026-11-02T10:00:00Z: unknown reach",
        "- [t4] rule/project yesterday: no moment",
        "- [tx] rule/project 2026-11-02T10:00:00Z: no turn",
        "- [t4] rule/project 2026-11-02T10:00:00Z: ",
    ],
)
def test_a_line_that_breaks_the_grammar_is_no_evidence(line):
    assert parse_evidence(line) is None


def test_preferences_are_what_rests_on_human_words():
    assert {Kind.RULE, Kind.HABIT, Kind.CORRECTION, Kind.REQUEST} == PREFERENCE_KINDS
