from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import parse_sections, render_sections

TEXT = """\
intro

# A
text
## B
- one
### C
- two
## D
# E
"""


def test_every_section_knows_the_headings_above_it():
    assert [section.path for section in parse_sections(TEXT)] == [
        (),
        ("# A",),
        ("# A", "## B"),
        ("# A", "## B", "### C"),
        ("# A", "## D"),
        ("# E",),
    ]


def test_the_title_is_the_heading_without_its_marks():
    assert [section.title for section in parse_sections(TEXT)] == ["", "A", "B", "C", "D", "E"]


def test_a_heading_in_fenced_code_is_text():
    sections = parse_sections("# A\n```sh\n# a comment\n```\n## B\n")
    assert [section.title for section in sections] == ["A", "B"]
    assert "# a comment" in sections[0].lines


def test_a_hash_without_a_space_is_no_heading():
    assert [section.path for section in parse_sections("#tag\n#!/bin/sh\n")] == [()]


lines = st.lists(
    st.sampled_from(["# A", "## B", "## C", "### D", "- bullet", "text", "", "```", "    code"]), max_size=20
)


@settings(max_examples=100)
@given(lines)
def test_rendering_loses_no_line_and_is_stable(drawn):
    text = "\n".join(drawn)
    rendered = render_sections(parse_sections(text))
    assert [line for line in rendered.split("\n") if line] == [line for line in drawn if line]
    assert render_sections(parse_sections(rendered)) == rendered
    assert rendered.endswith("\n")
