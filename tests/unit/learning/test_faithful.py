"""What is asked of a consolidation that a model wrote."""

from datetime import timedelta

import pytest

from support.consolidating import record
from support.scripted_learner import ScriptedLearner, bullet, group, summary_of, writing
from vademecum.artifacts import HANDBOOK_PATH, SUMMARY_PATH, bullet_key, parse_sections, render_note, render_sections
from vademecum.learning import ConsolidationStatus, consolidate
from vademecum.memfs import Provenance, Writer
from vademecum.state import RetiredReason, Tombstone, TombstoneReason

RAW = """\
---
description: work
outcome: success
cwd: {project}
keywords: pnpm
---

### Task 1: work
outcome: success
- [t1] rule/project 2026-11-02T09:00:00Z: always use pnpm
- [t2] rule/general 2026-11-02T09:00:00Z: always answer in German
- [t3] request/project 2026-11-02T09:00:00Z: make the button blue
- [t4] command/project 2026-11-02T09:00:00Z: test with `pnpm test`
"""
SHOP, BANK = "/srv/shop", "/srv/bank"
USER = Provenance(writer=Writer.USER)
NOTE = "extensions/ad_hoc/notes/2026-11-02T09-00-00-ship.md"


@pytest.fixture
def learned(state):
    """Two sessions of the shop and one of the bank wait."""
    for session_id, project in (("s1", SHOP), ("s2", SHOP), ("b1", BANK)):
        state.records.upsert(record(session_id, cwd=project, project=project, raw_memory=RAW.format(project=project)))


@pytest.fixture
def run(stage, learned):
    """Consolidate by a model that writes these groups and this summary."""

    def consolidating(*groups, summary=None, verdict="wrote", skip=False):
        def write(task, draft):
            if not skip:
                writing("\n".join(groups), summary or summary_of())(task, draft)
            return f'{{"verdict": "{verdict}"}}'

        return consolidate(stage, ScriptedLearner(write=write))

    return consolidating


def refused(outcome):
    """The reason of a run whose work does not land."""
    assert outcome.status is ConsolidationStatus.INVALID
    return outcome.reason


PNPM = bullet("always use pnpm", SHOP, "s1#t1")


def test_work_without_fault_lands(run):
    everywhere = group("", preferences=[bullet("always answer in German", "", "s1#t2", "b1#t2")])
    shop = group(SHOP, preferences=[PNPM], knowledge=[bullet("test with `pnpm test`", SHOP, "s1#t4")])
    outcome = run(everywhere, shop)
    assert (outcome.status, outcome.reason) == (ConsolidationStatus.LANDED, "")


@pytest.mark.parametrize(
    ("written", "what"),
    [
        (bullet("always use npm", SHOP, "s1#t9"), "the source s1#t9, which does not exist"),
        (bullet("always use pnpm", SHOP, "s1#t1", "s1#t1.7"), "the source s1#t1.7, which does not exist"),
        (bullet("always use npm", SHOP, "nobody#t1"), "does not exist"),
        ("- always use npm", "without a source"),
        (PNPM.replace(bullet_key(SHOP, "s1#t1"), "0" * 10), "whose key was not made of its first source"),
        (bullet("test with `pnpm test`", SHOP, "s1#t4"), "rests on no words of the person"),
        (bullet("make the button blue", SHOP, "s1#t3"), "a one-off stays with its task"),
        (bullet("never write tests", SHOP, "s1#t1"), "in words that its sources do not hold"),
        (bullet("always use pnpm", SHOP, "b1#t1"), f"of {BANK} under the project {SHOP}"),
    ],
    ids=["turn", "later turn", "session", "no mark", "key", "tool", "one-off", "misquoted", "other project"],
)
def test_a_preference_rests_on_what_a_person_said_there(run, stage, written, what):
    """codex-W04, codex-X40: tags, scopes and sources are checked, whatever the instructions say."""
    reason = refused(run(group(SHOP, preferences=[written])))
    assert what in reason
    assert HANDBOOK_PATH in reason
    assert stage.repository.baseline() is None  # the input waits


def test_a_request_of_two_sessions_may_be_a_preference(run):
    asked = bullet("make the button blue", SHOP, "s1#t3", "s2#t3")
    assert run(group(SHOP, preferences=[asked])).status is ConsolidationStatus.LANDED


