from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from support.consolidating import FakeLearner, record
from support.metered_learner import MeteredLearner
from vademecum.artifacts import NOTES_FOLDER, render_note
from vademecum.learning import ConsolidationStatus, consolidate
from vademecum.learning.cooldown import CLASS, rest_of
from vademecum.learning.templates import SETTINGS
from vademecum.memfs import Provenance, Writer
from vademecum.state import INTERRUPTED, ErrorClass, RunKind

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def ended(state):
    """A consolidation ended so many hours before noon."""

    def call(outcome, hours=0, *, learner="fake/1", kind=RunKind.CONSOLIDATION, **detail):
        run = state.runs.start(kind, learner, now=NOON - hours * HOUR)
        state.runs.finish(run, outcome, error="because", detail=detail, now=NOON - hours * HOUR)

    return call


@pytest.fixture
def rests(state):
    """For how many hours from noon on; None: it works at once."""

    def call(hours=0, *, has_note=False):
        rest = rest_of(state, FakeLearner(), NOON + hours * HOUR, has_note=has_note)
        return rest and (rest.until - NOON) / HOUR

    return call


def test_before_the_first_run_nothing_rests(rests):
    assert rests() is None


@pytest.mark.parametrize("outcome", ["landed", "no_changes", "proposed"])
def test_a_success_is_followed_by_six_hours(ended, rests, outcome):
    """codex-A07"""
    ended(outcome)
    assert [rests(), rests(5.9), rests(6)] == [6, 6, None]


def test_a_new_note_does_not_wait_for_it(ended, rests):
    """codex-W32"""
    ended("landed")
    assert rests(has_note=True) is None


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [(None, "model", False), (None, "human", True), ("model", "human", True), ("human", "human", False)],
    ids=["an agent's", "a person's", "confirmed since", "known already"],
)
def test_only_a_note_that_learning_listens_to_is_new(ended, stage, memory, state, before, after, ends):
    """codex-W32: an agent cannot spend the person's quota by noting what nobody confirmed."""

    def put(origin):
        text = render_note("the key lies in the drawer", origin=origin, created_at=NOON)
        path = f"{NOTES_FOLDER}2026-11-30T12-00-00-x.md"
        memory.commit({path: text}, subject="x", provenance=Provenance(writer=Writer.USER))

    if before:
        put(before)
    memory.move_baseline(memory.tree().tree_id)
    ended("landed", learner="metered/1")
    if after != before:
        put(after)
    state.records.upsert(record())
    outcome = consolidate(msgspec.structs.replace(stage, now=NOON + HOUR), MeteredLearner())
    assert (outcome.status is not ConsolidationStatus.COOLDOWN) is ends


def test_failures_in_a_row_are_followed_by_ever_longer_waits_that_no_note_cuts_short(ended, rests):
    """codex-W08, codex-X15"""
    ended("landed", hours=50)
    waits = []
    for outcome in ("failed", "invalid", "failed", "failed", "failed", "failed"):
        ended(outcome)
        waits.append(rests(has_note=True))
    assert waits == [1, 2, 4, 8, 16, 24]


def test_a_success_ends_the_row(ended, rests):
    ended("failed", hours=20)
    ended("landed", hours=10)
    ended("failed")
    assert rests() == 1


def test_what_is_no_fault_of_the_input_sets_no_rest(ended, rests):
    """codex-X06"""
    ended("failed", **{CLASS: ErrorClass.AUTH.value})
    ended("skipped", **{CLASS: ErrorClass.QUOTA.value})
    ended(INTERRUPTED)
    assert rests() is None


def test_a_failure_by_other_settings_sets_no_rest(ended, rests):
    ended("failed", **{SETTINGS: "former"})
    assert rests() is None
    ended("failed", **{SETTINGS: FakeLearner.setup})
    assert rests() == 1


def test_what_another_learner_or_another_flow_did_sets_none(ended, rests):
    ended("landed", learner="other/1")
    ended("done", kind=RunKind.EXTRACTION)
    assert rests() is None


def test_a_clock_that_was_put_back_ends_it(ended, rests):
    """codex-X21"""
    ended("landed", hours=-1000)
    assert rests() is None
