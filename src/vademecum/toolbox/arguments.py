"""What a model may say to a tool: the fields with their meaning, from which schema and validation both come."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec

from vademecum.errors import UsageError

__all__ = ["CALL_AGAIN", "Arguments", "read_arguments", "schema_of"]

_Arguments = TypeVar("_Arguments", bound="Arguments")

CALL_AGAIN = "Call the tool again with the arguments that its schema names."


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arguments of one tool."""


@cache
def schema_of(kind: type[Arguments]) -> Mapping[str, Any]:
    """The JSON Schema of a tool's arguments, in one piece."""
    _, components = msgspec.json.schema_components([kind])
    schema = components[kind.__name__]
    properties = {name: _plain(field) for name, field in schema["properties"].items()}
    return {
        "type": "object",
        "properties": properties,
        "required": schema["required"],
        "additionalProperties": schema["additionalProperties"],
    }


def _plain(field: dict[str, Any]) -> dict[str, Any]:
    """The field as it is when it is given: not every host understands a choice of types, and null is left out."""
    given = next((one for one in field.get("anyOf", ()) if one.get("type") != "null"), None)
    return field if given is None else given


def read_arguments(tool: str, kind: type[_Arguments], arguments: Mapping[str, object]) -> _Arguments:
    """The arguments as a record; one that is null counts as left out. Raises `UsageError`, which names the field."""
    given = {name: value for name, value in arguments.items() if value is not None}
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        message = str(error)
        raise UsageError(f"{tool}: {message[:1].lower()}{message[1:]}", next_step=CALL_AGAIN) from error
