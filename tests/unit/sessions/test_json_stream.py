"""JSON of any length is read value by value, and is either whole or an error."""

import json
import tracemalloc
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.errors import SessionUnreadable
from vademecum.sessions.json_stream import JsonStream

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=20), inner, max_size=4),
    max_leaves=20,
)


def stream(data, size=7):
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    return JsonStream(lambda: next(pieces, b""), source="the answer")


@given(JSON, st.integers(1, 20), st.sampled_from([None, 1]), st.booleans())
def test_the_elements_of_an_array_come_as_they_stand_in_it(value, size, indent, is_ascii):
    data = json.dumps([value, value], indent=indent, ensure_ascii=is_ascii).encode()
    one = stream(data, size)
    assert [json.loads(one.value(10_000) or b"") for _ in one.items()] == [value, value]


@given(st.dictionaries(st.text(max_size=20), JSON, max_size=5), st.integers(1, 20))
def test_the_fields_of_an_object_come_with_their_names(value, size):
    one = stream(json.dumps(value).encode(), size)
    assert {json.loads(name): json.loads(one.value(10_000) or b"") for name in one.fields()} == value


@pytest.mark.parametrize(
    "inner", ['"' + "x" * 100 + '"', "[" * 60 + "]" * 60, "1" * 100, '{"a":"' + "\\\\" * 60 + '"}']
)
def test_a_value_above_its_cap_is_passed_over_and_the_next_one_is_whole(inner):
    one = stream(f"[{inner},2]".encode())
    assert [one.value(50) for _ in one.items()] == [None, b"2"]


@given(st.integers(0, 200))
def test_a_text_that_breaks_off_is_an_error_wherever_it_does(at):
    data = json.dumps([{"a": [1, 'b\\"c']}, "é", {"d": {}}, -1.5e3, None] * 3).encode()
    one = stream(data[: min(at, len(data) - 1)])
    with pytest.raises(SessionUnreadable, match="breaks off"):
        [one.value(1000) for _ in one.items()]


@pytest.mark.parametrize("data", [b"{}", b"3", b'"x"', b"[,]", b"[1 2]", b"[1,]", b"[}", b"<html>", b"]"])
def test_what_is_no_array_is_an_error(data):
    one = stream(data)
    with pytest.raises(SessionUnreadable):
        [one.value(1000) for _ in one.items()]


@pytest.mark.parametrize("data", [b"[]", b"{1:2}", b'{"a" 2}', b'{"a":}', b'{"a":1 "b":2}', b'{"a":1,}'])
def test_what_is_no_object_is_an_error(data):
    one = stream(data)
    with pytest.raises(SessionUnreadable):
        [one.value(1000) for _ in one.fields()]


def test_a_value_of_any_length_takes_little_memory():
    piece = b"x" * 65_536
    pieces = chain([b'["'], repeat(piece, 2000), [b'",7]'])
    one = JsonStream(lambda: next(pieces, b""), source="the answer")
    tracemalloc.start()
    try:
        assert [one.value(1_000_000) for _ in one.items()] == [None, b"7"]
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
