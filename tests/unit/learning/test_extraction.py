from datetime import timedelta

import pytest

from support.walking import extract_sessions, rehearse
from vademecum.errors import BusyError, LearnerFailed, SessionUnreadable, StorageError, UsageError
from vademecum.learners import Extraction
from vademecum.learning import Allowance, walk
from vademecum.sessions import SessionRef
from vademecum.state import ErrorClass, RecordState, RetiredReason, SessionMode


class OneAnswer:
    """Learns from a session what the test says."""

    name = "fake"
    version = 1
    input_tokens = 0
    models = ()
    setup = ""

    def __init__(self, answer=None):
        self.answer = answer or Extraction(
            raw_memory="raw", rollout_summary="recap", rollout_slug="work", outcome="success"
        )
        self.read, self.projects = [], []

    def extract(self, task):
        self.read.append(task.session.id)
        self.projects.append(task.project)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.fixture
def stored(monkeypatch):
    """Sessions by path: what `load` finds. None: it cannot be read."""
    sessions = {}

    def load(ref):
        if sessions[ref.path] is None:
            raise SessionUnreadable("the file holds no session")
        return sessions[ref.path]

    monkeypatch.setattr(walk, "load", load)
    return sessions


@pytest.fixture
def refs(stored, now):
    def build():
        return [
            SessionRef(host="a-host", path=path, fingerprint=str(session and session.updated_at), modified_at=now)
            for path, session in stored.items()
        ]

    return build


@pytest.fixture
def learn(state, window, refs):
    def run(learner=None, **options):
        return extract_sessions(refs(), state=state, learner=learner or OneAnswer(), window=window, **options)

    return run


def test_a_session_becomes_a_record(stored, learn, state, compose):
    stored["a"] = compose()
    report = learn()
    record = state.records.get("s1")
    assert (report.eligible, report.extracted) == (1, 1)
    assert (record.raw_memory, record.rollout_summary, record.learner) == ("raw", "recap", "fake/1")
    assert record.stem.endswith("-work")


def test_an_all_empty_answer_leaves_no_record(stored, learn, state, compose):
    """codex-A05"""
    stored["a"] = compose()
    assert learn(OneAnswer(Extraction())).no_output == 1
    assert state.records.all() == []


def test_a_session_that_has_nothing_to_say_any_more_retires_its_record(stored, learn, state, compose):
    """codex-A05"""
    stored["a"] = compose(hours_ago=48)
    learn()
    stored["a"] = compose(hours_ago=24)
    learn(OneAnswer(Extraction()))
    (record,) = state.records.all(RecordState.RETIRED)
    assert record.retired_reason is RetiredReason.NO_OUTPUT


def test_an_unchanged_file_is_not_read_again(stored, learn, compose):
    stored["a"] = compose()
    learn()
    learner = OneAnswer()
    assert learn(learner).skipped == {"unchanged": 1}
    assert learner.read == []


def test_newer_activity_opens_it_again(stored, learn, state, compose):
    stored["a"] = compose(hours_ago=48)
    learn()
    stored["a"] = compose(hours_ago=24)
    assert learn().extracted == 1
    assert state.records.get("s1").updated_at == compose(hours_ago=24).updated_at


def test_one_bad_session_never_stops_the_pass(stored, learn, compose):
    stored.update(a=None, b=compose(session_id="s2"))
    report = learn()
    assert (report.extracted, report.skipped["unreadable"]) == (1, 1)
    assert "a" in report.problems[0].what


def test_a_session_that_was_too_recent_is_looked_at_again(stored, learn, window, state, refs, compose, now):
    stored["a"] = compose(hours_ago=1)
    assert learn().skipped == {"too_recent": 1}
    later = type(window)(now=now + timedelta(hours=6), idle=window.idle, age=window.age)
    assert extract_sessions(refs(), state=state, learner=OneAnswer(), window=later).extracted == 1


def test_a_mode_that_was_switched_on_again_lets_it_in(stored, learn, state, compose):
    stored["a"] = compose()
    state.modes.set("s1", SessionMode.DISABLED)
    assert learn().skipped == {"mode_off": 1}
    state.modes.set("s1", SessionMode.ENABLED)
    assert learn().extracted == 1


