"""A damaged state database is put aside as it is, and one is made in its place from what can still be read of it.

    broken/20261130T184923/state.db ...   the damaged files, untouched
    broken/20261130T184923/report.json    what happened, and what was kept

Killed at any point, the damaged file still stands in its place, or the new one does. What was not kept is rebuilt from
the memory repository and from the hosts' sessions by the next pass of learning.
"""

import os
import shutil
import sqlite3
import struct
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from vademecum.errors import DatabaseBroken, StorageError
from vademecum.locks import PATIENT_SECONDS, Domain, Locks
from vademecum.private import make_private_folders, replace_private_file
from vademecum.state.database import Database
from vademecum.state.salvage import is_sound, salvage

__all__ = [
    "Rescue",
    "broken_folder",
    "discard_broken",
    "is_cut_short",
    "is_damage",
    "is_empty_file",
    "past_rescues",
    "rescue",
]

_REPORT = "report.json"
_SUFFIXES = ("", "-wal", "-shm")
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_PACKAGE = "vademecum.state"
#: A page of this size is written down as 1.
_LARGEST_PAGE = 65_536


class Rescue(msgspec.Struct, frozen=True, kw_only=True):
    """One damaged database, and what became of it."""

    #: When it was found, UTC.
    at: datetime
    #: What was wrong with it.
    reason: str
    #: Where the damaged files lie now.
    folder: str
    #: Table -> rows that could be kept.
    kept: dict[str, int]
    #: Tables of which something may be lost.
    torn: tuple[str, ...]

    def __str__(self) -> str:
        kept = ", ".join(f"{count} {_words(table)}" for table, count in self.kept.items()) or "nothing"
        return (
            f"state.db was damaged ({self.reason}) and was made anew, with {kept} of it; `vade learn` rebuilds the "
            f"rest. The damaged file lies in {self.folder}"
        )


def broken_folder(path: Path) -> Path:
    """Where damaged databases are put aside."""
    return path.with_name("broken")


def past_rescues(path: Path) -> list[Rescue]:
    """Every damaged database that still lies aside, oldest first."""
    found: list[Rescue] = []
    for report in sorted(broken_folder(path).glob(f"*/{_REPORT}")):
        with suppress(OSError, msgspec.MsgspecError):  # a person may do with these files what they like
            found.append(msgspec.json.decode(report.read_bytes(), type=Rescue))
    return found


def discard_broken(path: Path) -> None:
    """Delete every damaged database that lies aside: what a person forgets may stand there, and nobody finds it."""
    shutil.rmtree(broken_folder(path), ignore_errors=True)


def is_damage(error: DatabaseBroken) -> bool:
    """Whether SQLite cannot read the file, or we a row of it: another program, or a newer version, tells by words."""
    return isinstance(error.__cause__, sqlite3.Error | KeyError | ValueError | TypeError)


def is_empty_file(path: Path) -> bool:
    """Whether no byte is here, and no log of what would come into the file: whoever opens it makes a new one."""
    log = path.with_name(path.name + "-wal")
    if not os.path.lexists(path):
        return True
    return path.is_file() and path.stat().st_size == 0 and not (log.exists() and log.stat().st_size)


def is_cut_short(path: Path) -> bool:
    """Whether the file is shorter than it says of itself; SQLite finds that when it comes to the missing part."""
    if Database.is_open_here(path):
        return False  # whoever opened it has looked
    log = path.with_name(path.name + "-wal")
    try:
        size_bytes = path.stat().st_size
        has_log = log.exists() and log.stat().st_size > 0
        if size_bytes == 0 or has_log:
            return has_log and size_bytes == 0  # else the log may hold the missing part
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError:
        return False  # not there, or no plain file: opening it says so
    if not header.startswith(_MAGIC):
        return _MAGIC.startswith(header)  # what begins differently is no database, and opening it says so
    if len(header) < _HEADER_BYTES:
        return True
    page, changed, pages, counted_at = _facts(header)
    return changed == counted_at and size_bytes < page * pages


def _facts(header: bytes) -> tuple[int, int, int, int]:
    """Bytes per page, the change counter, the number of pages, and the change at which that was counted."""
    (page,) = struct.unpack_from(">H", header, 16)
    changed, pages = struct.unpack_from(">II", header, 24)
    (counted_at,) = struct.unpack_from(">I", header, 92)
    return (_LARGEST_PAGE if page == 1 else page), changed, pages, counted_at


def rescue(path: Path, reason: str) -> Rescue | None:
    """Make the database anew; None where another process has done it meanwhile. Raises BusyError, StorageError."""
    aside = broken_folder(path)
    # A lock beside the file: whoever opens a database may hold any other lock already.
    with Locks(aside / "locks").hold(Domain.REBUILD, purpose="rebuilding state.db", wait_seconds=PATIENT_SECONDS):
        try:
            return _rescue(path, aside, reason)
        except OSError as error:
            raise StorageError(f"{path.name} is damaged and cannot be made anew: {error.strerror}") from error


def _rescue(path: Path, aside: Path, reason: str) -> Rescue | None:
    fresh = path.with_name(path.name + ".new")
    _unlink(fresh)
    with Database.open(fresh, package=_PACKAGE) as database:
        if not is_cut_short(path) and is_sound(path, database.tables()):
            database.close()
            _unlink(fresh)
            return None
        at = datetime.now(UTC)
        folder = _put_aside(path, aside, at)
        # From a copy of its own: SQLite writes into what it opens.
        work = folder / "work.db"
        for suffix in _SUFFIXES:
            if (folder / f"{path.name}{suffix}").exists():
                shutil.copyfile(folder / f"{path.name}{suffix}", f"{work}{suffix}")
        brought = database.filled_by(lambda connection: salvage(work, connection))
        _unlink(work)
        database.truncate_log()
    done = Rescue(at=at, reason=reason, folder=str(folder), kept=brought.kept, torn=tuple(brought.torn))
    replace_private_file(folder / _REPORT, msgspec.json.encode(done))
    for suffix in _SUFFIXES[1:]:
        path.with_name(path.name + suffix).unlink(missing_ok=True)  # else SQLite would read it into the new file
    fresh.replace(path)
    return done


def _put_aside(path: Path, aside: Path, at: datetime) -> Path:
    stem = f"{at:%Y%m%dT%H%M%S}"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1_000)))
    folder = next(aside / name for name in names if not (aside / name).exists())
    make_private_folders(folder)
    for suffix in _SUFFIXES:
        source = path.with_name(path.name + suffix)
        if source.exists():
            shutil.copyfile(source, folder / source.name)
            (folder / source.name).chmod(0o600)
    return folder


def _unlink(path: Path) -> None:
    for suffix in _SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _words(table: str) -> str:
    return table.replace("_", " ")
