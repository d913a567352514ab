"""The file that an edit really concerns: a link of a dotfile manager is followed, within the person's home only."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec

from vademecum.errors import CannotEdit
from vademecum.private import read_plain_file

__all__ = ["Target", "decoded", "encoded", "find_target", "hash_of", "naming", "read_text"]

#: No configuration is larger; what is, is something else.
_MOST_BYTES = 16 * 1024 * 1024
_MARK = "\ufeff"


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A regular file that may be written, or a place where there is none yet."""

    #: Where the bytes lie, no link on the way.
    file: Path
    #: None: there is no such file.
    data: bytes | None


def find_target(path: Path, user_home: Path) -> Target:
    """Follow a path to its file and read it. Raises CannotEdit for what is not ours to change."""
    file = _followed(path, user_home)
    try:
        status = file.lstat()
        data = read_plain_file(file, most_bytes=_MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise _refusal(
                path, f"is a link to {file}, where nothing is", "Make that file, or remove the link"
            ) from None
        _check_folder(path, file)
        return Target(file=file, data=None)
    except OSError as error:
        raise _refusal(path, f"cannot be read: {error.strerror}", "Make it a readable file") from error
    if not status.st_mode & stat.S_IWUSR or not os.access(file, os.W_OK):
        raise _refusal(path, "is read-only", "Make it writable, if nothing else keeps it")
    _check_folder(path, file)
    return Target(file=file, data=data)


def _followed(path: Path, user_home: Path) -> Path:
    try:
        file = path.resolve()
    except (OSError, RuntimeError) as error:  # a loop of links
        raise _refusal(path, "is a link that leads nowhere", "Remove the link") from error
    if file.is_relative_to(user_home.resolve()):
        return file
    if path.is_relative_to(user_home) or path.is_symlink():
        raise _refusal(path, f"leads to {file}, outside of your home", "Edit that file where it is kept")
    return file  # a folder that the person named, elsewhere


def _check_folder(path: Path, file: Path) -> None:
    folder = next(above for above in file.parents if above.exists())
    if not folder.is_dir():
        raise _refusal(path, f"cannot be made: {folder} is no folder", "Move that out of the way")
    if not folder.stat().st_mode & stat.S_IWUSR or not os.access(folder, os.W_OK | os.X_OK):
        raise _refusal(path, f"cannot be written: the folder {folder} is read-only", "Make it writable")


def _refusal(path: Path, what: str, next_step: str) -> CannotEdit:
    return CannotEdit(f"{path} {what}", next_step=f"{next_step}, then run the same command again.", paths=(str(path),))


def read_text(path: Path, user_home: Path) -> str | None:
    """The text of a host's file; None where there is none. Raises CannotEdit."""
    return decoded(path, find_target(path, user_home).data)


@contextmanager
def naming(path: Path) -> Generator[None]:
    """Who reads or edits a text does not know its file: a refusal says which it is. Raises CannotEdit."""
    try:
        yield
    except CannotEdit as error:
        raise CannotEdit(f"{path}, {error}", next_step=error.next_step, paths=(str(path),)) from error


def decoded(path: Path, data: bytes | None) -> str | None:
    """The text without its byte order mark, line ends as they are. Raises CannotEdit where it is no UTF-8."""
    if data is None:
        return None
    try:
        return data.decode().removeprefix(_MARK)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CannotEdit(f"{path}, line {line}: this is no UTF-8", paths=(str(path),)) from error


def encoded(text: str, before: bytes | None) -> bytes:
    """The bytes of a text, with the byte order mark that the file had."""
    marked = before is not None and before.startswith(_MARK.encode())
    return (_MARK + text if marked else text).encode()


def hash_of(data: bytes | None) -> str | None:
    """Tells two states of a file apart; None: no such file."""
    return None if data is None else sha256(data).hexdigest()
