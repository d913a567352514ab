"""The fixtures that close the home folder and the network do close them; skips are seen, and judged in CI."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest


def test_the_home_folder_of_a_test_is_a_temporary_one(closed_home: Path):
    assert Path.home() == closed_home
    assert os.environ["VADEMECUM_HOME"].startswith(str(closed_home))


def test_nothing_but_loopback_can_be_reached():
    with socket.socket() as client, pytest.raises(Exception, match="tried to reach"):
        client.connect(("192.0.2.1", 80))


def test_variables_of_the_real_environment_are_gone():
    assert not [name for name in os.environ if name.startswith(("GIT_", "ANTHROPIC", "OPENAI"))]


SKIPS = """
import pytest

def test_expected():
    pytest.skip("root may read everything")

@pytest.mark.skip(reason="no time today")
def test_unexpected():
    pass

@pytest.mark.xfail(reason="known")
def test_known():
    raise ValueError
"""


@pytest.mark.slow
@pytest.mark.timeout(30)
@pytest.mark.parametrize(("strict", "exit_code"), [("", 0), ("1", 1)])
def test_a_skip_for_an_unknown_reason_fails_where_skips_are_strict(tmp_path: Path, strict: str, exit_code: int):
    """CI cannot stay green by running less than it says; each reason is a line of the summary."""
    conftest = Path(__file__).resolve().parents[1] / "conftest.py"
    (tmp_path / "conftest.py").write_bytes(conftest.read_bytes())
    (tmp_path / "test_skips.py").write_text(SKIPS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", str(tmp_path)]
    environ = {**os.environ, "VADEMECUM_TEST_STRICT_SKIPS": strict}
    run = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert run.returncode == exit_code
    assert ("does not expect that: no time today" in run.stdout) == bool(strict)
    assert "root may read everything" in run.stdout
    assert f"{1 if strict else 2} skipped, 1 xfailed" in run.stdout
