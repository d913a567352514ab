"""What was written into a host's files, so that the bytes of before can come back: `<home>/runtime/hosts/<host>.json`.

The record is written before the files are. A process that is killed at any step therefore leaves files of which each is
either as before or as we wrote it, and the record knows both.
"""

from datetime import datetime
from pathlib import Path

import msgspec

from vademecum.errors import StorageError
from vademecum.home import Home
from vademecum.private import fsync_path, make_private_folders, read_plain_file, replace_private_file

__all__ = ["Record", "Written", "drop_record", "read_record", "store_record"]

_MOST_BYTES = 4 * 1024 * 1024


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a host that we wrote."""

    file: str
    #: SHA-256 of what stood there before us; None: there was no such file.
    before: str | None
    #: SHA-256 of each state that we wrote since, the last one last.
    ours: tuple[str | None, ...]
    #: Whether nobody but us wrote since `before`, so that its bytes may come back.
    exact: bool
    #: Copies beside the original, the oldest first.
    backups: tuple[str, ...] = ()
    #: Folders that we made for it, the outermost first.
    folders: tuple[str, ...] = ()


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One installation."""

    host: str
    #: Version of vademecum that wrote last.
    version: str
    at: datetime
    files: tuple[Written, ...] = ()

    def of(self, file: Path) -> Written | None:
        """What is known of a file."""
        return next((written for written in self.files if written.file == str(file)), None)


def read_record(home: Home, host: str) -> Record | None:
    """The record of a host; None where there is none that can be read: what is ours is then found in the files."""
    try:
        data = read_plain_file(_place(home, host), most_bytes=_MOST_BYTES, follows_links=False)
        return msgspec.json.decode(data, type=Record)
    except (OSError, msgspec.DecodeError):
        return None


def store_record(home: Home, record: Record) -> None:
    """Put the record on the disk. Raises StorageError."""
    place = _place(home, record.host)
    try:
        make_private_folders(place.parent)
        replace_private_file(place, msgspec.json.format(msgspec.json.encode(record)), durable=True)
    except OSError as error:
        raise StorageError(f"{place} cannot be written: {error.strerror}", paths=(str(place),)) from error


def drop_record(home: Home, host: str) -> None:
    """Forget an installation that was taken out."""
    place = _place(home, host)
    if place.exists():
        place.unlink()
        fsync_path(place.parent)


def _place(home: Home, host: str) -> Path:
    return home.runtime / "hosts" / f"{host}.json"
