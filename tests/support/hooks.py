"""The hook process as a host starts it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from vademecum import hook

__all__ = ["context_in", "hook_command", "pass_is_recent", "pins_of", "run_hook"]


def hook_command(host: str, event: str, *more: str) -> list[str]:
    return [sys.executable, "-I", "-S", str(hook.__file__), host, event, *more]


def run_hook(
    home: Path, event: str, payload: object, *, host: str = "claude-code", env: dict[str, str] | None = None, **options
) -> subprocess.CompletedProcess[bytes]:
    """One event. `payload`: bytes as they are, anything else as JSON."""
    given = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    environ = {**os.environ, "VADEMECUM_HOME": str(home), **(env or {})}
    done = subprocess.run(
        hook_command(host, event), input=given, capture_output=True, env=environ, timeout=20, check=False, **options
    )
    assert done.returncode == 0
    assert done.stderr == b""
    return done


def context_in(done: subprocess.CompletedProcess[bytes]) -> str:
    """What the host puts into the prompt; empty where nothing was printed."""
    return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""


def pass_is_recent(home: Path) -> None:
    """Have no hook start a learner: one has just begun."""
    (home / "runtime").mkdir(mode=0o700, parents=True, exist_ok=True)
    for stamp in ("learner.started", "mender.started"):
        (home / "runtime" / stamp).touch()


def pins_of(home: Path, identity: str = "default") -> list[Path]:
    return sorted((home / "identities" / identity / "runtime/pins").glob("*"))
