"""Git hooks for people who commit with plain git: two scripts in `.git/hooks` that call the library.

`pre-commit` refuses what may not become durable, `post-commit` refreshes the compiled context. Every write of ours puts
them in their place where they differ, by rename, because git may be running one of them. A hook of the person's own is
never touched: ours then lies beside it as `<name>.vademecum`, for theirs to call.

Where the interpreter is gone, or cannot start us, the shell or Python says so in a line of its own and the commit is
made: a broken installation must not keep people from their notes.
"""

import os
import shlex
import sys
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from vademecum.errors import RefusedError
from vademecum.memfs.disk.worktree import write_new
from vademecum.private import make_private_folders

__all__ = ["HOOKS", "HookState", "beside", "hook_states", "hooks_folder", "install_hooks"]

_MARK = "# vademecum commit hook"

#: Only the exit code of a refusal stops a commit: Python ends with 1 where it cannot find the module.
_BEFORE = f"""\
#!/bin/sh
{_MARK}: checks what is about to be committed; `git commit --no-verify` goes past it.
{{python}} -I -m vademecum.cli.commit_hook pre-commit
test $? -ne {RefusedError.exit_code} || exit 1
"""
_AFTER = f"""\
#!/bin/sh
{_MARK}: refreshes the compiled context.
{{python}} -I -m vademecum.cli.commit_hook post-commit >/dev/null 2>&1 || :
"""

#: Name -> script.
HOOKS = {"pre-commit": _BEFORE, "post-commit": _AFTER}


class HookState(StrEnum):
    """What stands in the place of a hook."""

    OURS = "ours"  #: our script as it should be, or a script of the person's that calls ours
    STALE = "stale"  #: nothing, or our script in another form: the next write puts it right
    FOREIGN = "foreign"  #: a script of the person's own that does not call ours


def install_hooks(root: Path) -> None:
    """Put the hooks of the repository `root` in their place where they differ. Needs the `memory-write` lock."""
    folder = hooks_folder(root)
    if not sys.executable or folder.is_symlink():
        return
    # A hook that cannot be written is told by `vade doctor`; the write that comes next must not fail for it.
    with suppress(OSError):
        for name in HOOKS:
            if not _is_installed(folder, name, sys.executable, _stamp(folder / name), _stamp(folder / beside(name))):
                _put(_place_of(folder, name), _script(name))


@lru_cache(maxsize=16)
def _is_installed(folder: Path, name: str, *_state: object) -> bool:
    """Once for each state of both files, by what the file system says of them: every write asks."""
    return _is_whole(_place_of(folder, name), _script(name))


def _place_of(folder: Path, name: str) -> Path:
    return folder / (beside(name) if _is_foreign(folder / name) else name)


def _stamp(file: Path) -> tuple[int, ...]:
    """Changes with the file: no program can set back when its status changed last. Empty where there is none."""
    try:
        status = file.lstat()
    except FileNotFoundError:
        return ()
    return status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def hook_states(root: Path) -> dict[str, HookState]:
    """Say what stands in the place of each hook."""
    return {name: _state(hooks_folder(root) / name) for name in HOOKS}


def hooks_folder(root: Path) -> Path:
    """Return where git looks for the hooks of a repository that does not say otherwise."""
    return root / ".git" / "hooks"


def beside(name: str) -> str:
    """Return the name under which our hook lies beside a person's own."""
    return f"{name}.vademecum"


def _script(name: str) -> bytes:
    return HOOKS[name].format(python=shlex.quote(sys.executable)).encode()


def _state(file: Path) -> HookState:
    if not _is_foreign(file):
        return HookState.OURS if _is_whole(file, _script(file.name)) else HookState.STALE
    calls_ours = file.is_file() and beside(file.name).encode() in file.read_bytes()
    return HookState.OURS if calls_ours else HookState.FOREIGN


def _is_foreign(file: Path) -> bool:
    if file.is_symlink():
        return True
    if file.is_file():
        return _MARK.encode() not in file.read_bytes()
    return file.exists()


def _is_whole(file: Path, script: bytes) -> bool:
    return file.is_file() and os.access(file, os.X_OK) and file.read_bytes() == script


def _put(file: Path, script: bytes) -> None:
    make_private_folders(file.parent)
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)  # of a killed writer
    write_new(fresh, script, 0o700)
    fresh.rename(file)
