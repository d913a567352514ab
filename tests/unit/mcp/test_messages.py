"""What is a message, what is none, and what goes out."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.memfs import FAKE_SECRET
from vademecum.mcp.messages import (
    PARSE_ERROR,
    Invalid,
    Notification,
    Request,
    Response,
    RpcError,
    as_error,
    as_line,
    as_result,
    read_line,
    read_message,
)

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"hello",
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": "\xff"}',
        b'\xef\xbb\xbf{"jsonrpc": "2.0"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'"\\ud800',
        b'{"a": "\\ud800", "b": NaN}',
        b'"\\u00"',
        b"\0",
    ],
    ids=range(12),
)
def test_what_is_no_json_is_a_parse_error(line):
    with pytest.raises(RpcError) as caught:
        read_line(line)
    assert caught.value.code == PARSE_ERROR


def test_half_of_a_character_becomes_a_question_mark():
    """A client that cuts a text in JavaScript sends such; its request can be answered all the same."""
    assert read_line(b'{"id": 7, "text": "cut \\ud83d"}') == {"id": 7, "text": "cut ?"}
    assert read_line(b'{"text": "whole \\ud83d\\ude00"}') == {"text": "whole \U0001f600"}


@given(VALUES)
def test_whatever_is_json_is_read_as_what_it_is(value):
    assert read_line(json.dumps(value).encode()) == value


@given(VALUES)
def test_every_value_is_some_kind_of_message(value):
    assert isinstance(read_message(value), Request | Notification | Response | Invalid)


@given(st.binary(max_size=200))
def test_whatever_bytes_come_only_a_parse_error_comes_of_it(line):
    with suppress(RpcError):
        read_message(read_line(line))


@pytest.mark.parametrize("identifier", [1, 0, -5, "a", "", 1.5])
def test_a_request_keeps_its_id(identifier):
    message = read_message({"jsonrpc": "2.0", "id": identifier, "method": "ping"})
    assert message == Request(id=identifier, method="ping", params={})


@pytest.mark.parametrize("identifier", [None, True, [], {}])
def test_an_id_that_is_none_is_answered_without_one(identifier):
    message = read_message({"jsonrpc": "2.0", "id": identifier, "method": "ping"})
    assert message == Invalid(id=None, why="`id` is neither text nor number")


def test_without_an_id_it_is_a_notification():
    assert read_message({"jsonrpc": "2.0", "method": "x"}) == Notification(method="x", params={})


@pytest.mark.parametrize(
    "wrong",
    [{"jsonrpc": "1.0"}, {"jsonrpc": None}, {"method": 5}, {"method": None}, {"params": [1]}, {"params": "x"}],
    ids=str,
)
def test_what_breaks_the_form_is_answered_under_its_id(wrong):
    message = read_message({"jsonrpc": "2.0", "id": 3, "method": "ping", **wrong})
    assert isinstance(message, Invalid)
    assert message.id == 3


@pytest.mark.parametrize("answer", [{"result": {}}, {"error": {"code": 1, "message": "no"}}, {"result": None}])
def test_an_answer_is_never_answered_whatever_its_id(answer):
    for identifier in (1, "a", None, []):
        assert isinstance(read_message({"jsonrpc": "2.0", "id": identifier, **answer}), Response)


@pytest.mark.parametrize("value", [None, 1, "x", [], True])
def test_what_is_no_object_is_no_message(value):
    assert isinstance(read_message(value), Invalid)


@given(VALUES)
def test_a_message_is_one_line(value):
    line = as_line(as_result(1, {"value": value}))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line)["result"]["value"] == value


def test_a_path_that_is_no_text_goes_out_with_question_marks():
    assert json.loads(as_line({"path": "a\udcff"})) == {"path": "a?"}


def test_an_error_holds_data_where_there_is_some():
    assert as_error(None, -1, "no") == {"jsonrpc": "2.0", "id": None, "error": {"code": -1, "message": "no"}}
    assert as_error(2, -1, "no", {"a": 1})["error"]["data"] == {"a": 1}


def test_an_error_repeats_no_secret_that_a_client_sent():
    error = as_error(1, -1, f"there is no tool {FAKE_SECRET!r}", {"requested": [FAKE_SECRET]})
    assert FAKE_SECRET not in str(error)
    assert "there is no tool" in str(error)
