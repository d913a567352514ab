"""Plain files below one root, reached component by component without following links.

Every call opens the folders on the way by descriptor (`O_NOFOLLOW`), so a folder that somebody swaps for a link between
a check and its use is refused, not followed. Files are replaced by rename, never written in place.
"""

import errno
import os
import secrets
import stat
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import groupby
from pathlib import Path

from vademecum.errors import UnsafePath
from vademecum.memfs.disk.flushing import Job
from vademecum.private import fsync_path

__all__ = ["WorkTree", "read_regular", "write_file", "write_new"]

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # non-blocking: opening a FIFO must not hang
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

_MOVE_AWAY = "Move the file away from there, then try again."
_COPY = "Put a copy in its place (`cp FILE NEW && mv NEW FILE`), then try again."
_REAL_FOLDER = "Put a real folder there in its place, then try again."

#: What opening a link or a file as a folder answers.
_NOT_A_FOLDER = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})


#: Most bytes of a file in the work tree. Far more than memory takes in, so that what a person committed with plain git
#: can still be changed or deleted; it only bounds how long a write can take.
_MOST_BYTES = 64 * 1024 * 1024


class WorkTree:
    """The files below `root`. Paths are memory paths, already validated. Failures of the disk come as `OSError`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a regular file, or None when there is nothing at `path`.

        Raises
        ------
        UnsafePath: a link, a device or a folder stands there, the file has a second name (hard link), or is huge.
        """
        try:
            with self._folder_of(path) as folder:
                data = read_regular(_name(path), folder, path, limit_bytes=_MOST_BYTES)
        except FileNotFoundError:
            return None
        if len(data) > _MOST_BYTES:
            raise UnsafePath(f"{path} has more than {_MOST_BYTES:,} bytes", next_step=_MOVE_AWAY, paths=(path,))
        return data

    def link_target(self, path: str) -> bytes | None:
        """Return where a symbolic link leads, or None when no link stands at `path`."""
        try:
            with self._folder_of(path) as folder:
                return os.fsencode(os.readlink(_name(path), dir_fd=folder))
        except (FileNotFoundError, UnsafePath):
            return None
        except OSError as error:
            if error.errno == errno.EINVAL:
                return None
            raise

    def write(self, path: str, data: bytes) -> None:
        """Put `data` at `path` with mode 0600, by rename; folders on the way are made with mode 0700."""
        with self._folder_of(path, create=True) as folder:
            temporary = f".{secrets.token_hex(8)}.tmp"
            try:
                _write_new(temporary, data, folder)
                os.rename(temporary, _name(path), src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)
                raise

    def populate(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Create files that are not there yet, in a tree of our own. Fastest in the order of their paths."""
        for parent, group in groupby(files, key=lambda file: file[0].rpartition("/")[0]):
            with self._folder_of(f"{parent}/any" if parent else "any", create=True) as folder:
                for path, data in group:
                    _write_new(_name(path), data, folder)

    def take_over(self, staged: Path, path: str) -> None:
        """Move a finished file of the same file system to `path`."""
        with self._folder_of(path, create=True) as folder:
            os.rename(staged, _name(path), dst_dir_fd=folder)

    def make_folder_of(self, path: str) -> None:
        """Make the folders above `path`."""
        with self._folder_of(path, create=True):
            pass

    def remove(self, path: str) -> None:
        """Delete a file, and the folders above it that are empty then. Nothing there is fine."""
        with suppress(FileNotFoundError), self._folder_of(path) as folder:
            os.unlink(_name(path), dir_fd=folder)
        parent = path.rpartition("/")[0]
        while parent and self._remove_folder(parent):
            parent = parent.rpartition("/")[0]

    def flush_jobs(self, replaced: Iterable[str], appeared_or_gone: Iterable[str]) -> Iterator[Job]:
        """Make jobs that put on the disk what became of names: of the second kind, the folders above may be new too."""
        folders = {path.rpartition("/")[0] for path in replaced}
        folders |= {folder for path in appeared_or_gone for folder in _folders_above(path)}
        return (partial(self._flush_folder, folder) for folder in sorted(folders))

    def _flush_folder(self, folder: str) -> None:
        # A folder that became empty is gone; one that somebody replaced by a link holds nothing of ours.
        with suppress(FileNotFoundError, UnsafePath), self._folder_of(f"{folder}/any" if folder else "any") as opened:
            os.fsync(opened)

    def _remove_folder(self, path: str) -> bool:
        try:
            with self._folder_of(path) as above:
                os.rmdir(_name(path), dir_fd=above)
        except OSError as error:
            if error.errno in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT}:
                return False
            raise
        return True

    @contextmanager
    def _folder_of(self, path: str, *, create: bool = False) -> Generator[int]:
        folder = _open_folder(str(self.root), None, path)
        try:
            for name in path.split("/")[:-1]:
                if create:
                    with suppress(FileExistsError):
                        os.mkdir(name, 0o700, dir_fd=folder)
                below = _open_folder(name, folder, path)
                os.close(folder)
                folder = below
            yield folder
        finally:
            os.close(folder)


def read_regular(name: str, folder: int, path: str, *, limit_bytes: int | None = None) -> bytes:
    """Read the file `name` in the open folder; `path` names it in messages.

    Parameters
    ----------
    limit_bytes: read at most this many, and one more, so that the caller sees that there was more.

    Raises
    ------
    UnsafePath: it is a link, not a regular file, or has a second name.
    """
    try:
        descriptor = os.open(name, _READ, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO, errno.EMLINK}:
            message = f"{path} is a link or not a regular file"
            raise UnsafePath(message, next_step=_MOVE_AWAY, paths=(path,)) from error
        raise
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):  # before `fdopen`, which has words of its own for a folder
            raise UnsafePath(f"{path} is not a regular file", next_step=_MOVE_AWAY, paths=(path,))
        if status.st_nlink > 1:
            raise UnsafePath(f"{path} has a second name (hard link)", next_step=_COPY, paths=(path,))
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            if limit_bytes is None:
                return stream.read()
            # Python makes room for as much as is asked for, and thousands of files are small.
            data = stream.read(min(limit_bytes, status.st_size) + 1)
            return data if len(data) <= status.st_size else data + stream.read(max(limit_bytes + 1 - len(data), 0))
    finally:
        os.close(descriptor)


def write_file(file: Path, data: bytes) -> None:
    """Create `file` (mode 0600, must not exist) and put it on the disk; when it fails, nothing is left."""
    write_new(file, data)
    fsync_path(file)


def write_new(file: Path, data: bytes, mode: int = 0o600) -> None:
    """Create `file`, which must not exist. It is not on the disk yet; when it fails, nothing is left."""
    _write_new(str(file), data, None, mode)


def _write_new(name: str, data: bytes, folder: int | None, mode: int = 0o600) -> None:
    descriptor = os.open(name, _CREATE, mode, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
    except BaseException:
        with suppress(OSError):  # what refuses a write refuses its removal too; the first error is the one to tell
            os.unlink(name, dir_fd=folder)
        raise


def _open_folder(name: str, above: int | None, path: str) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=above)
    except OSError as error:
        if error.errno in _NOT_A_FOLDER:
            message = f"{name} on the way to {path} is a link or not a folder"
            raise UnsafePath(message, next_step=_REAL_FOLDER, paths=(path,)) from error
        raise


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _folders_above(path: str) -> list[str]:
    return ["", *(path[:position] for position, character in enumerate(path) if character == "/")]
