import re
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

import vademecum
from vademecum.artifacts import Kind
from vademecum.state import RecordOrigin, RecordState, RetiredReason, State, load_statements


def test_a_record_comes_back_as_it_went_in(state: State, compose):
    record = compose(branch=None, cwd="/wörk/店", raw_memory="ä\n\x00b")
    assert state.records.upsert(record)
    assert state.records.get("s1") == record


def test_an_unknown_session_has_no_record(state: State):
    assert state.records.get("nobody") is None


@pytest.mark.parametrize(("minute", "kept"), [(4, "old"), (5, "new"), (6, "new")])
def test_an_equal_or_newer_version_replaces_and_an_older_never_does(state: State, compose, minute: int, kept: str):
    """codex-A04"""
    state.records.upsert(compose(minute=5, raw_memory="old"))
    assert state.records.upsert(compose(minute=minute, raw_memory="new")) == (kept == "new")
    assert state.records.get("s1").raw_memory == kept


def test_the_same_words_again_change_nothing(state: State, compose, morning):
    state.records.upsert(compose())
    assert not state.records.upsert(compose(extracted_at=morning + timedelta(days=1)))


def test_the_first_stem_is_kept_whatever_later_versions_bring(state: State, compose):
    state.records.upsert(compose(stem="first"))
    state.records.upsert(compose(minute=1, stem="second", slug="other"))
    record = state.records.get("s1")
    assert (record.stem, record.slug) == ("first", "other")


def test_two_sessions_never_share_a_stem(state: State, compose):
    for session_id in ("a", "b", "c"):
        assert state.records.upsert(compose(session_id, stem="same"))
    assert len({record.stem for record in state.records.all()}) == 3


@pytest.mark.parametrize("reason", RetiredReason)
def test_only_a_persons_word_keeps_a_session_out_when_it_is_extracted_again(state: State, compose, reason):
    state.records.upsert(compose())
    assert state.records.retire("s1", reason)
    assert state.records.upsert(compose(minute=1)) != reason.is_final
    expected = RecordState.RETIRED if reason.is_final else RecordState.ACTIVE
    assert state.records.get("s1").state is expected


def test_what_was_forgotten_keeps_no_text(state: State, compose):
    state.records.upsert(compose(raw_memory="words", rollout_summary="words"))
    state.records.retire("s1", RetiredReason.FORGOTTEN)
    record = state.records.get("s1")
    assert (record.raw_memory, record.rollout_summary) == ("", "")


def test_a_weaker_reason_does_not_replace_a_persons_word(state: State, compose):
    state.records.upsert(compose())
    state.records.retire("s1", RetiredReason.FORGOTTEN)
    assert not state.records.retire("s1", RetiredReason.UNUSED)
    assert state.records.get("s1").retired_reason is RetiredReason.FORGOTTEN


def test_every_reason_to_take_a_session_out_is_given_by_somebody():
    sources = Path(vademecum.__file__).parent.rglob("*.py")
    given = {
        name for path in sources for name in re.findall(r"retire\([^)]*RetiredReason\.(\w+)", path.read_text("utf-8"))
    }
    assert given == {reason.name for reason in RetiredReason}


def test_an_unknown_session_cannot_be_retired(state: State):
    assert not state.records.retire("nobody", RetiredReason.UNUSED)


def test_rollout_summaries_bring_back_only_what_is_unknown(state: State, compose):
    state.records.upsert(compose("known", raw_memory="mine"))
    assert state.records.adopt([compose("known", minute=9, raw_memory="theirs"), compose("new")]) == 1
    assert state.records.get("known").raw_memory == "mine"
    assert state.records.get("new").origin is RecordOrigin.REPOSITORY


def test_adopting_twice_adopts_once(state: State, compose):
    assert state.records.adopt([compose("a"), compose("a")]) == 1
    assert state.records.adopt([compose("a")]) == 0


def test_a_session_that_a_person_forgot_is_not_adopted_again(state: State, compose):
    state.records.upsert(compose())
    state.records.retire("s1", RetiredReason.FORGOTTEN)
    assert state.records.adopt([compose()]) == 0


def test_a_state_without_records_knows_no_stem(state: State):
    assert state.records.stems() == frozenset()


def test_the_stems_of_all_records_are_known_retired_ones_included(state: State, compose):
    state.records.upsert(compose("a"))
    state.records.upsert(compose("b"))
    state.records.retire("b", RetiredReason.UNUSED)
    assert state.records.stems() == {head.stem for head in state.records.heads()}


