"""Memory text is UTF-8 without a byte-order mark, with LF line ends: the one place that turns bytes into text."""

import re
from collections.abc import Iterable
from typing import Any, cast

from vademecum.errors import FrontMatterInvalid

__all__ = ["decode", "encodable", "from_outside", "is_shallow", "text_violation"]

#: Lists and maps within each other in a value of a header; no person writes more.
_MOST_NESTED = 50
_HALF = re.compile("[\ud800-\udfff]")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def decode(data: bytes, path: str) -> str:
    """Decode a memory file.

    Raises
    ------
    FrontMatterInvalid: it is UTF-16 (named as such), or not UTF-8.
    """
    if data.startswith(_UTF16_MARKS):
        raise FrontMatterInvalid(f"{path} is UTF-16; save it as UTF-8", paths=(path,))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{path} is not UTF-8 (byte {error.start} is 0x{data[error.start]:02x})"
        raise FrontMatterInvalid(message, paths=(path,)) from error


def from_outside(text: str) -> str:
    """Return text that a tool or a person handed over with the line ends of memory: CRLF becomes LF."""
    return text.replace("\r\n", "\n")


def is_shallow(value: object) -> bool:
    """Say whether a JSON-like value is nested as people nest: what walks through it may then call itself."""
    level = [value]
    for _ in range(_MOST_NESTED):
        level = [inner for one in level for inner in _held(one)]
        if not level:
            return True
    return False


def _held(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[object, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def encodable(value: Any) -> Any:  # noqa: ANN401 (JSON-like)
    """Return a JSON-like value in which every half of a surrogate pair became U+FFFD, so that UTF-8 can hold it."""
    match value:
        case str():
            return _HALF.sub("\ufffd", value)
        case list():
            return [encodable(item) for item in cast("list[Any]", value)]
        case dict():
            return {encodable(key): encodable(item) for key, item in cast("dict[Any, Any]", value).items()}
        case _:
            return value


def text_violation(text: str) -> str | None:
    """Name the first reason why `text` may not be written as a memory file, or None."""
    if text.startswith("\ufeff"):
        return "begins with a byte-order mark"
    if "\r" in text:
        return "has carriage returns; lines end in LF"
    if "\0" in text:
        return "holds a NUL character"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "holds half of a surrogate pair, which UTF-8 cannot store"
    return None
