from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import (
    Evidence,
    Kind,
    Outcome,
    RawMemory,
    Reach,
    TaskMemory,
    evidence_by_source,
    parse_raw_memory,
    plain_line,
)
from vademecum.artifacts import render_raw_memory as render

AT = datetime(2026, 11, 2, 10, tzinfo=UTC)
one_line = st.text(min_size=1, max_size=60).map(plain_line).filter(bool)
evidence = st.builds(
    Evidence,
    kind=st.sampled_from(Kind),
    reach=st.sampled_from(Reach),
    turn=st.integers(1, 999),
    ordinal=st.integers(1, 9),
    at=st.just(AT),
    text=one_line,
)
tasks = st.builds(
    TaskMemory, title=one_line, outcome=st.sampled_from(Outcome), evidence=st.lists(evidence, max_size=3).map(tuple)
)
memories = st.builds(
    RawMemory,
    description=one_line,
    outcome=st.sampled_from(Outcome),
    cwd=one_line,
    keywords=st.lists(st.from_regex(r"[a-z.]{1,9}", fullmatch=True), max_size=4).map(tuple),
    tasks=st.lists(tasks, max_size=3).map(tuple),
)


@settings(max_examples=80)
@given(memories)
def test_raw_memory_is_read_as_it_was_written(memory):
    """A record is rebuilt from this text, so nothing of it may get lost or change."""
    assert parse_raw_memory(render(memory)) == memory


def test_what_is_unknown_is_passed_over():
    text = "---\ndescription: d\nmood: fine\n---\nchatter\n\n### Task 1: t\noutcome: brilliant\n- not evidence\n"
    memory = parse_raw_memory(text)
    assert memory.description == "d"
    assert memory.tasks == (TaskMemory(title="t", outcome=Outcome.UNCERTAIN, evidence=()),)


@settings(max_examples=60)
@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    assert isinstance(parse_raw_memory(text), RawMemory)


def test_evidence_is_found_by_the_names_that_bullets_give_to_it():
    said = "rule/project 2026-11-02T10:00:00Z: "
    lines = ["### Task 1: x", f"- [t4] {said}a", f"- [t4.2] {said}b", "", "### Task 2: y", f"- [t9] {said}c"]
    found = {source: item.text for source, item in evidence_by_source("s 1", "\n".join(lines)).items()}
    assert found == {"s_1#t4": "a", "s_1#t4.2": "b", "s_1#t9": "c"}
