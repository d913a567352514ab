from datetime import timedelta

import msgspec
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


def test_what_a_bullet_rested_on_stays_with_its_tombstone(state: State, tombstone):
    kept = msgspec.structs.replace(tombstone("a"), sources=("s1#t1", "s2#t4.2"))
    state.tombstones.add([kept])
    assert state.tombstones.all() == [kept]


def test_only_what_was_said_after_the_removal_and_after_all_that_was_removed_brings_it_back(tombstone, morning):
    assert tombstone("a").until == morning
    for minutes, until in ((-5, morning), (5, morning + timedelta(minutes=5))):
        evidence_at = morning + timedelta(minutes=minutes)
        assert msgspec.structs.replace(tombstone("a"), evidence_at=evidence_at).until == until