def test_a_preference_that_stands_there_keeps_its_words(run, state):
    run(group(SHOP, preferences=[PNPM]))
    state.records.upsert(record("s9", project=SHOP))
    turned = PNPM.replace("always use pnpm", "push straight to production")
    assert "in words that its sources do not hold" in refused(run(group(SHOP, preferences=[turned])))
    shorter = PNPM.replace("always use pnpm", "use pnpm")
    assert run(group(SHOP, preferences=[shorter])).status is ConsolidationStatus.LANDED


def test_a_preference_is_not_lost_on_the_way(run, state):
    """What was learned goes by an explicit word only: superseded, removed, or without support."""
    other = bullet("always answer in German", SHOP, "s1#t2")
    run(group(SHOP, preferences=[PNPM, other]))
    state.records.upsert(record("s9", project=SHOP))
    assert "has lost a preference that nobody took back: always answer" in refused(run(group(SHOP, preferences=[PNPM])))
    merged = PNPM.replace("s1#t1", "s1#t1 s1#t2")
    assert run(group(SHOP, preferences=[merged])).status is ConsolidationStatus.LANDED


def test_refused_work_gets_one_try_to_put_it_right(stage, learned):
    """The draft is as the model left it, and the reason is the last thing that it reads."""
    texts = [group(SHOP, preferences=["- always use npm"]), group(SHOP, preferences=[PNPM])]
    learner = ScriptedLearner(write=writing(lambda _task: texts.pop(0), summary_of()))
    assert consolidate(stage, learner).status is ConsolidationStatus.LANDED
    first, second = (prompt.data for prompt in learner.prompts)
    assert second.startswith(first)
    assert "without a source: always use npm" in second[len(first) :]


def test_refused_work_gets_no_second_try(stage, learned):
    learner = ScriptedLearner(write=writing(group(SHOP, preferences=["- always use npm"]), summary_of()))
    assert consolidate(stage, learner).status is ConsolidationStatus.INVALID
    assert len(learner.prompts) == 2


class TestScope:
    def test_a_rule_of_one_project_is_no_rule_for_all(self, run):
        reason = refused(run(group("", preferences=[bullet("always use pnpm", "", "s1#t1", "s2#t1")])))
        assert f"for every project that was said for {SHOP} only" in reason

    def test_what_was_said_in_two_projects_is(self, run):
        said = bullet("always use pnpm", "", "s1#t1", "b1#t1")
        assert run(group("", preferences=[said])).status is ConsolidationStatus.LANDED

    def test_a_bullet_that_stands_somewhere_is_moved_nowhere(self, run, state):
        run(group(SHOP, preferences=[PNPM]), group(BANK))
        state.records.upsert(record("s9", project=SHOP))
        assert f"moved from {SHOP} to everywhere" in refused(run(group("", preferences=[PNPM])))
        state.records.upsert(record("s10", project=SHOP))
        assert f"moved from {SHOP} to {BANK}" in refused(run(group(BANK, preferences=[PNPM])))

    def test_knowledge_becomes_no_preference(self, run, state):
        known = bullet("test with `pnpm test`", SHOP, "s1#t4")
        run(group(SHOP, knowledge=[known]))
        state.records.upsert(record("s9", project=SHOP))
        assert "moved to '## User preferences'" in refused(run(group(SHOP, preferences=[known])))


class TestSummary:
    def test_it_holds_nothing_that_the_handbook_does_not(self, run):
        reason = refused(run(group(SHOP), summary=summary_of(preferences=[f"### {SHOP}", PNPM])))
        assert f"holds a bullet that {HANDBOOK_PATH} does not" in reason

    def test_a_rule_of_one_project_does_not_stand_there_for_all(self, run):
        reason = refused(run(group(SHOP, preferences=[PNPM]), summary=summary_of(preferences=[PNPM])))
        assert f"{SUMMARY_PATH} holds a bullet of {SHOP} below everywhere" in reason

    @pytest.mark.parametrize(
        "heading", ["v1", "## User Profile", "## User preferences", "## General Tips", "## What's in Memory"]
    )
    def test_its_first_line_and_its_headings_have_to_be_there(self, run, heading):
        """codex-B10, codex-R55: invalid work is not stored, and its input waits."""
        text = summary_of().replace(f"{heading}\n", "# x\n", 1)
        assert heading in refused(run(group(SHOP), summary=text))

    def test_its_size_has_a_limit(self, run):
        """codex-B10, codex-R55: in bytes, so that no script counts less."""
        said = bullet(f"always use pnpm {'é' * 3_000}", SHOP, "s1#t1")

        def summary(size):
            text = render_sections(parse_sections(summary_of(preferences=[f"### {SHOP}", said])))
            return text.replace("é", "x" * (size - len(text.encode())) + "é", 1)

        assert "10001 bytes" in refused(run(group(SHOP, preferences=[said]), summary=summary(10_001)))
        assert run(group(SHOP, preferences=[said]), summary=summary(10_000)).reason == ""


