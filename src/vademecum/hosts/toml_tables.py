"""Change one table in a TOML file; every other byte stays.

A TOML text is a row of statements: a header, an entry, a comment, a blank line. Where one ends is asked of the
standard parser: an entry that goes on in the next line is one that does not parse yet. New text is written by tomlkit;
the whole is read again at the end, and must say what was meant and nothing else.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec

from vademecum.errors import CannotEdit
from vademecum.hosts.plain import table_of

__all__ = ["put_table", "read_tables", "take_table"]

_Keys = tuple[str, ...]
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class _Statement(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    #: The table that it opens or stands in.
    table: _Keys
    #: The key of an entry, below its table; empty for a header, a comment and a blank line.
    key: _Keys = ()
    is_header: bool = False


def read_tables(text: str | None) -> dict[str, Any]:
    """The tables of a text. Raises CannotEdit with the line."""
    try:
        return tomllib.loads(text or "")
    except tomllib.TOMLDecodeError as error:
        raise CannotEdit(f"this is no TOML: {error}") from error


def put_table(text: str | None, name: _Keys, values: Mapping[str, Any], mark: str) -> str:
    """Put a table with these values at the end, below the comment line `mark`, or bring it up to date where it stands.

    A value None is one that must not stand there. Further entries of a table are the person's and stay.
    Raises CannotEdit.
    """
    text = text or ""
    tables = read_tables(text)
    there = _at(tables, name)
    if there is not None and all(there.get(key) == value for key, value in values.items()):
        return text
    wanted = {key: value for key, value in {**(there or {}), **values}.items() if value is not None}
    changed = _appended(text, name, wanted, mark) if there is None else "".join(_updated(text, name, there, values))
    return _checked(changed, _expected(tables, name, wanted))


def take_table(text: str | None, name: _Keys, mark: str) -> str | None:
    """Take a table out with all below it; comments that are not ours stay. Raises CannotEdit."""
    tables = read_tables(text)
    if not text or _at(tables, name) is None:
        return text
    kept: list[str] = []
    for statement in _statements(text):
        if statement.text.strip() == mark:
            if kept and not kept[-1].strip():
                kept.pop()  # the line that was left blank above it
        elif not _is_within(statement, name):
            kept.append(statement.text)
    ours = _at(tables, name[:-1])
    if ours is not None:
        del ours[name[-1]]
    return _checked("".join(kept), tables, loosely=name[:-1])


def _at(tables: dict[str, Any], name: _Keys) -> dict[str, Any] | None:
    for key in name:
        below: object = tables.get(key)
        if not isinstance(below, dict):
            return None
        tables = cast("dict[str, Any]", below)
    return tables


def _expected(tables: dict[str, Any], name: _Keys, values: Mapping[str, Any]) -> dict[str, Any]:
    """The tables with this one in them. Raises CannotEdit where something else stands in its way."""
    table = tables
    for key in name[:-1]:
        below: object = table.setdefault(key, {})
        if not isinstance(below, dict):
            raise _not_ours(f"{key} is no table")
        table = cast("dict[str, Any]", below)
    table[name[-1]] = dict(values)
    return tables


def _appended(text: str, name: _Keys, values: Mapping[str, Any], mark: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    block = f"{mark}\n[{'.'.join(name)}]\n{_entries(values)}".replace("\n", newline)
    return f"{text}{gap}{block}"


def _entries(values: Mapping[str, Any]) -> str:
    import tomlkit

    lines = tomlkit.document()
    for key, value in values.items():
        below = table_of(value)
        lines[key] = tomlkit.inline_table() if below else value
        for name, word in below.items():
            lines[key][name] = word  # pyright: ignore[reportIndexIssue]  the table above
    return tomlkit.dumps(lines)


def _updated(text: str, name: _Keys, there: dict[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
    newline = "\r\n" if "\r\n" in text else "\n"
    stale = {key for key, value in values.items() if there.get(key) != value}
    missing = {key: values[key] for key in values if key not in there and values[key] is not None}
    for statement in _statements(text):
        key = statement.key[0] if statement.table == name and statement.key else None
        if key not in stale:
            yield statement.text
        elif values[key] is not None:
            yield _entries({key: values[key]}).replace("\n", newline)
        if statement.is_header and statement.table == name:
            yield _entries(missing).replace("\n", newline)


def _is_within(statement: _Statement, name: _Keys) -> bool:
    if not statement.is_header and not statement.key:
        return False
    return (*statement.table, *statement.key)[: len(name)] == name


def _statements(text: str) -> Iterator[_Statement]:
    """Cut a text that parses into its statements; joined they are the text."""
    table: _Keys = ()
    pending = ""
    for line in _LINE.findall(text):
        pending += line
        try:
            value = tomllib.loads(pending)
        except tomllib.TOMLDecodeError:
            continue  # goes on in the next line
        path = _only_path(value)
        is_header = pending.lstrip().startswith("[")
        table = path if is_header else table
        yield _Statement(text=pending, table=table, key=() if is_header else path, is_header=is_header)
        pending = ""


def _only_path(value: Any) -> _Keys:  # noqa: ANN401  what a statement says
    """The keys that lead to all of it."""
    path: _Keys = ()
    while len(table := table_of(value)) == 1:
        ((key, value),) = table.items()
        path = (*path, key)
    return path


def _checked(text: str, expected: dict[str, Any], *, loosely: _Keys = ()) -> str:
    """The text, where it says what is expected. `loosely`: tables that may be missing where nothing is in them."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_ours(str(error)) from error
    for tables in (found, expected):
        _prune(tables, loosely)
    if _plain(found) != _plain(expected):
        raise _not_ours("it is written in a form that this program does not change")
    return text


def _prune(tables: dict[str, Any], name: _Keys) -> None:
    for depth in range(len(name), 0, -1):
        if _at(tables, name[:depth]) == {}:
            above = _at(tables, name[: depth - 1]) if depth > 1 else tables
            assert above is not None
            del above[name[depth - 1]]


def _plain(tables: dict[str, Any]) -> str:
    """Compares as TOML does: a value that is not a number equals itself, and 1 is not 1.0."""
    return json.dumps(tables, sort_keys=True, default=repr)


def _not_ours(reason: str) -> CannotEdit:
    return CannotEdit(
        f"the entry for this program cannot be changed: {reason}",
        next_step="Take the entry `vademecum` out of the file by hand, then run the same command again.",
    )