class TestCopies:
    def test_a_copy_is_learned_once(self, stored, learn, compose):
        stored.update(a=compose(), b=compose())
        report = learn()
        assert (report.extracted, report.skipped["duplicate"]) == (1, 1)
        assert learn().skipped == {"unchanged": 2}

    def test_the_copy_that_went_on_counts(self, stored, learn, state, compose):
        stored.update(a=compose(hours_ago=48), b=compose(hours_ago=24))
        learn()
        assert state.records.get("s1").updated_at == compose(hours_ago=24).updated_at


class TestFailure:
    def test_it_is_counted_named_and_tried_again_later(self, stored, learn, state, compose):
        """codex-A10"""
        stored["a"] = compose()
        report = learn(OneAnswer(LearnerFailed("no answer")))
        assert (report.failed, report.extracted) == (1, 0)
        assert "no answer" in report.problems[0].what
        assert learn().skipped == {"waiting": 1}
        assert state.records.all() == []

    def test_a_disk_that_refuses_ends_the_pass_and_costs_the_session_nothing(self, stored, learn, compose):
        stored["a"] = compose()
        with pytest.raises(StorageError):
            learn(OneAnswer(StorageError("the disk is full")))
        assert learn().extracted == 1

    def test_a_bug_or_an_interrupt_leaves_the_session_free_for_the_next_pass(self, stored, learn, compose):
        stored["a"] = compose()
        with pytest.raises(KeyboardInterrupt):
            learn(OneAnswer(KeyboardInterrupt()))
        assert learn().extracted == 1

    def test_the_ledger_says_how_a_pass_ended(self, stored, learn, state, compose):
        stored["a"] = compose()
        with pytest.raises(RuntimeError):
            learn(OneAnswer(RuntimeError("boom")))
        assert [(run.outcome, "boom" in run.error) for run in state.runs.list()] == [("failed", True)]
        learn()
        assert state.runs.list()[0].outcome == "done"

    @pytest.mark.parametrize(
        ("error", "kind", "minutes"),
        [
            (BusyError("x"), ErrorClass.TRANSIENT, 5),
            (LearnerFailed("x"), ErrorClass.INVALID_OUTPUT, 60),
            (UsageError("x"), ErrorClass.INTERNAL, 60),
        ],
        ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
    )
    def test_what_failed_decides_how_long_the_session_waits(self, stored, learn, state, compose, error, kind, minutes):
        stored["a"] = compose()
        learn(OneAnswer(error))
        job = state.jobs.get("extraction", "s1")
        assert job.error_class is kind
        assert abs(job.retry_at - job.finished_at - timedelta(minutes=minutes)) < timedelta(minutes=minutes) * 0.16

    def test_a_lost_lease_stores_nothing_and_the_session_is_looked_at_again(self, stored, learn, state, compose):
        stored["a"] = compose()
        learner, told, heard = OneAnswer(), [], []
        writing = learner.extract

        def overtaken(task):
            (job,) = state.jobs.all("extraction")
            state.jobs.release(job.token)
            return writing(task)

        learner.extract = overtaken
        report = learn(learner, progress=lambda _, what: told.append(what), listener=lambda *said: heard.append(said))
        assert (report.extracted, report.no_output, report.skipped, told) == (0, 0, {"busy": 1}, ["busy"])
        assert (state.records.all(), heard) == ([], [])
        assert learn().extracted == 1


class TestIndexing:
    """Whoever listens may fail: learning goes on, and the next pass offers the session again."""

    def listen(self, heard, error=None):
        def listener(session, project):
            if error:
                raise error
            heard.append((session.id, project))

        return listener

    def test_every_session_that_was_learned_is_offered_with_its_project(self, stored, learn, compose):
        stored.update(a=compose(), b=compose(session_id="s2", cwd=""))
        heard = []
        learn(listener=self.listen(heard))
        assert heard == [("s1", "/srv/shop"), ("s2", "")]

    def test_a_failure_is_counted_and_named_and_the_next_pass_makes_up_for_it(self, stored, learn, compose):
        stored.update(a=compose(), b=compose(session_id="s2"))
        report = learn(listener=self.listen([], StorageError("the disk is full")))
        assert (report.extracted, report.failed, report.skipped) == (2, 0, {"not_indexed": 2})
        assert [problem.what for problem in report.problems] == ["s1: the disk is full", "s2: the disk is full"]
        heard = []
        assert learn(listener=self.listen(heard)).skipped == {"unchanged": 2}
        assert [session for session, _ in heard] == ["s1", "s2"]
        learn(listener=self.listen(heard))
        assert len(heard) == 2


