"""Whole commands from spawn to exit, beside a bare interpreter."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vademecum.engine import Memory

pytestmark = [pytest.mark.bench, pytest.mark.timeout(120)]

COMMANDS = {
    "bare interpreter": ("-I", "-S", "-c", "pass"),
    "vade --version": ("-m", "vademecum", "--version"),
    "vade context": ("-m", "vademecum", "context"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_wall_time(benchmark, name: str, tmp_path: Path):
    Memory.open(home=tmp_path / "home").create()
    environ = {**os.environ, "VADEMECUM_HOME": str(tmp_path / "home")}
    command = [sys.executable, *COMMANDS[name]]
    benchmark.pedantic(
        lambda: subprocess.run(command, check=True, capture_output=True, env=environ), rounds=15, warmup_rounds=2
    )
