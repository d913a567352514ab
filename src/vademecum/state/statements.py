"""Named SQL statements, read from the files that lie beside the code.

A file holds statements of one noun, each headed by its name and one line on what it is for:

    -- name: get_record
    -- One record by its session id.
    SELECT * FROM records WHERE session_id = :session_id;
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

__all__ = ["load_statements", "split_script"]

_HEAD = re.compile(r"^-- name: (\w+)\n-- \S.*\n", re.MULTILINE)


@cache
def load_statements(package: str, name: str) -> Mapping[str, str]:
    """The statements of `<package>/sql/<name>.sql` by name. A name that stands twice is a ValueError."""
    text = files(package).joinpath("sql", f"{name}.sql").read_text("utf-8")
    parts = _HEAD.split(text)[1:]
    names, bodies = parts[::2], [body.strip() for body in parts[1::2]]
    if len(set(names)) != len(names):
        raise ValueError(f"{package}/sql/{name}.sql names a statement twice")
    return MappingProxyType(dict(zip(names, bodies, strict=True)))


def split_script(script: str) -> Iterator[str]:
    """The statements of a script, one by one.

    `executescript` commits what is open before it starts, so a migration that must share the transaction of its own
    record is fed statement by statement.
    """
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending.strip()
            pending = ""
