"""What a model finds in its draft."""

import stat
from datetime import timedelta

import pytest

from support.consolidating import record
from support.memfs import FAKE_SECRET, git
from support.scripted_learner import ScriptedLearner, bullet, group, summary_of, writing
from vademecum.artifacts import HANDBOOK_PATH, render_note
from vademecum.learning import ConsolidationStatus, consolidate
from vademecum.learning.briefing import batch_of
from vademecum.memfs import Provenance, Writer
from vademecum.state import RecordState, RetiredReason

RAW = "---\ndescription: x\n---\n### Task 1: x\n- [t1] rule/project 2026-11-02T09:00:00Z: always use pnpm\n"
PNPM = bullet("always use pnpm", "/srv/shop", "s1#t1")
USER = Provenance(writer=Writer.USER)
NOTE = "extensions/ad_hoc/notes/2026-11-02T09-00-00-ship.md"


def silent(_task, _draft):
    return '{"verdict": "nothing_to_say"}'


@pytest.fixture
def learned(stage, state):
    """One rule of the shop stands in memory."""
    state.records.upsert(record(project="/srv/shop", raw_memory=RAW))
    write = writing(group("/srv/shop", preferences=[PNPM]), summary_of())
    assert consolidate(stage, ScriptedLearner(write=write)).status is ConsolidationStatus.LANDED


@pytest.fixture
def given(stage):
    """Consolidate by a model that changes nothing; what it found in `.inputs/`."""

    def look():
        learner = ScriptedLearner(write=silent)
        outcome = consolidate(stage, learner)
        return learner.drafts[0] if learner.drafts else outcome.status

    return look


def test_without_new_input_no_model_is_asked(given, stage):
    """codex-W13: an empty memory costs nothing."""
    assert given() is ConsolidationStatus.NO_NEW_INPUT


def test_a_persons_edits_are_shown_as_a_diff(learned, given, memory):
    """codex-A13, codex-R50, codex-R57: what they wrote, not only that they did."""
    handbook = memory.folder / HANDBOOK_PATH
    handbook.write_text(handbook.read_text("utf-8").replace("always use pnpm", "always use pnpm 9"), "utf-8")
    changes = given()["changes.diff"]
    assert "+- always use pnpm 9 <!-- vade:" in changes
    assert "-- always use pnpm <!-- vade:" in changes


def test_a_recap_that_is_gone_is_named(learned, given, memory, state):
    """codex-A13"""
    (path,) = (path for path in memory.tree().paths() if path.startswith("rollout_summaries/"))
    memory.commit({path: None}, subject="away", provenance=USER)
    assert given()["changes.diff"] == f"gone: {path}\n"


def test_a_long_change_is_cut_between_two_lines_and_says_so(learned, given, memory, state):
    """codex-A13, codex-A14: counted in characters, so that no cut divides one."""
    path, line = "reference/words.md", "語é" * 9
    memory.commit({path: f"---\ndescription: words\n---\n{line}\n" * 3_000}, subject="words", provenance=USER)
    state.records.upsert(record("s2", project="/srv/shop", raw_memory=RAW))
    changes = given()["changes.diff"]
    *_, last, mark = changes.rstrip("\n").split("\n")
    assert mark == f"[... the rest of {path} is left out ...]"
    assert last in {f"+{line}", "+---", "+description: words"}
    assert 39_000 < len(changes) < 41_000
    assert "\ufffd" not in changes


def test_no_recap_is_shown_twice(learned, given, state):
    """codex-W31: sessions stand in one place."""
    state.records.upsert(record("s2", project="/srv/shop", raw_memory=RAW))
    inputs = given()
    assert inputs["changes.diff"] == "(none)\n"
    assert "## Session s2" in inputs["raw_memories.md"]


def test_no_secret_and_no_open_file(learned, stage, memory):
    """What a person committed by plain git was never scanned."""
    note = render_note(f"the key is {FAKE_SECRET}", origin="human", created_at=record().updated_at)
    (memory.folder / NOTE).parent.mkdir(parents=True, exist_ok=True)
    (memory.folder / NOTE).write_text(note, "utf-8")
    git(memory.folder, "add", "--all")
    git(memory.folder, "commit", "--quiet", "--no-verify", "-m", "note")
    seen = []

    def look(task, draft):
        files = list(draft.inputs.iterdir())
        seen.extend(stat.S_IMODE(file.stat().st_mode) for file in files)
        texts = [task.prompt.data, *(file.read_text("utf-8") for file in files)]
        assert not [text for text in texts if FAKE_SECRET in text]
        assert NOTE in texts[0]
        return silent(task, draft)

    consolidate(stage, ScriptedLearner(write=look))
    assert set(seen) == {0o600}


def test_a_note_written_while_the_model_works_waits_for_the_next_run(learned, stage, memory, state):
    """codex-B07, codex-W01, codex-N17: the baseline moves to what was seen, and no further."""
    state.records.upsert(record("s2", project="/srv/shop", raw_memory=RAW))
    text = render_note("ship on Fridays", origin="human", created_at=record().updated_at)

    def write(task, draft):
        memory.commit({NOTE: text}, subject="note", provenance=USER)
        more = PNPM.replace("s1#t1", "s1#t1 s2#t1")
        return writing(group("/srv/shop", preferences=[more]), summary_of())(task, draft)

    assert consolidate(stage, ScriptedLearner(write=write)).status is ConsolidationStatus.LANDED
    again = ScriptedLearner(write=silent)
    outcome = consolidate(stage, again)
    assert NOTE in again.prompts[0].data
    assert outcome.status is ConsolidationStatus.INVALID


def test_a_session_that_went_on_and_has_to_wait_still_supports_what_it_taught(learned, stage, state):
    later = record().updated_at + timedelta(days=9)
    long = "".join(f"- [t{turn}] fact/project 2026-11-02T09:00:00Z: {'x' * 300}\n" for turn in range(5, 40))
    state.records.upsert(record("s2", project="/srv/shop", raw_memory=RAW + long))
    state.records.upsert(record(project="/srv/shop", raw_memory=RAW + long, updated_at=later))
    more = writing(group("/srv/shop", preferences=[PNPM.replace("s1#t1", "s1#t1 s2#t1")]), summary_of())
    outcome = consolidate(stage, ScriptedLearner(write=more, input_tokens=14_000))
    assert (outcome.status, outcome.reason) == (ConsolidationStatus.LANDED, "")
    assert [one.session_id for one in state.records.unconsolidated()] == ["s1"]


class TestBatch:
    def waiting(self, *days):
        at = record().updated_at
        return [record(f"s{day}", updated_at=at + timedelta(days=day), raw_memory=RAW * 20) for day in days]

    def test_the_oldest_come_first_and_as_many_as_fit(self):
        """codex-W19: nothing starves behind what is newer."""
        ids = [one.session_id for one in batch_of(self.waiting(3, 1, 2), 10_000)]
        assert ids == ["s1", "s2", "s3"]
        assert [one.session_id for one in batch_of(self.waiting(3, 1, 2), 3_000)] == ["s1"]

    def test_one_is_taken_however_small_the_window(self):
        assert len(batch_of(self.waiting(1, 2), 10)) == 1

    def test_what_was_retired_takes_no_room(self):
        gone = record("gone", state=RecordState.RETIRED, retired_reason=RetiredReason.DELETED, raw_memory="x" * 9_000)
        assert len(batch_of([gone, *self.waiting(1)], 10)) == 2
