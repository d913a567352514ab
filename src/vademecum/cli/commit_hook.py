"""What the git hooks of a memory repository call (`python -I -m vademecum.cli.commit_hook EVENT`).

Git starts a hook in the root of the work tree that is committed, with variables such as `GIT_DIR` set. Only
`GIT_INDEX_FILE` is looked at: the index that becomes the commit, which for `git commit -a` is not the usual one.
"""

import os
import sys
from pathlib import Path

from vademecum.errors import RefusedError, VademecumError

__all__ = ["after_commit", "before_commit"]

_REFUSED = "vademecum: not committed (correct it, or go past this check with `git commit --no-verify`):"


def before_commit(root: Path, index: str | None) -> int:
    """Check what is staged; returns the exit code. What cannot be checked is said, and let pass."""
    from vademecum.memfs import staged_problems

    try:
        problems = staged_problems(root, root / index if index else None)
    except VademecumError as error:
        problems = []
        _say(f"vademecum: the commit was not checked: {error}")
    if problems:
        _say(_REFUSED, *problems)
    return RefusedError.exit_code if problems else 0


def after_commit(root: Path) -> int:
    """Refresh the compiled context; returns the exit code."""
    from vademecum.engine.hand_commit import refresh_context

    refresh_context(root)
    return 0


def _say(*lines: str) -> None:
    from vademecum.cli.printing import flat, say  # most commits have nothing to be told

    for line in lines:
        say(flat(line), err=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["pre-commit"]:
        sys.exit(before_commit(Path.cwd(), os.environ.get("GIT_INDEX_FILE")))
    sys.exit(after_commit(Path.cwd()))
