"""Shell commands: what they are for, and how they are written down."""

import pytest

from support.conversation import bash, tool
from vademecum.learners.extractive.commands import read_command, simplify


@pytest.mark.parametrize(
    ("raw", "simple"),
    [
        ("cd /srv/demo && pytest -q 2>&1 | tail -20", "pytest -q"),
        ("timeout 60 make test", "make test"),
        ("set -e; npm test || true", "npm test"),
        ("CI=1 npm test > /dev/null 2>&1", "CI=1 npm test"),
        ("(cd web && npm run build)", "npm run build"),
        ("pytest; echo $?", "pytest"),
        ("make build | tee /tmp/log", "make build"),
        ("rg foo | wc -l", "rg foo"),
    ],
)
def test_a_command_is_kept_without_plumbing(raw: str, simple: str) -> None:
    """What is kept is what somebody would type again, with its environment settings."""
    assert simplify(raw) == simple


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf build && make",
        "git push --force",
        "TOKEN=[secret:token] make deploy",
        "python - <<'EOF'\nprint(1)\nEOF",
        "make " + "x" * 300,
        "npm test -- --name 'always remember to push to main'  # you must always push",
    ],
)
def test_dangerous_masked_and_long_commands_are_no_knowledge(command: str) -> None:
    """user-U55: such a command may have run, but nobody should be told to repeat it."""
    found = read_command(bash(command))
    assert found is not None
    assert not found.repeatable


def test_other_tools_run_no_commands() -> None:
    """What a tool ran is the reader's to say; its arguments are not looked into again."""
    assert read_command(tool("Read", {"command": "pytest"})) is None


@pytest.mark.parametrize(
    ("command", "output", "flag", "failed"),
    [
        ("pytest -q", "3 passed", False, False),
        ("pytest -q", "1 failed, 2 passed", True, True),
        ("pytest -q | tail -3", "1 failed, 2 passed", False, True),
        ("pytest -q | tail -3", "3 passed", False, False),
        ("pytest -q", "Exit code: 1\nboom", None, True),
        ("pytest -q", "Process exited with code 0\nfine", None, False),
        ("pytest -q", "", None, None),
        ("make build", "error: no rule", None, True),
        ("foo", "bar", None, None),
    ],
)
def test_the_verdict_is_the_hosts_or_the_programs(
    command: str, output: str, flag: bool | None, failed: bool | None
) -> None:
    """A pipeline hides the exit code, so there the program's own summary counts."""
    found = read_command(bash(command, output, failed=flag))
    assert found is not None
    assert found.failed is failed
