"""Hours that pass after sessions of real agent programs: what these have stored is moved back by so many.

No program has to be told of another time so, and nobody has to wait. Whatever looks like a time of today is one: in
text (ISO 8601, UTC), as a number of milliseconds, and as the time of a file.
"""

import os
import re
import sqlite3
import time
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

__all__ = ["let_hours_pass"]

_TEXT = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_NUMBER = re.compile(r"(?<![\d.])\d{13}(?![\d.])")
_DAY_MS = 86_400_000


def let_hours_pass(hours: int, *places: Path) -> None:
    """Move every time in these files, and in those below these folders, back by so many hours."""
    for path in [file for place in places for file in (place, *place.rglob("*")) if file.is_file()]:
        status = path.stat()
        if path.suffix == ".db":
            _move_rows(path, hours)
        elif path.suffix in {".json", ".jsonl"}:
            path.write_text(_moved(path.read_text(encoding="utf-8"), hours), encoding="utf-8")
        os.utime(path, (status.st_atime - hours * 3600, status.st_mtime - hours * 3600))


def _moved(text: str, hours: int) -> str:
    by = timedelta(hours=hours)
    text = _TEXT.sub(lambda found: _iso(datetime.fromisoformat(found[0]) - by), text)
    return _NUMBER.sub(lambda found: str(_earlier(int(found[0]), hours)), text)


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _earlier(number: int, hours: int) -> int:
    """A number of milliseconds, moved where it is a time of the last day."""
    now = time.time() * 1000
    return number - hours * 3_600_000 if now - _DAY_MS < number < now + _DAY_MS else number


def _move_rows(path: Path, hours: int) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        database.create_function("moved", 1, lambda value: _moved_value(value, hours))
        for table in tables:
            columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")') if not row[5]]
            changes = ", ".join(f'"{column}" = moved("{column}")' for column in columns)
            if changes:
                database.execute(f'UPDATE "{table}" SET {changes}')


def _moved_value(value: object, hours: int) -> object:
    match value:
        case int():
            return _earlier(value, hours)
        case str():
            return _moved(value, hours)
        case _:
            return value
