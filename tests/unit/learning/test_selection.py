"""Which records a consolidation is given, and which are put to rest because nobody uses them."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from support.consolidating import HANDBOOK, SUMMARY, FakeLearner, record
from support.memfs import git
from vademecum.artifacts import HANDBOOK_PATH, SUMMARY_PATH, Bullet, bullet_key, keyed_bullets, render_bullet
from vademecum.learning import ConsolidationStatus, SelectionRules, adopt_rollout_summaries, consolidate
from vademecum.learning.selection import select
from vademecum.memfs import Provenance, Writer
from vademecum.state import Citation, CitedKind, RecordState, RetiredReason

#: When the sessions of these tests were learned.
DAY = datetime(2026, 11, 2, 9, tzinfo=UTC)
RULE = "### Task 1: x\noutcome: success\n- [t1] rule/project 2026-11-02T10:00:00Z: use pnpm here\n"


def rules(day, *, most=256, max_unused_days=30):
    return SelectionRules(now=DAY + timedelta(days=day), most=most, max_unused_days=max_unused_days)


def cited(session_id, day, *, by="other", message="m1"):
    return Citation(
        kind=CitedKind.SESSION,
        cited=session_id,
        citing_session=by,
        message_id=message,
        at=DAY + timedelta(days=day),
    )


@pytest.fixture
def on(stage):
    """Consolidate as on this day."""

    def consolidate_on(day, learner=None, **options):
        given = msgspec.structs.replace(stage, rules=rules(day, **options), is_eager=True)
        return consolidate(given, learner or FakeLearner())

    return consolidate_on


@pytest.fixture
def quiet(state, on):
    """Two projects, one session each, that stand in memory."""
    state.records.upsert(record("s1", cwd="/srv/shop", project="/srv/shop"))
    state.records.upsert(record("s2", cwd="/srv/till", project="/srv/till"))
    assert on(1).status is ConsolidationStatus.LANDED
    return state


def reasons(state):
    return {head.session_id: head.retired_reason for head in state.records.heads()}


def texts(memory):
    return [memory.tree().read(path) for path in (HANDBOOK_PATH, SUMMARY_PATH)]


class TestRest:
    def test_what_nobody_used_for_too_long_leaves_handbook_and_summary(self, quiet, on, memory):
        """codex-A11"""
        assert on(32).status is ConsolidationStatus.LANDED
        assert set(reasons(quiet).values()) == {RetiredReason.UNUSED}
        assert all("rule of" not in text for text in texts(memory))

    def test_until_then_it_stays(self, quiet, on):
        assert on(30).status is ConsolidationStatus.NO_NEW_INPUT
        assert set(reasons(quiet).values()) == {None}

    def test_what_an_answer_used_stays(self, quiet, on, memory):
        """codex-R47, codex-A11"""
        quiet.usage.count([cited("s1", 20)])
        on(40)
        assert reasons(quiet) == {"s1": None, "s2": RetiredReason.UNUSED}
        handbook, _ = texts(memory)
        assert "rule of s1" in handbook
        assert "rule of s2" not in handbook

    def test_what_belongs_to_a_project_that_is_worked_in_stays(self, quiet, on):
        """codex-R46: the same span holds for all; it begins anew with every session of the project."""
        later = DAY + timedelta(days=28)
        quiet.records.upsert(record("s3", project="/srv/shop", updated_at=later, extracted_at=later))
        on(40)
        assert reasons(quiet) == {"s1": None, "s2": RetiredReason.UNUSED, "s3": None}

    def test_what_a_person_said_as_a_rule_does_not_wear_out(self, quiet, on):
        quiet.records.upsert(record("s2", cwd="/srv/till", project="/srv/till", raw_memory=RULE))
        on(2)
        on(400)
        assert reasons(quiet) == {"s1": RetiredReason.UNUSED, "s2": None}

    def test_what_was_only_just_learned_has_had_no_chance_yet(self, state, on):
        """An old session that is learned today is not thrown away today."""
        learned = DAY + timedelta(days=300)
        state.records.upsert(record("s1", extracted_at=learned))
        on(300)
        on(329)
        assert reasons(state) == {"s1": None}
        on(331)
        assert reasons(state) == {"s1": RetiredReason.UNUSED}

    def test_zero_days_mean_never(self, quiet, on):
        """codex-W15: zero does not wipe memory."""
        assert on(4_000, max_unused_days=0).status is ConsolidationStatus.NO_NEW_INPUT
        assert set(reasons(quiet).values()) == {None}

    def test_a_clock_that_ran_ahead_keeps_nothing_for_ever(self, quiet, on):
        quiet.usage.count([cited("s1", 4_000)])
        on(40)
        on(4_100)
        assert reasons(quiet)["s1"] is RetiredReason.UNUSED

    def test_a_reworded_bullet_keeps_what_it_rests_on(self, quiet, on, memory):
        """A person's own words are never removed by it."""
        handbook = memory.tree().read(HANDBOOK_PATH).replace("rule of s1", "mine, and mine only")
        memory.commit({HANDBOOK_PATH: handbook}, subject="edit", provenance=Provenance(writer=Writer.USER))
        on(40)
        on(400)
        assert reasons(quiet) == {"s1": None, "s2": RetiredReason.UNUSED}
        assert "mine, and mine only" in texts(memory)[0]

    def test_lines_that_a_person_added_stay(self, quiet, on, memory):
        handbook = memory.tree().read(HANDBOOK_PATH) + "- my own line\n"
        memory.commit({HANDBOOK_PATH: handbook}, subject="edit", provenance=Provenance(writer=Writer.USER))
        on(40)
        assert "- my own line" in texts(memory)[0]

    def test_its_rollout_summary_stays_and_a_lost_database_finds_it_again(self, quiet, on, memory, now):
        on(40)
        paths = [path for path in memory.tree().paths() if path.startswith("rollout_summaries/")]
        assert len(paths) == 2
        quiet.records.clear()
        adopt_rollout_summaries(memory, quiet, now)
        assert set(reasons(quiet)) == {"s1", "s2"}
        assert set(reasons(quiet).values()) == {None}

    def test_a_rollout_summary_that_a_person_deleted_while_it_rested_is_gone_for_good(self, quiet, on, memory):
        on(40)
        gone = quiet.records.get("s1").stem
        git(memory.folder, "rm", "-q", f"rollout_summaries/{gone}.md")
        git(memory.folder, "commit", "-qm", "away")
        on(41)
        assert reasons(quiet) == {"s1": RetiredReason.DELETED, "s2": RetiredReason.UNUSED}

    def test_usage_changes_no_file(self, quiet, on, memory):
        """codex-W17"""
        head = memory.head()
        quiet.usage.count([cited("s1", 3, message=f"m{number}") for number in range(20)])
        assert on(4).status is ConsolidationStatus.NO_NEW_INPUT
        assert memory.head() == head


