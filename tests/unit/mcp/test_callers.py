"""Which host, session and working directory a message belongs to."""

import pytest

from vademecum.errors import UsageError
from vademecum.mcp.callers import Caller, Options, caller_of, read_options


def test_every_option_takes_one_value():
    words = ["--host", "h", "--identity", "work", "--session-meta", "a.b", "--call-meta", "c", "--everyday-meta", "k"]
    assert read_options(words) == Options(
        host="h", identity="work", session_meta="a.b", call_meta="c", everyday_meta="k"
    )


def test_without_words_all_is_left_open():
    assert read_options([]) == Options()


@pytest.mark.parametrize("words", [["--host"], ["--colour", "red"], ["stray"], ["--host", "a", "--identity"]], ids=str)
def test_what_is_no_option_is_refused(words):
    with pytest.raises(UsageError):
        read_options(words)


def test_what_a_message_says_comes_first():
    params = {"_meta": {"vademecum": {"host": "h", "session": "s1", "cwd": "/srv/bar"}, "sessionId": "other"}}
    assert caller_of(params, Options(host="x", session_meta="sessionId")) == Caller(
        host="h", session="s1", cwd="/srv/bar"
    )


def test_then_what_the_host_puts_into_its_messages():
    options = Options(host="h", session_meta="turn.session_id", call_meta="host/call")
    params = {"_meta": {"turn": {"session_id": "s2"}, "host/call": "c1"}}
    assert caller_of(params, options) == Caller(host="h", session="s2", call="c1")


@pytest.mark.parametrize(
    "meta", [None, 1, "x", [], {"vademecum": None}, {"vademecum": {"session": 5, "cwd": ""}}, {"a": {"b": []}}], ids=str
)
def test_what_says_nothing_is_passed_over(meta):
    assert caller_of({"_meta": meta}, Options(session_meta="a.b.c", call_meta="a")) == Caller()


def test_two_messages_of_two_sessions_are_told_apart():
    """user-U15: nothing is kept between two messages of one process."""
    sessions = [caller_of({"_meta": {"vademecum": {"session": name}}}, Options()).session for name in ("a", "b")]
    assert [*sessions, caller_of({}, Options()).session] == ["a", "b", None]
