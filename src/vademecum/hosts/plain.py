"""What a host's file holds, asked without trust: a value of another kind counts as nothing."""

from typing import Any, cast

__all__ = ["list_of", "table_of", "text_of", "words_of"]


def table_of(value: object) -> dict[str, Any]:
    """An object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    """A list, else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def text_of(value: object) -> str:
    """A text, else an empty one."""
    return value if isinstance(value, str) else ""


def words_of(value: object) -> tuple[str, ...]:
    """The texts of a list."""
    return tuple(word for word in list_of(value) if isinstance(word, str))