class TestPointers:
    GONE = "rollout_summaries/2026-11-02T09-00-00-ffff-gone.md"

    def test_the_index_points_to_what_exists(self, run):
        index = [f"### {SHOP}", "#### 2026-11-02", f"- work: {self.GONE}"]
        assert f"points to {self.GONE}, which does not exist" in refused(
            run(group(SHOP), summary=summary_of(index=index))
        )

    def test_a_task_points_to_what_exists_and_to_its_own_session(self, stage, learned):
        """codex-X23: every id and file name is compared with the set that was given."""

        def with_task(change):
            return writing(lambda task: change(group(SHOP, tasks=[("work", task.sessions[0])])), summary_of())

        def outcome(change):
            return consolidate(stage, ScriptedLearner(write=with_task(change)))

        assert "does not exist" in refused(outcome(lambda text: text.replace("-b1.md", "-b2.md")))
        assert "session s2: it is b1" in refused(outcome(lambda text: text.replace("session_id: b1", "session_id: s2")))
        assert outcome(lambda text: text).status is ConsolidationStatus.LANDED

    def test_what_rested_on_a_session_that_is_gone_has_to_go(self, run, state):
        """codex-W21: forgetting is checked, not hoped for."""
        shop = group(SHOP, preferences=[PNPM])
        run(shop)
        state.records.retire("s1", RetiredReason.DELETED)
        assert "whose source does not exist" in refused(run(shop + "\n"))


class TestNotes:
    @pytest.fixture
    def note(self, memory, state):
        text = render_note("ship on Fridays", origin="human", created_at=record().updated_at)
        memory.commit({NOTE: text}, subject="note", provenance=USER)

    @pytest.mark.parametrize("skip", [False, True], ids=["wrote", "nothing to say"])
    def test_each_has_to_be_named(self, run, note, skip):
        """codex-X16, codex-N18: neither a run that wrote nor one that did not may swallow a note."""
        verdict = "nothing_to_say" if skip else "wrote"
        assert NOTE in refused(run(group(SHOP), skip=skip, verdict=verdict))
        assert NOTE in refused(run(group(SHOP), skip=skip, verdict=verdict))  # it waits still
        said = group("", preferences=[bullet("ship on Fridays", "", NOTE)])
        assert run(said).status is ConsolidationStatus.LANDED

    def test_one_may_stand_in_a_project(self, run, note):
        said = group(SHOP, preferences=[bullet("ship on Fridays", SHOP, "s1#t1", NOTE)])
        assert run(said).status is ConsolidationStatus.LANDED

    def test_one_that_a_person_removed_from_memory_is_not_waited_for(self, run, note, state):
        key = bullet_key("", NOTE)
        state.tombstones.add([stone("ship on Fridays", (NOTE,), key=key)])
        assert run(group(SHOP)).status is ConsolidationStatus.LANDED
        state.records.upsert(record("s9", project=SHOP))
        again = run(group("", preferences=[bullet("we ship on Fridays", "", NOTE)]))
        assert "that a person removed" in refused(again)

    def test_none_is_changed(self, stage, memory, learned, note):
        """codex-W35, codex-R59: notes and instructions are the person's."""

        def write(task, draft):
            writing(group("", preferences=[bullet("ship on Fridays", "", NOTE)]), summary_of())(task, draft)
            (draft.folder / NOTE).write_text("---\ndescription: x\n---\nship daily\n", "utf-8")

        outcome = consolidate(stage, ScriptedLearner(write=write))
        assert outcome.status is ConsolidationStatus.INVALID
        assert "belongs to the person" in outcome.reason