def test_records_come_newest_first_and_by_state(state: State, compose):
    for minute, session_id in enumerate("abc"):
        state.records.upsert(compose(session_id, minute=minute))
    state.records.retire("b", RetiredReason.UNUSED)
    assert [record.session_id for record in state.records.all()] == ["c", "b", "a"]
    assert [record.session_id for record in state.records.all(RecordState.ACTIVE)] == ["c", "a"]
    assert [head.session_id for head in state.records.heads(RecordState.RETIRED)] == ["b"]
    assert state.records.counts() == {RecordState.ACTIVE: 2, RecordState.RETIRED: 1}


def test_a_consolidated_record_waits_no_more_until_it_changes(state: State, compose, morning):
    state.records.upsert(compose())
    assert len(state.records.unconsolidated()) == 1
    state.records.mark_consolidated({"s1": morning})
    assert state.records.unconsolidated() == []
    state.records.upsert(compose(minute=1))
    assert len(state.records.unconsolidated()) == 1


def test_a_record_that_changed_while_a_consolidation_ran_still_waits(state: State, compose, morning):
    """codex-A06"""
    seen = compose()
    state.records.upsert(seen)
    state.records.upsert(compose(minute=1))
    state.records.mark_consolidated({"s1": seen.updated_at})
    assert [record.session_id for record in state.records.unconsolidated()] == ["s1"]


def test_a_retired_record_waits_until_a_consolidation_has_taken_it_out(state: State, compose, morning):
    """codex-A05, codex-A12"""
    state.records.upsert(compose())
    state.records.mark_consolidated({"s1": morning})
    state.records.retire("s1", RetiredReason.UNUSED)
    assert [record.session_id for record in state.records.unconsolidated()] == ["s1"]
    state.records.mark_consolidated({"s1": None})
    assert state.records.unconsolidated() == []


def test_a_record_retired_while_a_consolidation_ran_is_taken_out_by_the_next(state: State, compose, morning):
    state.records.upsert(compose())
    state.records.retire("s1", RetiredReason.UNUSED)
    state.records.mark_consolidated({"s1": morning})
    assert len(state.records.unconsolidated()) == 1


def test_a_record_that_was_never_consolidated_needs_no_taking_out(state: State, compose):
    """codex-A05, codex-A12"""
    state.records.upsert(compose())
    state.records.retire("s1", RetiredReason.UNUSED)
    assert state.records.unconsolidated() == []


def test_records_are_frozen(compose):
    with pytest.raises(AttributeError):
        compose().cwd = "/elsewhere"
    assert msgspec.structs.replace(compose(), cwd="/x").cwd == "/x"


def test_only_what_rested_for_want_of_use_is_woken(state: State, compose):
    for reason in RetiredReason:
        state.records.upsert(compose(reason.value, stem=reason.value))
        state.records.retire(reason.value, reason)
        state.records.wake(reason.value)
    assert [record.session_id for record in state.records.all(RecordState.ACTIVE)] == [RetiredReason.UNUSED.value]


def test_a_woken_record_waits_for_consolidation_where_it_stands_no_more(state: State, compose, morning):
    state.records.upsert(compose())
    state.records.mark_consolidated({"s1": morning})
    state.records.retire("s1", RetiredReason.UNUSED)
    state.records.mark_consolidated({"s1": None})
    assert state.records.unconsolidated() == []
    state.records.wake("s1")
    assert [record.session_id for record in state.records.unconsolidated()] == ["s1"]


@pytest.mark.parametrize("kind", Kind)
def test_what_a_person_said_to_hold_stands(state: State, compose, kind):
    """Rules, habits and corrections; what was asked for once, and what was observed, wears out."""
    state.records.upsert(compose(raw_memory=f"- [t1] {kind}/project x: y"))
    assert state.records.standing() == ({"s1"} if kind in {Kind.RULE, Kind.HABIT, Kind.CORRECTION} else set())


def test_which_records_stand_is_told_without_their_texts(state: State):
    query = load_statements("vademecum.state", "records")["standing_records"]
    (step,) = state.records._database.all(f"EXPLAIN QUERY PLAN {query}")
    assert "INDEX records_standing" in step["detail"]


def test_candidates_are_the_active_records(state: State, compose):
    state.records.upsert(compose("a", project="/srv/shop"))
    state.records.upsert(compose("b"))
    state.records.retire("b", RetiredReason.UNUSED)
    (head,) = state.records.heads(RecordState.ACTIVE)
    assert state.records.candidates() == [("a", "/srv/shop", head.updated_at)]


def test_the_chosen_come_newest_first_and_active_only(state: State, compose):
    for minute, session_id in enumerate("abc"):
        state.records.upsert(compose(session_id, minute=minute))
    state.records.retire("b", RetiredReason.UNUSED)
    assert [record.session_id for record in state.records.chosen("abx")] == ["a"]
    assert [record.session_id for record in state.records.chosen("ac")] == ["c", "a"]
