"""Read a database file where the disk takes no write: full, or read-only.

A database with a write-ahead log cannot be opened there as it is: SQLite needs a file beside it that readers share.
So the whole of it is read at once, into memory. That is done only where nobody can change it meanwhile: with SQLite's
own locks as long as that file is there, and else where the log is empty, which means that no writer has it open.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from vademecum.errors import StorageError

__all__ = ["copy_into"]


def copy_into(connection: sqlite3.Connection, path: Path) -> None:
    """Have in `connection` what stands in the file; one that is not there holds nothing.

    Raises StorageError where the log holds what cannot be read without a write, and sqlite3.Error.
    """
    if not path.exists():
        return
    try:
        _copy(path, "mode=ro", connection)
    except sqlite3.OperationalError:
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise StorageError(
                f"what was written to {path.name} last stands in {log.name}, which cannot be read on a disk that takes "
                "no write",
                next_step="Free some space, or make the folder writable, then try again.",
                paths=(str(log),),
            ) from None
        _copy(path, "mode=ro&immutable=1", connection)


def _copy(path: Path, options: str, connection: sqlite3.Connection) -> None:
    with closing(sqlite3.connect(f"file:{quote(str(path))}?{options}", uri=True)) as source:
        source.backup(connection)
