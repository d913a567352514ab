"""The file of settings: read as tables, changed one entry at a time with its comments and order kept."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from vademecum.errors import ConfigError
from vademecum.private import make_private_folders, read_plain_file, replace_private_file

__all__ = ["entries", "put", "read_tables", "take_out"]

#: Nobody writes so many settings or routes by hand.
_MOST_BYTES = 4 * 1024 * 1024


def read_tables(path: Path) -> dict[str, Any]:
    """Everything in the file; nothing where there is none. Raises ConfigError where it is no TOML or unreadable."""
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is no TOML: {error}", paths=(str(path),)) from error


def entries(tables: Mapping[str, Any], table: str) -> dict[str, Any]:
    """What stands in a table; nothing where a plain value stands in its place."""
    content = tables.get(table)
    return cast("dict[str, Any]", content) if isinstance(content, dict) else {}


def put(path: Path, table: str, name: str, value: bool | int | str) -> None:
    """Write one entry. Raises ConfigError."""
    document = _document(path, table)
    document.setdefault(table, {})[name] = value
    _store(path, document)


def take_out(path: Path, table: str, name: str) -> bool:
    """Take one entry out; whether it stood there. Raises ConfigError."""
    document = _document(path, table)
    if name not in document.get(table, {}):
        return False
    del document[table][name]
    _store(path, document)
    return True


def _document(path: Path, table: str) -> dict[str, Any]:
    """The file with its comments and order. Raises ConfigError where it cannot take the table."""
    if not isinstance(read_tables(path).get(table, {}), dict):
        raise ConfigError(f"{path}: {table} is a plain value, no table", paths=(str(path),))
    import tomlkit

    return tomlkit.parse(_text(path))


def _store(path: Path, document: dict[str, Any]) -> None:
    import tomlkit

    make_private_folders(path.parent)
    replace_private_file(path, tomlkit.dumps(document).encode())


def _text(path: Path) -> str:
    try:
        return read_plain_file(path, most_bytes=_MOST_BYTES).decode().replace("\r\n", "\n")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}", paths=(str(path),)) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} cannot be read: {error}", paths=(str(path),)) from error
