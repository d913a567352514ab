from datetime import datetime, timedelta

import pytest

from vademecum.state import Claim, ErrorClass, JobStatus, State, Terms, new_token, this_worker

HOUR = timedelta(hours=1)
#: Another machine: nobody can say whether it lives.
ELSEWHERE = "17@elsewhere:1"


@pytest.fixture
def claim(state: State, morning: datetime):
    """Claim the one job of these tests; `minute` is the input's watermark, `at` the hour of the claim."""

    def call(
        token: str, *, minute: int = 0, at: float = 0, worker: str | None = None, key: str = "s1", **how: object
    ) -> Claim:
        return state.jobs.claim(
            "extraction",
            key,
            watermark=morning + timedelta(minutes=minute),
            worker=worker or this_worker(),
            token=token,
            lease_seconds=3600,
            now=morning + at * HOUR,
            terms=Terms(**how),
        )

    return call


@pytest.fixture
def fail(state: State, morning: datetime):
    def call(token: str, error_class: ErrorClass = ErrorClass.TRANSIENT, *, retry: float | None = None) -> bool:
        retry_at = None if retry is None else morning + retry * HOUR
        return state.jobs.fail(token, error_class, "it broke", retry_at=retry_at, now=morning)

    return call


@pytest.mark.parametrize("kind", [ErrorClass.TRANSIENT, ErrorClass.AUTH])
def test_a_person_need_not_wait_where_the_learner_could_not_be_asked(claim, fail, kind):
    claim("a")
    fail("a", kind, retry=1)
    assert claim("b") is Claim.BACKOFF
    assert claim("c", is_eager=True) is Claim.CLAIMED


@pytest.mark.parametrize("kind", [kind for kind in ErrorClass if not kind.is_about_access])
def test_every_other_wait_binds_a_person_too(claim, fail, kind):
    claim("a")
    fail("a", kind, retry=1)
    assert claim("b", is_eager=True) is (Claim.RESTING if kind is ErrorClass.QUOTA else Claim.BACKOFF)


@pytest.mark.parametrize("kind", ErrorClass)
def test_what_failed_by_other_settings_neither_waits_nor_counts(state, claim, fail, kind):
    for token in ("a", "b", "c"):
        claim(token, setup="old", at=2)
        fail(token, kind, retry=1)
    claim("d", setup="old", at=2)
    fail("d", kind, retry=5)
    assert claim("e", setup="old") is not Claim.CLAIMED
    assert claim("f", setup="new") is Claim.CLAIMED
    assert state.jobs.get("extraction", "s1").failures == {}


def test_nobody_takes_what_a_living_owner_has_or_what_is_done_for_other_settings(state, claim, morning):
    claim("a", setup="old")
    assert claim("b", setup="new") is Claim.RUNNING
    state.jobs.finish("a", watermark=morning)
    assert claim("c", setup="new") is Claim.UP_TO_DATE


def dead_worker() -> str:
    pid, _, place = this_worker().partition("@")
    host, _, start = place.rpartition(":")
    return f"{pid}@{host}:{int(start) - 1}"


def test_a_job_is_claimed_once(claim):
    assert claim("a") is Claim.CLAIMED
    assert claim("b") is Claim.RUNNING


def test_input_that_was_done_is_up_to_date_and_newer_input_opens_the_job(state: State, claim, morning):
    claim("a", minute=5)
    assert state.jobs.finish("a", watermark=morning + timedelta(minutes=5))
    assert claim("b", minute=5) is Claim.UP_TO_DATE
    assert claim("b", minute=4) is Claim.UP_TO_DATE
    assert claim("b", minute=6) is Claim.CLAIMED


def test_what_was_done_stays_up_to_date_while_newer_input_runs(state: State, claim, morning):
    """codex-A06"""
    claim("a", minute=5)
    state.jobs.finish("a", watermark=morning + timedelta(minutes=5))
    claim("b", minute=6)
    assert claim("c", minute=5) is Claim.UP_TO_DATE
    assert claim("d", minute=7) is Claim.RUNNING


def test_finishing_older_input_never_moves_the_watermark_back(state: State, claim, morning):
    """codex-A06"""
    claim("a", minute=5)
    state.jobs.finish("a", watermark=morning + timedelta(minutes=5))
    claim("b", minute=6)
    state.jobs.finish("b", watermark=morning)
    assert state.jobs.get("extraction", "s1").success_watermark == morning + timedelta(minutes=5)


def test_a_lease_holds_until_it_ends(claim):
    """codex-B08"""
    claim("a", worker=ELSEWHERE)
    assert claim("b", at=0.99) is Claim.RUNNING
    assert claim("b", at=1) is Claim.CLAIMED


