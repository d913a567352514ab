"""Single values change in JSON with comments; everything else stays to the byte."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.config_texts import is_subsequence, jsonc_objects
from vademecum.errors import CannotEdit
from vademecum.hosts.jsonc import read, set_at, unset_at

OURS = ("zz", "vademecum")
ENTRY = {"command": ["/usr/bin/python3", "-I"], "enabled": True}


@given(jsonc_objects())
def test_what_people_write_is_read(case):
    text, value = case
    assert read(text) == value


@given(jsonc_objects())
def test_an_entry_is_added_and_nothing_else_changes(case):
    text, value = case
    changed = set_at(text, OURS, ENTRY)
    assert read(changed) == {**value, "zz": {"vademecum": ENTRY}}
    assert is_subsequence(text, changed)


@given(jsonc_objects())
def test_an_entry_that_is_taken_out_leaves_every_comment_and_value(case):
    """In layouts that no editor makes, a line break may stay."""
    text, value = case
    back = unset_at(set_at(text, OURS, ENTRY), OURS, prune=True)
    assert read(back) == value
    assert "".join(back.split()) == "".join(text.split())


@given(st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(), max_size=2), min_size=1, max_size=3), st.data())
def test_an_entry_that_is_taken_out_leaves_the_text_of_before(value, data):
    text = json.dumps(value, indent=data.draw(st.sampled_from([None, 0, 2, "\t"])))
    notes = data.draw(st.lists(st.sampled_from([",\n", ", // why\n", ", /* a */ \n", ",\r\n"]), min_size=1))
    for note in notes:
        text = text.replace(",\n", note, 1)
    assert unset_at(set_at(text, OURS, ENTRY), OURS, prune=True) == text


@given(jsonc_objects(), st.data())
def test_any_member_can_be_replaced(case, data):
    text, value = case
    assume(value)
    key = data.draw(st.sampled_from(sorted(value)))
    assert read(set_at(text, (key,), ENTRY)) == {**value, key: ENTRY}


@given(jsonc_objects(), st.data())
def test_any_member_can_be_taken_out_and_every_comment_stays(case, data):
    text, value = case
    assume(value)
    key = data.draw(st.sampled_from(sorted(value)))
    changed = unset_at(text, (key,))
    assert read(changed) == {other: below for other, below in value.items() if other != key}
    assert is_subsequence(changed, text)


@given(jsonc_objects(), st.integers(0, 3))
def test_a_list_takes_a_further_element_and_gives_it_back(case, count):
    text, _ = case
    for place in range(count):
        text = set_at(text, ("zz", place), {"n": place})
    changed = set_at(text, ("zz", count), ENTRY)
    assert read(changed)["zz"] == [*({"n": place} for place in range(count)), ENTRY]
    assert read(unset_at(changed, ("zz", count))).get("zz") == [{"n": place} for place in range(count)]


@given(jsonc_objects())
def test_what_stands_there_already_changes_nothing(case):
    text = set_at(case[0], OURS, ENTRY)
    assert set_at(text, OURS, ENTRY) == text


@given(st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(), max_size=2), max_size=3))
def test_strict_json_stays_strict_json(value):
    """A host that reads no comments reads what we wrote."""
    text = json.dumps(value, indent=4)
    assert json.loads(set_at(text, OURS, ENTRY)) == {**value, "zz": {"vademecum": ENTRY}}


def test_style_is_that_of_the_file():
    text = '{\r\n\t"a": {\r\n\t\t"b": 1 // why\r\n\t}\r\n}\r\n'
    assert set_at(text, ("a", "c"), {"d": 2}) == (
        '{\r\n\t"a": {\r\n\t\t"b": 1, // why\r\n\t\t"c": {\r\n\t\t\t"d": 2\r\n\t\t}\r\n\t}\r\n}\r\n'
    )


def test_a_short_object_stays_on_its_line():
    assert set_at('{"a": 1}', ("b",), 2) == '{"a": 1, "b": 2}'
    assert set_at('{"a": 1,}', ("b",), 2) == '{"a": 1, "b": 2,}'


def test_an_empty_text_becomes_an_object():
    assert set_at(" \n", ("a", "b"), 1) == '{\n  "a": {\n    "b": 1\n  }\n}\n'
    assert read("") == {}


def test_true_is_not_one():
    assert set_at('{"a": 1}', path=("a",), value=True) == '{"a": true}'


def test_the_last_of_two_equal_keys_holds_and_both_are_taken_out():
    text = '{"a": 1, "b": 2, "a": 3}'
    assert read(text) == {"a": 3, "b": 2}
    assert set_at(text, ("a",), 4) == '{"a": 1, "b": 2, "a": 4}'
    assert unset_at(text, ("a",)) == '{"b": 2}'


def test_what_is_not_there_cannot_be_taken_out():
    assert unset_at('{"a": []}', ("a", 0)) == '{"a": []}'
    assert unset_at('{"a": 1}', ("b", "c")) == '{"a": 1}'
    assert unset_at("", ("b",)) == ""


def test_an_object_with_a_comment_is_not_empty():
    text = '{\n  "m": {\n    // mine\n    "v": 1\n  }\n}'
    assert unset_at(text, ("m", "v"), prune=True) == '{\n  "m": {\n    // mine\n  }\n}'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{\n"a": 1\n"b": 2}', "line 3: a comma or } is missing"),
        ('{"a" 1}', "line 1: a colon is missing"),
        ("{'a': 1}", "line 1: this is no JSON"),
        ("{a: 1}", "line 1: this is no JSON"),
        ('{"a": 01}', "line 1: a comma or } is missing"),
        ('{"a": "\n"}', "line 1: this is no JSON"),
        ('{"a": "\\x"}', "line 1: this is no JSON"),
        ('{"a": NaN}', "line 1: this is no JSON"),
        ("{,}", "line 1: this is no JSON"),
        ("[1,,2]", "line 1: this is no JSON"),
        ('{"a": 1}\n{', "line 2: something stands behind the end"),
        ('{"a": 1', "line 1: a comma or } is missing"),
        ("{", "line 1: the text ends too early"),
        ('{/* a\n"b": 1}', "line 1: a comment begins here and does not end"),
        ("{1: 2}", "line 1: a key in quotes is missing"),
        ("[" * 101 + "]" * 101, "line 1: more than 100 levels"),
        ("{\x0b}", "line 1: this is no JSON"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text, told):
    with pytest.raises(CannotEdit) as refused:
        set_at(text, ("x",), 1)
    assert str(refused.value) == told


@pytest.mark.parametrize("text", ['{"a": 1}', '{"a": []}', "[]", "1"])
def test_a_value_of_another_kind_does_not_give_way(text):
    with pytest.raises(CannotEdit, match="an object is expected here"):
        set_at(text, ("a", "b"), 1)


def test_a_list_has_no_holes():
    with pytest.raises(CannotEdit, match="the list has no element 3"):
        set_at('{"a": [1]}', ("a", 3), 1)