class TestAwakening:
    @pytest.fixture
    def resting(self, quiet, on):
        on(40)
        assert set(reasons(quiet).values()) == {RetiredReason.UNUSED}
        return quiet

    def test_what_is_used_again_comes_back(self, resting, on, memory):
        """codex-B12"""
        resting.usage.count([cited("s1", 50)])
        assert on(51).status is ConsolidationStatus.LANDED
        assert reasons(resting) == {"s1": None, "s2": RetiredReason.UNUSED}
        assert "rule of s1" in texts(memory)[0]

    def test_what_belongs_to_a_project_that_is_worked_in_again_comes_back(self, resting, on, memory):
        later = DAY + timedelta(days=50)
        resting.records.upsert(record("s3", project="/srv/till", updated_at=later, extracted_at=later))
        on(51)
        assert reasons(resting) == {"s1": RetiredReason.UNUSED, "s2": None, "s3": None}
        assert "rule of s2" in texts(memory)[0]

    def test_newer_words_in_its_session_bring_it_back(self, resting, on):
        later = DAY + timedelta(days=50)
        resting.records.upsert(record("s1", updated_at=later, extracted_at=later, raw_memory="more\n"))
        on(51)
        assert reasons(resting)["s1"] is None

    @pytest.mark.parametrize("reason", [RetiredReason.FORGOTTEN, RetiredReason.DELETED, RetiredReason.NO_OUTPUT])
    def test_what_went_for_another_reason_does_not_come_back_by_being_cited(self, resting, on, reason):
        resting.records.retire("s1", reason)
        resting.usage.count([cited("s1", 50)])
        on(51)
        assert reasons(resting)["s1"] is reason


