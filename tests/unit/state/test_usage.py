from datetime import timedelta

import msgspec
import pytest

from vademecum.state import Citation, CitedKind, State, UsageTotal


@pytest.fixture
def cite(morning):
    def build(cited: str, message: str, *, by: str = "s9", minute: int = 0, kind=CitedKind.SESSION) -> Citation:
        at = morning + timedelta(minutes=minute)
        return Citation(kind=kind, cited=cited, citing_session=by, message_id=message, at=at)

    return build


def test_the_same_answer_counts_once(state: State, cite):
    assert state.usage.count([cite("s1", "m1"), cite("s1", "m1", minute=3)]) == 1
    assert state.usage.count([cite("s1", "m1")]) == 0


def test_usage_is_summed_per_memory(state: State, cite, morning):
    state.usage.count([cite("s1", "m1"), cite("s1", "m2", minute=3), cite("s1", "m1", by="s8"), cite("s2", "m1")])
    expected = UsageTotal(cited="s1", count=3, last_at=morning + timedelta(minutes=3), sessions=2)
    assert state.usage.totals(CitedKind.SESSION)["s1"] == expected
    assert set(state.usage.totals(CitedKind.SESSION)) == {"s1", "s2"}


def test_paths_and_sessions_are_told_apart(state: State, cite):
    state.usage.count([cite("x", "m1"), cite("x", "m1", kind=CitedKind.PATH)])
    assert state.usage.totals(CitedKind.PATH)["x"].count == 1
    assert state.usage.totals(CitedKind.SESSION)["x"].count == 1


def test_every_cited_part_of_a_file_is_kept_and_is_one_use(state: State, cite):
    """codex-W20"""
    parts = [
        msgspec.structs.replace(cite("a.md", "m1", kind=CitedKind.PATH), line_start=first, line_end=first + 1)
        for first in (1, 10)
    ]
    assert state.usage.count(parts) == 2
    total = state.usage.totals(CitedKind.PATH)["a.md"]
    assert (total.count, total.sessions) == (1, 1)


def test_a_batch_is_counted_as_a_whole_or_not_at_all(state: State, cite):
    """codex-R84"""

    def cut_short():
        yield cite("s1", "m1")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        state.usage.count(cut_short())
    assert state.usage.totals(CitedKind.SESSION) == {}


@pytest.mark.parametrize("minute", [-1, 0, 1])
def test_what_was_counted_stays_when_a_session_is_read_again(state: State, cite, compose, minute: int):
    """codex-A04"""
    state.records.upsert(compose())
    state.usage.count([cite("s1", "m1"), cite("s1", "m2")])
    state.records.upsert(compose(minute=minute, raw_memory="new"))
    assert state.usage.totals(CitedKind.SESSION)["s1"].count == 2
