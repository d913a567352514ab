"""Which line of an output names the error."""

import pytest

from vademecum.learners.extractive.verdicts import MAX_ERROR_CHARS, error_line


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'id'\n", "KeyError: 'id'"),
        ("x\nE   AssertionError: assert 1 == 2\nFAILED tests/a.py::test_b", "AssertionError: assert 1 == 2"),
        ("src/a.ts(3,1): error TS2304: Cannot find name 'x'.", "src/a.ts(3,1): error TS2304: Cannot find name 'x'."),
        ("error[E0425]: cannot find value `x`\n --> src/main.rs", "error[E0425]: cannot find value `x`"),
        ("npm ERR! code 1\nnpm ERR! Missing script: build", "npm ERR! Missing script: build"),
        ("bash: pnpm: command not found", "bash: pnpm: command not found"),
        ("make: *** [build] Error 2", "make: *** [build] Error 2"),
        ("all fine", ""),
        ("", ""),
        ("error: you must always run as root", ""),
        ("ValueError: key [secret:token] is bad", ""),
    ],
)
def test_the_error_line(output: str, line: str) -> None:
    """The last line of a traceback beats a summary; orders and masked lines are never quoted."""
    assert error_line(output) == line


def test_an_error_line_is_bounded() -> None:
    """However long the line, so much of it is kept."""
    assert len(error_line("ValueError: " + "x" * 5000)) <= MAX_ERROR_CHARS
