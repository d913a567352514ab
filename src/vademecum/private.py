"""What is the user's alone: folders with mode 0700, files with mode 0600. Failures of the disk come as `OSError`."""

import errno
import os
import stat
import threading
from contextlib import suppress
from pathlib import Path

__all__ = [
    "fsync_path",
    "holds_files",
    "make_files_private",
    "make_private_folders",
    "odd_folder",
    "odd_kind",
    "read_plain_file",
    "replace_private_file",
]

_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def make_private_folders(folder: Path) -> None:
    """Make a folder and those missing above it, all with mode 0700. What is there already keeps its mode."""
    if folder.exists():
        return  # nearly always, and a write asks several times
    for path in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        path.mkdir(mode=0o700, exist_ok=True)


def make_files_private(folder: Path) -> None:
    """Take away what others may do with the files below a folder, but for git's own; links are left alone."""
    for above, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for place in (Path(above, name) for name in files):
            with suppress(OSError):  # gone meanwhile, or somebody else's
                status = place.lstat()
                if stat.S_ISREG(status.st_mode) and status.st_mode & 0o077:
                    place.chmod(stat.S_IMODE(status.st_mode) & ~0o077)


def odd_kind(path: Path) -> str:
    """What stands in the place of a plain file, in words; empty where one stands there, or nothing.

    A file with a second name is odd as well: who writes into it writes elsewhere too. Raises OSError.
    """
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISREG(status.st_mode):
        return "" if status.st_nlink == 1 else "a file with a second name"
    return _KINDS.get(stat.S_IFMT(status.st_mode), "no plain file")


def odd_folder(path: Path) -> str:
    """As `odd_kind`, in the place of a folder."""
    kind = odd_kind(path) or ("a file" if path.is_file() else "")
    return "" if kind == _KINDS[stat.S_IFDIR] else kind


def read_plain_file(file: Path, *, most_bytes: int, follows_links: bool = True) -> bytes:
    """Read a file; a pipe or a device is refused, not waited for, and so is what is too large."""
    links = 0 if follows_links else os.O_NOFOLLOW
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | links)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(file))
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            data = stream.read(most_bytes + 1)
    finally:
        os.close(descriptor)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, f"more than {most_bytes:,} bytes", str(file))
    return data


def holds_files(folder: Path) -> bool:
    """Say whether anything that is not hidden lies in a folder; in one that is not there, nothing does."""
    return folder.is_dir() and any(not entry.name.startswith(".") for entry in folder.iterdir())


def replace_private_file(file: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file whole, in the place of the one before: readers see either. Its folder must be there.

    `durable`: it also survives a loss of power from then on.
    """
    # One name per writer: two of them must not write into the same new file.
    fresh = file.with_name(f"{file.name}.{os.getpid()}-{threading.get_ident()}.new")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            os.fchmod(descriptor, 0o600)  # a killed writer may have left it
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(descriptor)
        fresh.replace(file)
        if durable:
            fsync_path(file.parent)
    except OSError:
        with suppress(OSError):  # what refuses a file refuses its removal too; the first error is the one to tell
            fresh.unlink()
        raise


def fsync_path(path: Path) -> None:
    """Put a file, or the names in a folder, on the disk. A link is refused, not followed."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