def test_a_clock_that_jumps_ahead_takes_no_job_from_an_owner_that_provably_lives(claim):
    """codex-B08, codex-X21: its heartbeat may come yet; who hangs for half a day loses the job all the same."""
    claim("a")
    assert claim("b", at=11) is Claim.RUNNING
    assert claim("b", at=13.5) is Claim.CLAIMED


def test_a_clock_that_was_put_back_holds_up_neither_a_dead_owners_job_nor_a_failed_one(state, claim, fail):
    """codex-X21"""
    claim("a", worker=dead_worker())
    assert claim("b", at=-100) is Claim.CLAIMED
    fail("b", retry=2)
    assert claim("c", at=-100) is Claim.CLAIMED


def test_no_more_jobs_run_at_once_than_may_over_all_owners(state, claim, morning):
    """codex-A01"""

    def ask(key: str, at_most: int | None) -> Claim:
        owner = {"worker": this_worker(), "token": new_token(), "lease_seconds": 60}
        return state.jobs.claim(
            "extraction", key, watermark=morning, terms=Terms(at_most=at_most), now=morning, **owner
        )

    claim("a", key="one", worker=ELSEWHERE)
    assert [ask("two", 2), ask("three", 2), ask("three", None)] == [Claim.CLAIMED, Claim.FULL, Claim.CLAIMED]


def test_a_lease_of_a_dead_owner_is_free_at_once(claim):
    """codex-B08"""
    claim("a", worker=dead_worker())
    assert claim("b") is Claim.CLAIMED


def test_a_heartbeat_keeps_the_lease(state: State, claim, morning):
    """codex-W09: work that takes longer than its lease is not done twice."""
    claim("a", worker=ELSEWHERE)
    assert state.jobs.renew("a", lease_seconds=3600, now=morning + 0.9 * HOUR)
    assert claim("b", at=1.5) is Claim.RUNNING
    assert claim("b", at=1.9) is Claim.CLAIMED


def test_who_lost_the_job_can_do_nothing_to_it(state: State, claim, fail, morning):
    claim("a", worker=dead_worker())
    claim("b")
    before = state.jobs.get("extraction", "s1")
    assert not state.jobs.finish("a", watermark=morning)
    assert not fail("a")
    assert not state.jobs.release("a")
    assert not state.jobs.renew("a", lease_seconds=1)
    assert state.jobs.get("extraction", "s1") == before


def test_a_job_is_finished_once(state: State, claim, morning):
    claim("a")
    assert state.jobs.finish("a", watermark=morning)
    assert not state.jobs.finish("a", watermark=morning)


def test_a_failed_job_waits_until_its_time(claim, fail):
    claim("a")
    assert fail("a", retry=2)
    assert claim("b", at=1.9) is Claim.BACKOFF
    assert claim("b", at=2) is Claim.CLAIMED


@pytest.mark.parametrize("error_class", [ErrorClass.TRANSIENT, ErrorClass.QUOTA, ErrorClass.AUTH, ErrorClass.INTERNAL])
def test_newer_input_does_not_cut_short_a_wait_that_is_not_about_the_input(claim, fail, error_class):
    """codex-W08: a busy session must not hammer a server that asked for patience."""
    claim("a")
    fail("a", error_class, retry=2)
    assert claim("b", minute=5, at=1) in {Claim.BACKOFF, Claim.RESTING}


@pytest.mark.parametrize("error_class", [ErrorClass.OVERFLOW, ErrorClass.INVALID_OUTPUT])
def test_newer_input_is_tried_at_once_where_the_old_input_was_the_trouble(claim, fail, error_class):
    claim("a")
    fail("a", error_class, retry=2)
    assert claim("b", at=1) is Claim.BACKOFF
    assert claim("b", minute=5, at=1) is Claim.CLAIMED


def fail_until_exhausted(claim, fail, error_class: ErrorClass) -> int:
    for number in range(1, 20):
        if claim(f"t{number}") is not Claim.CLAIMED:
            return number - 1
        fail(f"t{number}", error_class)
    return 0


@pytest.mark.parametrize("error_class", [ErrorClass.OVERFLOW, ErrorClass.INVALID_OUTPUT, ErrorClass.INTERNAL])
def test_the_same_input_is_left_alone_after_enough_failures_and_newer_input_opens_it(state, claim, fail, error_class):
    assert fail_until_exhausted(claim, fail, error_class)
    assert claim("x") is Claim.EXHAUSTED
    assert state.jobs.get("extraction", "s1").status is JobStatus.FAILED
    assert claim("x", minute=1) is Claim.CLAIMED
    assert state.jobs.get("extraction", "s1").failures == {}


