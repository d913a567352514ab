import io
from datetime import UTC, datetime

import pytest

from vademecum.cli.learn_output import LearnProgress, learn_shape, print_report, warn_of
from vademecum.engine import LearnReport, Memory
from vademecum.learning import Consolidation, ConsolidationStatus, Learned, Skip
from vademecum.sessions import Discovery, Looked, SessionRef


def report(**changes):
    values = {
        "discovered": 3,
        "eligible": 2,
        "extracted": 1,
        "no_output": 1,
        "failed": 0,
        "skipped": {},
        "consolidation": Consolidation(status=ConsolidationStatus.LANDED, revision="a" * 40, run="r2"),
        "runs": ("r1", "r2"),
        "looked": (Looked(host="a-host", path="/somewhere", exists=False),),
        "errors": (),
    }
    return LearnReport(**values | changes)


def ref(size_bytes):
    return SessionRef(
        host="a-host", path="/x", fingerprint="1", size_bytes=size_bytes, modified_at=datetime(2026, 11, 2, tzinfo=UTC)
    )


@pytest.fixture
def memory(tmp_path):
    return Memory.open(home=tmp_path, environ={})


def printed(memory, capsys, *, dry_run=False, **changes):
    print_report(report(**changes), memory, dry_run=dry_run)
    return capsys.readouterr().out


@pytest.mark.parametrize("status", ConsolidationStatus)
def test_every_end_of_a_consolidation_has_words(status, memory, capsys):
    text = printed(memory, capsys, consolidation=Consolidation(status=status, revision=None, reason="BECAUSE"))
    assert "BECAUSE" in text
    assert "None" not in text


@pytest.mark.parametrize("skip", Skip)
def test_every_reason_to_leave_a_session_alone_has_words(skip, memory, capsys):
    text = printed(memory, capsys, skipped={skip.value: 7})
    (line,) = [line for line in text.splitlines() if line.strip().startswith("7 ")]
    assert "_" not in line


def test_where_nothing_was_found_the_places_and_the_next_step_are_named(memory, capsys):
    text = printed(memory, capsys, discovered=0)
    assert "/somewhere" in text
    assert "not there" in text
    assert "Next: " in text


@pytest.mark.parametrize(
    "changes",
    [
        {"skipped": {Skip.LOGIN.value: 2}},
        {"skipped": {Skip.LOGIN.value: 2}, "extracted": 0, "no_output": 0},
        {"failed": 2, "extracted": 0, "no_output": 0},
        {"consolidation": Consolidation(status=ConsolidationStatus.FAILED)},
        {"consolidation": Consolidation(status=ConsolidationStatus.INVALID)},
    ],
    ids=["refused half-way", "refused", "failed on all", "failed to write", "wrote what breaks a rule"],
)
def test_a_learner_that_did_not_do_its_work_has_failed_at_whatever_step(changes):
    assert report(**changes).has_failed


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"failed": 1},
        {"skipped": {Skip.QUOTA.value: 3, Skip.BUDGET.value: 1}, "extracted": 0, "no_output": 0},
        {"skipped": {Skip.UNREADABLE.value: 3}, "extracted": 0, "no_output": 0},
        {"consolidation": Consolidation(status=ConsolidationStatus.SKIPPED)},
    ],
    ids=["all is well", "one session failed", "an account is used up", "no session can be read", "not asked for"],
)
def test_what_passes_by_itself_or_concerns_one_session_is_no_failure(changes):
    assert not report(**changes).has_failed


def test_a_program_is_told_the_next_step_beside_the_object(capsys):
    warn_of(report(errors=("the key is wrong",), next_steps=("Set the key.",)))
    assert capsys.readouterr().err == "warning: the key is wrong\nnext: Set the key.\n"


def test_a_rehearsal_speaks_of_what_would_be(memory, capsys):
    text = printed(memory, capsys, dry_run=True)
    assert "would be learned" in text
    assert "commit" not in text


def test_the_object_holds_what_the_contract_names_and_nothing_else():
    shape = learn_shape(report(errors=("e",)))
    assert shape["consolidation"] == {"status": "landed", "revision": "a" * 40}
    assert "errors" not in shape
    assert "looked" not in shape


def test_what_went_wrong_is_said_beside_the_object(capsys):
    consolidation = Consolidation(status=ConsolidationStatus.INVALID, reason="too large")
    warn_of(report(errors=("s1: broken",), consolidation=consolidation))
    assert capsys.readouterr().err == "warning: s1: broken\nwarning: consolidation invalid: too large\n"


def test_what_a_person_removed_and_said_again_is_told_as_a_warning(memory, capsys):
    consolidation = Consolidation(status=ConsolidationStatus.LANDED, revision="a" * 40, came_back=("use pnpm",))
    assert "came back: use pnpm" in printed(memory, capsys, consolidation=consolidation)
    warn_of(report(consolidation=consolidation))
    assert capsys.readouterr().err.startswith("warning: came back: use pnpm")


@pytest.mark.parametrize(
    ("size_bytes", "words"),
    [(0, "0 B"), (999, "999 B"), (1_300, "1.3 KB"), (999_949, "999.9 KB"), (999_951, "1.0 MB"), (2_340_000, "2.3 MB")],
)
def test_a_size_never_reads_as_nothing(size_bytes, words):
    stream = io.StringIO()
    with LearnProgress(stream) as progress:
        progress.found(Discovery(refs=(ref(size_bytes),), looked=(), skipped={}))
    assert f"({words})" in stream.getvalue()


@pytest.mark.parametrize(("dry_run", "verb"), [(False, "learned"), (True, "would be learned")])
def test_only_what_was_learned_is_counted_as_learned(dry_run, verb):
    stream = io.StringIO()
    with LearnProgress(stream, dry_run=dry_run) as progress:
        for what in (Learned.LEARNED, Learned.NOTHING_TO_KEEP, Skip.UNCHANGED, Skip.WAITING) * 50:
            progress.advance(ref(0), what.value)
    assert f"200/0 sessions read, 50 {verb}" in stream.getvalue()


def test_without_a_terminal_progress_is_plain_text():
    stream = io.StringIO()
    with LearnProgress(stream):
        pass
    assert "\x1b" not in stream.getvalue()
