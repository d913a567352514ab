"""Whoever decides what stands in memory brings the books to the present first, all of them."""

import pytest

from support.consolidating import KEY, FakeLearner, record
from vademecum.artifacts import ARCHIVE_PATH, HANDBOOK_PATH, forgotten_session, render_archive
from vademecum.learning import consolidate
from vademecum.learning.catching_up import catch_up
from vademecum.learning.undone import recent_undos
from vademecum.memfs import Provenance, Writer, undo
from vademecum.state import RetiredReason, TombstoneReason

ROLLOUT = "rollout_summaries/2026-11-02T09-00-00-abcd-s1.md"
BY_HAND = Provenance(writer=Writer.USER, origin="human")


@pytest.fixture
def learned(stage, state, memory):
    """One session is in memory."""
    state.records.upsert(record())
    consolidate(stage, FakeLearner())
    return memory


def delete_summary(memory):
    memory.commit({ROLLOUT: None}, subject="by hand", provenance=BY_HAND)


def undo_run(memory):
    undo(memory, memory.head())


def forget(memory):
    archive = render_archive([forgotten_session("s1", "2026-11-20")])
    memory.commit({ROLLOUT: None, ARCHIVE_PATH: archive}, subject="forget", provenance=BY_HAND)


def delete_bullet(memory):
    lines = memory.tree().read(HANDBOOK_PATH).split("\n")
    text = "\n".join(line for line in lines if KEY not in line)
    memory.commit({HANDBOOK_PATH: text}, subject="by hand", provenance=BY_HAND)


def books(state):
    return [stone for stone in state.tombstones.all() if stone.key == KEY], state.records.get("s1")


def test_what_was_deleted_and_put_back_before_a_consolidation_stays(learned, state, stage, now):
    before = learned.tree().read(HANDBOOK_PATH)
    delete_bullet(learned)
    catch_up(state, learned, learned.tree(), [], now)
    learned.commit({HANDBOOK_PATH: before}, subject="by hand", provenance=BY_HAND)
    catch_up(state, learned, learned.tree(), [], now)
    assert books(state)[0] == []
    consolidate(stage, FakeLearner())
    assert KEY in learned.tree().read(HANDBOOK_PATH)


@pytest.mark.parametrize(
    ("act", "buried", "retired"),
    [
        (delete_summary, TombstoneReason.DELETED, RetiredReason.DELETED),
        (undo_run, TombstoneReason.UNDONE, RetiredReason.DELETED),
        (forget, None, RetiredReason.FORGOTTEN),
        (delete_bullet, TombstoneReason.DELETED, None),
    ],
    ids=["deleted summary", "undo", "forgotten", "deleted bullet"],
)
def test_what_a_person_did_is_in_the_books_and_doing_it_again_changes_nothing(
    learned, state, now, act, buried, retired
):
    act(learned)

    def caught_up():
        catch_up(state, learned, learned.tree(), recent_undos(learned), now)
        return books(state)

    stones, known = first = caught_up()
    assert [stone.reason for stone in stones] == ([buried] if buried else [])
    assert known.retired_reason is retired
    assert caught_up() == first
