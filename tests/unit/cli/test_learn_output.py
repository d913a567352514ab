import io

import pytest

from vademecum.cli.learn_output import LearnProgress, learn_shape, print_report, warn
from vademecum.engine import LearnReport, Memory
from vademecum.learning import Consolidation, ConsolidationStatus, Skip
from vademecum.sessions import Looked


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
    warn(report(errors=("s1: broken",), consolidation=consolidation))
    assert capsys.readouterr().err == "warning: s1: broken\nwarning: consolidation invalid: too large\n"


def test_without_a_terminal_progress_is_plain_text():
    stream = io.StringIO()
    with LearnProgress(stream):
        pass
    assert "\x1b" not in stream.getvalue()
