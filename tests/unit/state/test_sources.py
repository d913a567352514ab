from datetime import timedelta

import pytest

from vademecum.state import Source, State


@pytest.fixture
def source(morning):
    return Source(host="host", path="/a.jsonl", fingerprint="1", session_id="s1", seen_at=morning)


def test_only_the_same_fingerprint_at_the_same_place_is_unchanged(state: State, source: Source):
    assert not state.sources.unchanged("host", "/a.jsonl", "", "1")
    state.sources.remember([source])
    assert state.sources.unchanged("host", "/a.jsonl", "", "1")
    assert not state.sources.unchanged("host", "/a.jsonl", "", "2")
    assert not state.sources.unchanged("host", "/a.jsonl", "other", "1")
    assert not state.sources.unchanged("other", "/a.jsonl", "", "1")


def test_what_was_read_last_holds(state: State, source: Source, morning):
    newer = Source(host="host", path="/a.jsonl", fingerprint="2", session_id="s1", seen_at=morning)
    state.sources.remember([source, newer])
    assert state.sources.of_session("s1") == [newer]


def test_a_session_that_is_forgotten_here_is_read_anew(state: State, source: Source):
    state.sources.remember([source])
    assert state.sources.forget("s1") == 1
    assert not state.sources.unchanged("host", "/a.jsonl", "", "1")


def test_every_place_is_listed_and_of_one_session_the_newest_last(state: State, source: Source, morning):
    later = Source(host="host", path="/0.jsonl", fingerprint="1", session_id="s1", seen_at=morning + timedelta(hours=1))
    other = Source(host="host", path="/z.jsonl", fingerprint="1", session_id="s0", seen_at=morning)
    state.sources.remember([later, source, other])
    assert state.sources.all() == [other, source, later]
