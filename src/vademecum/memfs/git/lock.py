"""Git's own lock files: while one of ours is there, git refuses to replace the file that it guards, and the other way.

A lock of ours is only a sign. What takes the place of the guarded file is prepared elsewhere and renamed over it while
the lock stands; so whatever is left of a killed writer can be told from git's own by its content.
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from vademecum.errors import BusyError
from vademecum.memfs.disk.worktree import write_new
from vademecum.private import read_plain_file

__all__ = ["drop_own_lock", "drop_whole_lock", "git_lock", "is_own_lock", "lock_of"]

_MARK = b"held by vademecum\n"
_MOST_BYTES = len(_MARK)
_FOREIGN = b"another's"


@contextmanager
def git_lock(target: Path, *, prepared: Path | None = None) -> Generator[None]:
    """Hold `<target>.lock` for the length of the block. Needs the `memory-write` lock.

    Parameters
    ----------
    prepared: a file of ours beside the target. The lock is written there and appears whole, so that an empty one, which
        git leaves while it packs references, is never taken for what a killed writer of ours left.

    Raises
    ------
    BusyError: git, or somebody using its protocol, holds the lock.
    """
    file = lock_of(target)
    _take(file, prepared)
    try:
        yield
    except BaseException:
        with suppress(OSError):  # the first error is the one to tell; the next writer knows a lock of ours
            file.unlink()
        raise
    file.unlink(missing_ok=True)  # a person who was told to delete it may have been quicker


def drop_own_lock(target: Path) -> None:
    """Delete `<target>.lock` when a killed writer of ours left it, half written too. Needs the `memory-write` lock."""
    file = lock_of(target)
    found = _content(file)
    if found is not None and _MARK.startswith(found):
        file.unlink()


def drop_whole_lock(target: Path) -> None:
    """Delete `<target>.lock` when a killed writer of ours left it that had prepared it. Needs the `memory-write` lock.

    An empty one stays.
    """
    file = lock_of(target)
    if is_own_lock(file):
        file.unlink()


def is_own_lock(file: Path) -> bool:
    """Say whether a lock file is one of ours; one that a killed writer left is taken over by the next."""
    return _content(file) == _MARK


def _take(file: Path, prepared: Path | None) -> None:
    if is_own_lock(file):
        file.unlink()  # only the holder of the `memory-write` lock writes this, and that is this process now
    try:
        if prepared is None:
            write_new(file, _MARK)
        else:
            _link(prepared, file)
    except FileExistsError as error:
        raise BusyError(
            f"a git command is at work in the memory repository ({file.name} exists)",
            next_step=f"Try again when it has ended; if no git command runs, delete {file}.",
        ) from error


def _link(prepared: Path, file: Path) -> None:
    prepared.unlink(missing_ok=True)
    write_new(prepared, _MARK)
    try:
        file.hardlink_to(prepared)
    finally:
        prepared.unlink()


def _content(file: Path) -> bytes | None:
    try:
        return read_plain_file(file, most_bytes=_MOST_BYTES, follows_links=False)
    except FileNotFoundError:
        return None
    except OSError:
        return _FOREIGN  # a pipe, a link, a folder, or the next index that git has written already


def lock_of(target: Path) -> Path:
    """Return git's lock file for `target`."""
    return target.with_name(target.name + ".lock")
