"""The state follows what the archive lists as switched off."""

import msgspec
import pytest

from support.consolidating import AT, FakeLearner, record
from vademecum.artifacts import ARCHIVE_PATH, HANDBOOK_PATH, parse_archive, with_switch
from vademecum.learning import ConsolidationStatus, adopt_rollout_summaries, consolidate, follow_switched_off
from vademecum.memfs import Provenance, Writer
from vademecum.state import RecordState, RetiredReason

USER = Provenance(writer=Writer.USER)


@pytest.fixture
def switch(memory):
    def write(session, off_since):
        text = memory.tree().read(ARCHIVE_PATH) if memory.tree().has(ARCHIVE_PATH) else ""
        memory.commit({ARCHIVE_PATH: with_switch(text, session, off_since)}, subject="x", provenance=USER)
        return memory.tree()

    return write


def standing(state):
    return {head.session_id: head.retired_reason for head in state.records.heads()}


def test_its_record_is_retired_and_comes_back_as_it_was(state, switch):
    state.records.upsert(record("s1"))
    state.records.upsert(record("s2"))
    follow_switched_off(state, switch("s1", "2026-11-30"))
    assert standing(state) == {"s1": RetiredReason.DISABLED, "s2": None}
    follow_switched_off(state, switch("s1", None))
    assert standing(state) == {"s1": None, "s2": None}
    assert state.records.get("s1").raw_memory == "raw\n"


@pytest.mark.parametrize("reason", [RetiredReason.FORGOTTEN, RetiredReason.UNUSED])
def test_what_went_for_another_reason_does_not_come_back_by_it(state, switch, reason):
    state.records.upsert(record("s1"))
    state.records.retire("s1", reason)
    follow_switched_off(state, switch("s1", "2026-11-30"))
    follow_switched_off(state, switch("s1", None))
    assert standing(state) == {"s1": reason}


def test_what_memory_has_of_it_goes_with_the_next_consolidation_and_comes_back(stage, state, memory, switch):
    state.records.upsert(record("s1"))
    state.records.upsert(record("s2"))
    consolidate(stage, FakeLearner())
    switch("s1", "2026-11-30")
    for _ in range(2):
        consolidate(stage, FakeLearner())
        assert "rule of s1" not in memory.tree().read(HANDBOOK_PATH)
        assert not [path for path in memory.tree().paths() if path.endswith("s1.md")]
    assert state.tombstones.all() == []
    switch("s1", None)
    assert consolidate(stage, FakeLearner()).status is ConsolidationStatus.LANDED
    assert "rule of s1" in memory.tree().read(HANDBOOK_PATH)


def test_a_rollout_summary_alone_is_enough_to_take_it_out(stage, state, memory, switch):
    state.records.upsert(record("s1"))
    state.records.upsert(record("s2"))
    consolidate(stage, FakeLearner())
    state.records.clear()  # as on another machine
    tree = switch("s1", "2026-11-30")
    adopt_rollout_summaries(memory, state, AT)
    follow_switched_off(state, tree)
    consolidate(stage, FakeLearner())
    assert not [path for path in memory.tree().paths() if path.endswith("s1.md")]
    assert state.records.counts()[RecordState.ACTIVE] == 1


def test_no_consolidation_takes_the_entry_out_of_the_archive(stage, state, memory, switch):
    state.records.upsert(record("s1"))
    consolidate(stage, FakeLearner())
    switch("s1", "2026-11-30")
    state.records.upsert(record("s2"))
    consolidate(stage, FakeLearner())
    (entry,) = parse_archive(memory.tree().read(ARCHIVE_PATH))
    assert (entry.reason, entry.scope) == ("disabled", "Sessions switched off")


def test_a_skill_of_a_learner_is_a_draft_and_what_it_says_of_a_page_is_marked(stage, state, memory):
    """codex-W34"""
    page = "---\nname: x\ndescription: how\nstatus: active\n---\nDo it.\n"
    learner = FakeLearner()
    wrote = learner.consolidate

    def consolidate_with_skill(task, draft):
        answer = wrote(task, draft)
        draft.write("skills/x/SKILL.md", page)
        draft.write("reference/x.md", page)
        return answer

    learner.consolidate = consolidate_with_skill
    state.records.upsert(record("s1"))
    assert consolidate(stage, learner).status is ConsolidationStatus.LANDED
    assert "status: draft" in memory.tree().read("skills/x/SKILL.md")
    assert "described_by: agent" in memory.tree().read("reference/x.md")


def test_a_switch_leaves_every_other_line_of_the_archive_alone():
    text = "# Archive\n\n## everywhere\n- 2026-11-01 deleted: x <!-- vade:0123456789 s#t1 -->\n\nmy own words\n"
    off = with_switch(text, "s1", "2026-11-30")
    both = with_switch(off, "s2", "2026-11-30")
    assert len([item for item in parse_archive(both) if item.scope == "Sessions switched off"]) == 2
    assert with_switch(both, "s2", None) == off
    assert with_switch(off, "s1", None).startswith(text.rstrip("\n"))
    assert msgspec.json.encode(parse_archive(with_switch(off, "s1", None))) == msgspec.json.encode(parse_archive(text))
