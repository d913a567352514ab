"""Frozen records to rows and back: datetimes as milliseconds, enums by value, mappings and tuples as JSON text."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from vademecum.errors import DatabaseBroken
from vademecum.state.times import from_ms, to_ms

__all__ = ["from_row", "from_rows", "to_row"]

_Record = TypeVar("_Record", bound=msgspec.Struct)
_Value = str | int | float | bytes | None


def to_row(record: msgspec.Struct) -> dict[str, _Value]:
    """The record's fields as SQL parameters under their own names."""
    return {name: _encode(getattr(record, name)) for name in record.__struct_fields__}


def from_row(kind: type[_Record], row: sqlite3.Row) -> _Record:
    """The record of a row whose columns are the fields of `kind`."""
    return from_rows(kind, [row])[0]


def from_rows(kind: type[_Record], rows: Sequence[sqlite3.Row]) -> list[_Record]:
    """The records of many rows of one statement, whose columns are the fields of `kind`."""
    if not rows:
        return []
    names = rows[0].keys()
    try:
        return [kind(**dict(zip(names, values, strict=True))) for values in zip(*_columns(kind, rows), strict=True)]
    except (KeyError, ValueError, TypeError) as error:
        raise DatabaseBroken(f"the database holds a {kind.__name__.lower()} that this version cannot read") from error


def _columns(kind: type[msgspec.Struct], rows: Sequence[sqlite3.Row]) -> list[Sequence[Any]]:
    """The values, decoded column by column: lists are long, and most columns are stored as they are."""
    names = rows[0].keys()
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True))
    for name, decode in _decoders(kind):
        place = names.index(name)
        columns[place] = [None if value is None else decode(value) for value in columns[place]]
    return columns


def _encode(value: object) -> _Value:
    if isinstance(value, datetime):
        return to_ms(value)
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, (dict, tuple)):
        return msgspec.json.encode(value).decode()
    if value is None or isinstance(value, (str, int, float, bytes)):
        return value
    raise TypeError(f"{type(value).__name__} has no form in a row")


@cache
def _decoders(kind: type[msgspec.Struct]) -> tuple[tuple[str, Callable[[Any], object]], ...]:
    """The columns that need turning, with how; the others are stored as they are."""
    found = ((name, _decoder(hint)) for name, hint in get_type_hints(kind).items())
    return tuple((name, decode) for name, decode in found if decode is not None)


def _decoder(hint: object) -> Callable[[Any], object] | None:
    for part in (hint, *get_args(hint)):
        if part is datetime:
            return from_ms
        if isinstance(part, type) and issubclass(part, Enum):
            # A look-up is several times faster than the call of the enum, and lists are long.
            return {member.value: member for member in part}.__getitem__
        if get_origin(part) in (dict, tuple):
            return msgspec.json.Decoder(type=part).decode
    return None
