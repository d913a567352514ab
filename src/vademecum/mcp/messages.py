"""JSON-RPC 2.0, one message a line: what a client may send, what it is answered, and what is no message at all."""

import json
from collections.abc import Mapping
from typing import Any, cast

import msgspec

__all__ = [
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "PARSE_ERROR",
    "Id",
    "Invalid",
    "Message",
    "Notification",
    "Request",
    "Response",
    "RpcError",
    "as_error",
    "as_line",
    "as_object",
    "as_result",
    "read_line",
    "read_message",
]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

Id = str | int | float
_Object = Mapping[str, Any]


class RpcError(Exception):
    """A request that is answered with an error; it never leaves this room."""

    def __init__(self, code: int, message: str, data: _Object | None = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Something that has to be answered."""

    id: Id
    method: str
    params: _Object


class Notification(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is never answered."""

    method: str
    params: _Object


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a request of ours."""

    #: None where the client could not read which one.
    id: Id | None
    #: None where the answer is an error.
    result: _Object | None


class Invalid(msgspec.Struct, frozen=True, kw_only=True):
    """JSON that is none of these; it is answered with an error."""

    #: None where it cannot be told.
    id: Id | None
    why: str


Message = Request | Notification | Response | Invalid


def read_line(line: bytes) -> Any:  # noqa: ANN401  JSON is anything
    """The JSON value of a line. Raises RpcError."""
    try:
        return _decoded(line)
    except RecursionError as error:
        raise RpcError(PARSE_ERROR, "this message is nested too deeply") from error
    except ValueError as error:
        raise RpcError(PARSE_ERROR, "this line is not valid JSON in UTF-8") from error


def _decoded(line: bytes) -> Any:  # noqa: ANN401  as above
    try:
        return msgspec.json.decode(line)
    except msgspec.MsgspecError:
        if b"\\u" not in line:
            raise
        # A JavaScript client that cuts a text may escape half of a character, which is JSON and yet no text: with a
        # question mark in its place the request can be answered.
        return msgspec.json.decode(_replaced(json.loads(line)))


def read_message(value: object) -> Message:
    """One message of a line, or of a batch."""
    fields = as_object(value)
    if fields is None:
        return Invalid(id=None, why="a message is an object")
    identifier = fields.get("id")
    known = identifier if isinstance(identifier, Id) and not isinstance(identifier, bool) else None
    if "method" not in fields and {"result", "error"} & set(fields):
        return Response(id=known, result=as_object(fields.get("result")))
    if wrong := _wrong(fields, known):
        return Invalid(id=known, why=wrong)
    params: _Object = fields.get("params") or {}
    if known is None:
        return Notification(method=fields["method"], params=params)
    return Request(id=known, method=fields["method"], params=params)


def _wrong(fields: _Object, known: Id | None) -> str | None:
    """What makes this neither a request nor a notification; None: nothing."""
    checks = {
        "`jsonrpc` is not 2.0": fields.get("jsonrpc") == "2.0",
        "there is no `method`, which is a text": isinstance(fields.get("method"), str),
        "`params` is no object": isinstance(fields.get("params"), dict | None),
        "`id` is neither text nor number": known is not None or "id" not in fields,
    }
    return next((what for what, holds in checks.items() if not holds), None)


def as_object(value: object) -> _Object | None:
    """A JSON value, if it is an object."""
    return cast("_Object", value) if isinstance(value, dict) else None


def as_result(identifier: Id, result: _Object) -> dict[str, Any]:
    """The answer to a request."""
    return {"jsonrpc": "2.0", "id": identifier, "result": result}


def as_error(identifier: Id | None, code: int, message: str, data: _Object | None = None) -> dict[str, Any]:
    """The answer to what could not be done; `identifier` is None where the request could not be read.

    What a client sent is repeated in many of them; a secret in it is not.
    """
    from vademecum.secrets import mask_within  # a server that makes no mistake answers its first message without it

    error = mask_within({"code": code, "message": message, **({"data": data} if data else {})})
    return {"jsonrpc": "2.0", "id": identifier, "error": error}


def as_line(message: object) -> bytes:
    """A message as it goes out."""
    try:
        return msgspec.json.encode(message) + b"\n"
    except UnicodeEncodeError:  # a path that is no text, which the operating system allows
        return _replaced(message) + b"\n"


def _replaced(value: object) -> bytes:
    """JSON with a question mark for every half of a character. Raises ValueError for numbers that are none in JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
