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


class TestTwoProcesses:
    @pytest.fixture
    def other(self, state: State):
        with State.open(state.path) as other:
            yield other

    def test_what_another_process_reads_meanwhile_is_not_read_again(self, state: State, other: State, source: Source):
        assert not state.sources.unchanged("host", "/a.jsonl", "", "1")
        other.sources.remember([source])
        assert state.sources.unchanged("host", "/a.jsonl", "", "1")

    def test_what_another_process_has_read_anew_is_read_by_the_next_pass_at_the_latest(
        self, state: State, other: State, source: Source
    ):
        state.sources.remember([source])
        assert state.sources.unchanged("host", "/a.jsonl", "", "1")
        other.sources.forget("s1")
        with State.open(state.path) as next_pass:
            assert not next_pass.sources.unchanged("host", "/a.jsonl", "", "1")


def test_what_is_forgotten_during_a_pass_is_read_by_the_same_pass(state: State, source: Source):
    state.sources.remember([source])
    assert state.sources.unchanged("host", "/a.jsonl", "", "1")
    state.sources.forget("s1")
    assert not state.sources.unchanged("host", "/a.jsonl", "", "1")


def test_a_change_that_is_taken_back_with_its_transaction_was_none(state: State, source: Source, morning):
    state.sources.remember([source])
    assert state.sources.unchanged("host", "/a.jsonl", "", "1")
    newer = Source(host="host", path="/a.jsonl", fingerprint="2", session_id="s1", seen_at=morning)

    def fail():
        with state.transaction():
            state.sources.remember([newer])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert state.sources.unchanged("host", "/a.jsonl", "", "1")
    assert not state.sources.unchanged("host", "/a.jsonl", "", "2")
