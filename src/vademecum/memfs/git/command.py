"""The git command line, for the few things that libgit2 does not do: pack, repack, prune, fsck.

Nothing of the surrounding git reaches it: not the person's configuration, not `GIT_*` variables (git sets `GIT_DIR` and
others for its hooks, and ours may run inside one), not hooks, pagers or prompts.
"""

import os
import shutil
import subprocess
from pathlib import Path

from vademecum.errors import GitFailed

__all__ = ["git_version", "run_git"]

_TIMEOUT_SECONDS = 30.0
_SHOWN_CHARACTERS = 400

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.fsync=all",
    "core.quotePath=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "core.splitIndex=false",
    "index.sparse=false",
    "protocol.ext.allow=never",
)
#: All of the environment that git needs here.
_KEPT_VARIABLES = ("PATH", "HOME", "TMPDIR", "SYSTEMROOT")


def run_git(
    root: Path,
    *arguments: str,
    stdin: bytes = b"",
    timeout_seconds: float = _TIMEOUT_SECONDS,
    fine: tuple[int, ...] = (0,),
    index: Path | None = None,
) -> bytes:
    """Run git in the repository `root` and return what it printed.

    Parameters
    ----------
    arguments: the sub-command and its arguments; pathspecs are taken literally.
    fine: the exit codes that are no failure.
    index: the file to take for the index, where it is not the usual one.

    Raises
    ------
    GitFailed: git is not installed, failed, or took longer than `timeout_seconds`.
    """
    program = shutil.which("git")
    if program is None:
        raise GitFailed("git is not installed", next_step="Install git; reading and writing memory works without it.")
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    command = [program, "--no-pager", "--literal-pathspecs", f"--git-dir={root / '.git'}", f"--work-tree={root}"]
    try:
        done = subprocess.run(  # noqa: S603 (a list of arguments, no shell)
            [*command, *settings, *arguments],
            cwd=root,
            env=_environment() | ({"GIT_INDEX_FILE": str(index)} if index else {}),
            input=stdin,
            capture_output=True,
            timeout=timeout_seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitFailed(f"`git {arguments[0]}` took longer than {timeout_seconds:g} s") from error
    except OSError as error:
        raise GitFailed(f"`git {arguments[0]}` cannot be started: {error.strerror}") from error
    if done.returncode not in fine:
        said = done.stderr.decode(errors="replace").strip()[:_SHOWN_CHARACTERS]
        raise GitFailed(f"`git {arguments[0]}` failed with {done.returncode}: {said}")
    return done.stdout


def git_version() -> str:
    """Return what git says of itself ("git version 2.39.5"); raises `GitFailed` where it is not installed."""
    return run_git(Path(os.sep), "version").decode().strip()


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }
