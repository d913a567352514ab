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


def install(tmp_path, npm=None):
    """The script with this text as the only program on the PATH."""
    if npm:
        (tmp_path / "npm").write_text(f"#!/bin/sh\n{npm}\n")
        (tmp_path / "npm").chmod(0o755)
    environ = {"PATH": str(tmp_path), "VADEMECUM_TEST_CLIENTS": str(tmp_path / "clients")}
    return subprocess.run(
        [sys.executable, INSTALL], env=environ, capture_output=True, text=True, check=False, timeout=4
    )


def test_a_missing_npm_is_one_line_and_no_failure(tmp_path):
    run = install(tmp_path)
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (0, "", 1)
    assert "npm is not on the PATH" in run.stderr


def test_a_registry_out_of_reach_is_one_line_a_package_and_no_failure(tmp_path):
    run = install(tmp_path, "echo npm error code ENOTFOUND >&2; exit 1")
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (0, "", len(PACKAGES))
    assert f"the tests that need {OPENCODE.spec} are skipped" in run.stderr


@pytest.mark.parametrize("npm", ["echo npm error code E404 >&2; exit 1", "exit 0"])
def test_a_package_that_is_not_there_afterwards_is_a_failure(tmp_path, npm):
    run = install(tmp_path, npm)
    assert run.returncode == 1
    assert f"{OPENCODE.spec} could not be installed" in run.stderr
