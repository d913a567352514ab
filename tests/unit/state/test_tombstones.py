from datetime import timedelta

import pytest

from vademecum.state import State, Tombstone, TombstoneReason


@pytest.fixture
def tombstone(morning):
    def build(key: str, minute: int = 0, reason: TombstoneReason = TombstoneReason.DELETED) -> Tombstone:
        return Tombstone(
            key=key, scope="general", text="use pnpm", reason=reason, at=morning + timedelta(minutes=minute)
        )

    return build


def test_a_tombstone_comes_back_as_it_went_in(state: State, tombstone):
    state.tombstones.add([tombstone("a")])
    assert state.tombstones.all() == [tombstone("a")]


def test_the_latest_word_on_a_bullet_holds(state: State, tombstone):
    latest = tombstone("a", minute=5, reason=TombstoneReason.UNDONE)
    state.tombstones.add([latest, tombstone("a", minute=1)])
    assert state.tombstones.all() == [latest]


def test_a_person_may_have_a_bullet_back(state: State, tombstone):
    state.tombstones.add([tombstone("a"), tombstone("b", minute=1)])
    assert state.tombstones.remove("a")
    assert not state.tombstones.remove("a")
    assert [kept.key for kept in state.tombstones.all()] == ["b"]