def stone(text, sources, *, key="0" * 10, scope="", at=None):
    moment = at or record().updated_at
    return Tombstone(
        key=key, scope=scope, text=text, reason=TombstoneReason.DELETED, at=moment, evidence_at=moment, sources=sources
    )


class TestRemoved:
    @pytest.mark.parametrize(
        ("gone", "written"),
        [
            (stone("always use pnpm", ("s1#t1",), scope=SHOP), bullet("please prefer pnpm", SHOP, "s1#t1")),
            (stone("always use pnpm", ("x#t1",), scope=SHOP), PNPM),
            (stone("always use pnpm", ("x#t1",)), bullet("use pnpm always", SHOP, "s1#t1")),
        ],
        ids=["same source", "same words", "same meaning"],
    )
    def test_a_statement_stays_away_in_whatever_words(self, run, state, gone, written):
        state.tombstones.add([gone])
        assert "what a person removed" in refused(run(group(SHOP, preferences=[written])))

    def test_what_was_said_after_it_comes_back(self, run, state):
        state.tombstones.add([stone("always use pnpm", ("x#t1",), at=record().updated_at - timedelta(days=1))])
        assert run(group(SHOP, preferences=[PNPM])).status is ConsolidationStatus.LANDED

    def test_what_another_project_removed_is_not_concerned(self, run, state):
        state.tombstones.add([stone("always use pnpm", ("x#t1",), scope=BANK)])
        assert run(group(SHOP, preferences=[PNPM])).status is ConsolidationStatus.LANDED


class TestVerdict:
    def test_one_that_wrote_nothing_does_not_say_that_it_wrote(self, run, stage, state):
        """codex-N18, codex-X15: a learner that changed nothing says so itself; else the input waits."""
        assert "nothing_to_say" in refused(run(skip=True))
        assert len(state.records.unconsolidated()) == 3
        assert run(skip=True, verdict="nothing_to_say").reason == ""
        assert state.records.unconsolidated() == []

    def test_one_that_wrote_does_not_say_that_it_did_not(self, run, memory):
        """codex-X17: the bytes are compared, not sizes and times."""
        head = memory.head()
        assert "nothing_to_say" in refused(run(group(SHOP), verdict="nothing_to_say"))
        assert memory.head() == head

    def test_an_answer_without_a_verdict_is_a_failure(self, stage, learned):
        outcome = consolidate(stage, ScriptedLearner(write=lambda *_: "I have updated the files."))
        assert outcome.status is ConsolidationStatus.FAILED


def test_no_other_file_is_written(stage, learned, memory):
    """codex-W35: a model that consolidates writes both artefacts, and skills, which wait for a person."""

    def write(task, draft):
        writing(group(SHOP), summary_of())(task, draft)
        draft.write("reference/plan.md", "---\ndescription: x\n---\nx\n")

    assert "reference/plan.md is no file for a consolidation" in refused(
        consolidate(stage, ScriptedLearner(write=write))
    )


def test_a_batch_is_what_fits_the_window_and_the_rest_waits(stage, state, memory):
    """codex-W31: what no prompt had room for is not taken for learned."""
    lines = "".join(f"- [t{turn}] fact/project 2026-11-02T09:00:00Z: {'x' * 300}\n" for turn in range(5, 40))
    for number in range(1, 4):
        state.records.upsert(record(f"s{number}", project=SHOP, raw_memory=RAW.format(project=SHOP) + lines))
    learner = ScriptedLearner(write=writing(group(SHOP, preferences=[PNPM]), summary_of()), input_tokens=16_000)
    assert consolidate(stage, learner).status is ConsolidationStatus.LANDED
    assert "## Session s1\n" in learner.prompts[0].data
    assert [one.session_id for one in state.records.unconsolidated()] == ["s3", "s2"]
    assert [path for path in memory.tree().paths() if path.endswith(("-s2.md", "-s3.md"))] == []
    for _ in range(2):
        same = ScriptedLearner(write=lambda *_: '{"verdict": "nothing_to_say"}', input_tokens=16_000)
        assert consolidate(stage, same).reason == ""
    assert state.records.unconsolidated() == []
    assert consolidate(stage, learner).status is ConsolidationStatus.NO_NEW_INPUT