class TestProject:
    def test_it_is_found_once_and_told_to_learner_and_record(self, stored, learn, state, compose, tmp_path):
        (tmp_path / "shop" / ".git").mkdir(parents=True)
        (tmp_path / "shop" / "src").mkdir()
        stored["a"] = compose(cwd=str(tmp_path / "shop" / "src"))
        learner = OneAnswer()
        learn(learner)
        record = state.records.get("s1")
        assert learner.projects == [record.project] == [str(tmp_path / "shop")]
        assert record.cwd == str(tmp_path / "shop" / "src")

    def test_a_session_without_a_directory_has_none(self, stored, learn, state, compose):
        stored["a"] = compose(cwd="")
        learn()
        assert state.records.get("s1").project == ""


class TestSelection:
    @pytest.fixture(autouse=True)
    def three(self, stored, compose):
        stored.update({name: compose(session_id=name) for name in ("s1", "s2", "s3")})

    def test_at_most_so_many(self, learn):
        assert [learn(allowance=Allowance(limit=2)).extracted, learn(allowance=Allowance(limit=2)).extracted] == [2, 1]

    def test_only_the_one_that_was_asked_for(self, learn, state):
        assert learn(only="s2").extracted == 1
        assert [record.session_id for record in state.records.all()] == ["s2"]
        assert learn().extracted == 2

    def test_a_pass_that_begins_nothing_leaves_no_row_in_the_ledger(self, learn, state):
        learn()
        before = state.runs.list()
        learn()
        assert state.runs.list() == before

    def test_progress_tells_of_every_session(self, learn):
        told = []
        learn(progress=lambda ref, what: told.append((ref.path, what)))
        assert told == [("s1", "learned"), ("s2", "learned"), ("s3", "learned")]

    def test_a_session_with_nothing_to_keep_is_not_told_to_be_learned(self, learn):
        told = []
        learn(OneAnswer(Extraction()), progress=lambda _, what: told.append(what))
        assert told == ["nothing to keep"] * 3


class TestRehearsal:
    def test_it_counts_what_would_be_learned_and_stores_nothing(self, stored, state, window, refs, learn, compose):
        stored.update(a=compose(), b=None)
        for known in (None, state):
            report = rehearse(refs(), state=known, learner=OneAnswer(), window=window)
            assert (report.eligible, report.extracted, report.skipped) == (1, 1, {"unreadable": 1})
        assert state.records.all() == state.runs.list() == []
        assert learn().extracted == 1

    @pytest.mark.parametrize("limit", [None, 1])
    def test_it_counts_and_says_what_the_pass_then_does(self, stored, state, window, refs, learn, compose, limit):
        """One decision for both: copies, modes, time, jobs that wait, sessions with nothing to keep."""
        stored["waits"] = compose(session_id="waits")
        learn(OneAnswer(LearnerFailed("no answer")))
        state.modes.set("off", SessionMode.DISABLED)
        stored |= {
            "copy": compose(),
            "went on": compose(hours_ago=20),
            "copy again": compose(hours_ago=20),
            "off": compose(session_id="off"),
            "recent": compose(session_id="recent", hours_ago=1),
            "broken": None,
        }
        told, tells = [], []
        options = {"state": state, "window": window, "allowance": Allowance(limit=limit)}
        expected = rehearse(
            refs(), learner=OneAnswer(), progress=lambda ref, what: told.append((ref.path, what)), **options
        )
        actual = learn(allowance=Allowance(limit=limit), progress=lambda ref, what: tells.append((ref.path, what)))
        actual.run = None
        assert (expected, told) == (actual, tells)

    def test_a_learner_that_fails_ends_no_rehearsal(self, stored, state, window, refs, compose):
        stored["a"] = compose()
        report = rehearse(refs(), state=state, learner=OneAnswer(LearnerFailed("no answer")), window=window)
        assert (report.failed, report.skipped) == (1, {"waiting": 1})
        assert state.jobs.all() == []

    def test_what_was_learned_is_not_learned_again(self, stored, state, window, refs, learn, compose):
        stored["a"] = compose()
        learn()
        assert rehearse(refs(), state=state, learner=OneAnswer(), window=window).skipped == {"unchanged": 1}
