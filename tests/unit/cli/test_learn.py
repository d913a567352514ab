import pytest
from click.testing import CliRunner

from vademecum.cli import learn
from vademecum.engine import LearnReport, Memory
from vademecum.learning import Consolidation, ConsolidationStatus

KEPT_OUT = {ConsolidationStatus.INVALID, ConsolidationStatus.FAILED}


def ended(status):
    return LearnReport(
        discovered=1,
        eligible=1,
        extracted=1,
        no_output=0,
        failed=0,
        skipped={},
        consolidation=Consolidation(status=status, revision=None, reason="because"),
        runs=("r1",),
        looked=(),
        errors=(),
    )


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("VADEMECUM_HOME", str(tmp_path))


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize("status", ConsolidationStatus)
def test_the_command_fails_exactly_where_what_was_learned_could_not_be_taken_in(status, options, monkeypatch):
    monkeypatch.setattr(Memory, "learn", lambda *_args, **_options: ended(status))
    done = CliRunner().invoke(learn.command, options)
    assert done.exit_code == (1 if status in KEPT_OUT else 0)
    assert "because" in done.output