class TestChecks:
    def answer(self, *bullets, summary=SUMMARY):
        return FakeLearner(
            {HANDBOOK_PATH: HANDBOOK.format("\n".join(map(render_bullet, bullets))), SUMMARY_PATH: summary}
        )

    def bullet(self, session_id, *more):
        source = f"{session_id}#t1"
        return Bullet(
            text=f"rule of {session_id}",
            key=bullet_key("/srv/shop", source),
            sources=(source, *(f"{other}#t1" for other in more)),
        )

    def test_a_learner_that_keeps_what_rests_on_nothing_else_is_refused(self, quiet, on):
        """codex-W21: what went is checked to be gone, whoever writes."""
        quiet.usage.count([cited("s1", 20)])
        learner = self.answer(self.bullet("s1"), self.bullet("s2"))
        assert on(40, learner).status is ConsolidationStatus.INVALID
        assert on(40, self.answer(self.bullet("s1"))).status is ConsolidationStatus.LANDED

    def test_a_bullet_with_another_source_stays(self, quiet, on, memory):
        quiet.usage.count([cited("s1", 20)])
        assert on(40, self.answer(self.bullet("s2", "s1"))).status is ConsolidationStatus.LANDED
        assert "rule of s2" in texts(memory)[0]

    def test_a_pointer_to_what_rests_is_refused(self, quiet, on):
        """codex-X23"""
        quiet.usage.count([cited("s1", 20)])
        path = f"rollout_summaries/{quiet.records.get('s2').stem}.md"
        summary = f"{SUMMARY}- old work: {path}\n"
        outcome = on(40, self.answer(self.bullet("s1"), summary=summary))
        assert outcome.status is ConsolidationStatus.INVALID
        assert path in outcome.reason


class TestChoice:
    def ids(self, chosen):
        return {one.session_id for one in chosen}

    def test_no_more_are_chosen_than_the_setting_says(self, state):
        for number in range(5):
            moment = DAY + timedelta(days=number)
            state.records.upsert(record(f"s{number}", project="/srv/shop", updated_at=moment))
        chosen = select(state, rules(6, most=2), keeps_words=False, reworded=())
        assert self.ids(chosen) == {"s3", "s4"}

    def test_what_answers_use_comes_before_what_is_new(self, state):
        for number in range(3):
            state.records.upsert(record(f"s{number}", project="/srv/shop", updated_at=DAY + timedelta(days=number)))
        state.usage.count([cited("s0", 5, by=f"answerer-{number}") for number in range(3)])
        assert self.ids(select(state, rules(6, most=1), keeps_words=False, reworded=())) == {"s0"}

    def test_an_old_favourite_does_not_stand_before_what_is_new_for_ever(self, state):
        """codex-W16"""
        state.records.upsert(record("old", project="/srv/shop"))
        state.usage.count([cited("old", 1, by=f"answerer-{number}") for number in range(50)])
        later = DAY + timedelta(days=200)
        state.records.upsert(record("new", project="/srv/shop", updated_at=later))
        assert self.ids(select(state, rules(201, most=1), keeps_words=False, reworded=())) == {"new"}

    def test_many_distinct_sessions_count_more_than_many_answers_of_one(self, state):
        for name in ("a", "b"):
            state.records.upsert(record(name, project="/srv/shop"))
        state.usage.count([cited("a", 5, by="one", message=f"m{number}") for number in range(4)])
        state.usage.count([cited("b", 5, by=f"answerer-{number}") for number in range(4)])
        assert self.ids(select(state, rules(6, most=1), keeps_words=False, reworded=())) == {"b"}

    def test_every_project_keeps_its_best(self, state):
        """codex-W19: the many sessions of a busy project do not starve the others."""
        for number in range(20):
            state.records.upsert(record(f"s{number}", project="/srv/busy", updated_at=DAY + timedelta(days=60)))
        state.records.upsert(record("quiet", project="/srv/quiet"))
        assert "quiet" in self.ids(select(state, rules(61, most=5), keeps_words=False, reworded=()))

    def test_a_learner_that_writes_all_anew_is_given_every_word_of_the_person(self, state):
        state.records.upsert(record("rule", raw_memory=RULE))
        state.records.upsert(record("reworded"))
        for number in range(3):
            state.records.upsert(record(f"s{number}", updated_at=DAY + timedelta(days=60)))
        chosen = select(state, rules(61, most=1), keeps_words=True, reworded=["reworded"])
        assert {"rule", "reworded"} < self.ids(chosen)
        assert len(chosen) == 3

    def test_what_was_not_chosen_stays_in_the_repository_and_may_be_rested_on(self, state, on, memory):
        """The cap is no forgetting: a learner that reads prompts may keep what it is not shown this time."""
        for number in range(3):
            state.records.upsert(record(f"s{number}", project="/srv/shop", updated_at=DAY + timedelta(days=number)))
        on(3)
        reader = FakeLearner()
        reader.input_tokens = 60_000
        state.records.upsert(record("s3", project="/srv/shop", updated_at=DAY + timedelta(days=3)))
        kept = [render_bullet(bullet) for bullet in keyed_bullets(texts(memory)[0]).values()]
        reader.files = {HANDBOOK_PATH: HANDBOOK.format("\n".join(kept)), SUMMARY_PATH: SUMMARY}
        on(4, reader, most=1)
        assert [one.summary.session_id for one in reader.tasks[0].sessions] == ["s3"]
        assert state.records.counts()[RecordState.ACTIVE] == 4
        assert "rule of s0" in texts(memory)[0]
