"""A block of ours stands in a person's text between its marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.errors import CannotEdit
from vademecum.hosts.text_blocks import put_block, take_block


@given(st.text(alphabet="ab#\n"))
def test_a_block_that_is_taken_out_leaves_the_text_of_before(text):
    assert (take_block(put_block(text, "words")) or "").rstrip("\n") == text.rstrip("\n")
    if text.endswith("\n") and text.strip():
        assert take_block(put_block(text, "words")) == text


def test_a_block_is_brought_up_to_date_where_it_stands():
    text = put_block("# Mine\n", "old") + "\nbelow\n"
    changed = put_block(text, "new")
    assert changed == text.replace("old", "new")
    assert put_block(changed, "new") == changed
    assert take_block(changed) == "# Mine\n\nbelow\n"


def test_line_ends_are_those_of_the_text():
    assert "\n" not in put_block("a\r\n", "b\nc").replace("\r\n", "")
    assert take_block(put_block("a\r\n", "b\nc")) == "a\r\n"


def test_half_a_block_is_refused_with_its_line():
    text = put_block("a\n", "b")
    with pytest.raises(CannotEdit, match="line 3: the marks"):
        put_block(text.replace("<!-- /vademecum -->", ""), "b")
    with pytest.raises(CannotEdit, match="the marks"):
        take_block(text + text)
    assert take_block(None) is None