@pytest.mark.parametrize("error_class", [ErrorClass.TRANSIENT, ErrorClass.QUOTA, ErrorClass.AUTH])
def test_a_server_in_trouble_an_empty_account_or_a_refused_login_burns_no_retry(claim, fail, error_class):
    assert fail_until_exhausted(claim, fail, error_class) == 0


def test_a_wait_for_an_account_is_told_apart_from_one_after_a_failure(claim, fail):
    claim("a")
    fail("a", ErrorClass.QUOTA, retry=2)
    assert claim("b", at=1) is Claim.RESTING
    assert claim("b", at=2) is Claim.CLAIMED


def test_failures_are_counted_by_class(state: State, claim, fail):
    for token, error_class in (("a", ErrorClass.TRANSIENT), ("b", ErrorClass.OVERFLOW), ("c", ErrorClass.TRANSIENT)):
        claim(token)
        fail(token, error_class)
    assert state.jobs.get("extraction", "s1").failures == {"transient": 2, "overflow": 1}


def test_jobs_that_wait_are_counted_by_what_they_failed_on(state: State, claim, fail):
    for key, error_class in (("one", ErrorClass.QUOTA), ("two", ErrorClass.TRANSIENT), ("three", ErrorClass.QUOTA)):
        claim(key, key=key)
        fail(key, error_class)
    claim("given back", key="four")
    state.jobs.release("given back")
    claim("at work", key="five")
    assert state.jobs.pending("extraction") == {ErrorClass.QUOTA: 2, ErrorClass.TRANSIENT: 1, None: 1}


def test_a_success_wipes_the_failures(state: State, claim, fail, morning):
    claim("a")
    fail("a")
    claim("b")
    state.jobs.finish("b", watermark=morning)
    job = state.jobs.get("extraction", "s1")
    assert (job.failures, job.last_error, job.error_class, job.retry_at) == ({}, None, None, None)


def test_a_release_costs_nothing_and_frees_the_job_at_once(state: State, claim):
    claim("a")
    assert state.jobs.release("a")
    assert state.jobs.get("extraction", "s1").failures == {}
    assert claim("b") is Claim.CLAIMED


def test_an_error_text_is_cut(state: State, claim, morning):
    claim("a")
    state.jobs.fail("a", ErrorClass.INTERNAL, "x" * 100_000, retry_at=None)
    assert len(state.jobs.get("extraction", "s1").last_error) == 4000


def test_only_jobs_of_living_owners_count_against_a_cap(state: State, claim, morning):
    claim("a", key="one")
    claim("b", key="two", worker=dead_worker())
    claim("c", key="three", at=-2, worker=ELSEWHERE)
    assert [job.key for job in state.jobs.running("extraction", now=morning)] == ["one"]


def test_jobs_are_listed_and_counted_by_kind(state: State, claim, fail, morning):
    claim("a", key="one")
    claim("b", key="two")
    fail("b")
    assert {job.key for job in state.jobs.all("extraction")} == {"one", "two"}
    assert state.jobs.all("other") == []
    assert state.jobs.counts() == {"extraction": {JobStatus.RUNNING: 1, JobStatus.PENDING: 1}}


def test_a_result_and_its_finish_are_stored_together_or_not_at_all(state: State, claim, compose, morning):
    claim("a")

    def finish_and_crash() -> None:
        with state.transaction():
            assert state.jobs.finish("a", watermark=morning)
            state.records.upsert(compose())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        finish_and_crash()
    assert state.jobs.get("extraction", "s1").status is JobStatus.RUNNING
    assert claim("b") is Claim.RUNNING


def test_tokens_of_two_claims_differ(claim):
    assert claim(new_token(), key="one") is Claim.CLAIMED
    assert claim(new_token(), key="two") is Claim.CLAIMED


def test_looking_at_a_job_answers_as_a_claim_would_and_takes_nothing(state: State, claim, fail, morning):
    def look(minute: int = 0) -> Claim:
        return state.jobs.look("extraction", "s1", watermark=morning + timedelta(minutes=minute), now=morning)

    assert (look(), state.jobs.all()) == (Claim.CLAIMED, [])
    claim("a")
    assert look() is Claim.RUNNING
    fail("a", retry=1)
    assert look() is Claim.BACKOFF
    claim("b", at=2)
    state.jobs.finish("b", watermark=morning)
    assert (look(), look(minute=1)) == (Claim.UP_TO_DATE, Claim.CLAIMED)
