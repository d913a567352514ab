"""The clients are installed in exact versions, and whoever cannot install them is told why."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.clients import OPENCODE, OPENCODE_PLUGIN, PACKAGES

INSTALL = Path(__file__).resolve().parents[2] / "scripts" / "install_clients.py"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_client_is_pinned_to_one_version(package):
    assert re.fullmatch(r"\d+\.\d+\.\d+", package.version)
    assert package.version in package.folder.name


def test_the_plugin_is_of_the_version_of_its_client():
    """Another one would be replaced at the first start, from the network."""
    assert OPENCODE_PLUGIN.version == OPENCODE.version


def test_a_missing_npm_is_one_line_and_no_failure(tmp_path):
    run = subprocess.run(
        [sys.executable, INSTALL], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False, timeout=4
    )
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (0, "", 1)
    assert "npm is not on the PATH" in run.stderr
