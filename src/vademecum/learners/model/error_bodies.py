"""Errors in the bodies of servers: found where the status says success, read, and understood by their words.

Words are the last resort, for servers that send no code; and only those that speak of a prompt's size, of a model that
there is none of, of a schema or of reasoning. Those of a used-up account stand in `learners/limits_said.py`.
"""

import json
import re
from typing import Any, cast

import httpx2

__all__ = [
    "as_error",
    "message_in",
    "speaks_of_effort",
    "speaks_of_model",
    "speaks_of_schema",
    "speaks_of_size",
    "words_in",
]

_SIZE = re.compile(
    r"(?:prompt|input|request) (?:is |was )?too (?:long|large)|context (?:length|window|size)|maximum context",
    re.IGNORECASE,
)
#: A dot within a name of a model ends no sentence.
_MODEL = re.compile(
    r"\b(?:invalid|unknown|unsupported|not a valid|no such)[ _]model\b(?!'s)"
    r"|\bmodels?\b(?!'s)(?:[^.\n]|\.(?=\S)){0,120}?"
    r"(?:\b(?:not|n't) exist\b|\bnot (?:found|supported|available)\b|\bretired\b|\bdeprecated\b)"
    r"|\bmodel_not_(?:found|supported)\b",
    re.IGNORECASE,
)
_SCHEMA = re.compile(r"response_format|json_schema|json schema|structured output|responseSchema", re.IGNORECASE)
_EFFORT = re.compile(r"reasoning|thinking", re.IGNORECASE)
_SUCCESS, _REFUSED, _END = 200, 400, 600


async def as_error(response: httpx2.Response) -> None:
    """Give an answer that holds an error and no more the status of one, so that it is seen as what it is."""
    if response.status_code != _SUCCESS or "json" not in response.headers.get("content-type", ""):
        return
    body = _object(await response.aread())
    if inner := body.get("error"):
        code = cast("dict[str, Any]", inner).get("code") if isinstance(inner, dict) else None
        response.status_code = code if isinstance(code, int) and _REFUSED <= code < _END else _REFUSED


def message_in(body: object) -> str:
    """The message for a person; empty where there is none."""
    return str(_error_in(body).get("message") or "")


def words_in(body: object) -> str:
    """Message, code, type and status in one line."""
    error = _error_in(body)
    return " ".join(str(error[name]) for name in ("message", "code", "type", "status") if error.get(name))


def speaks_of_size(words: str) -> bool:
    """Whether the prompt is larger than the model can read."""
    return _SIZE.search(words) is not None


def speaks_of_model(words: str) -> bool:
    """Whether there is no model of this name: mistyped, of another server, or retired."""
    return _MODEL.search(words) is not None


def speaks_of_effort(words: str) -> bool:
    """Whether it is refused to be told how long to think."""
    return _EFFORT.search(words) is not None


def speaks_of_schema(words: str) -> bool:
    """Whether the form that was asked for is what is refused."""
    return _SCHEMA.search(words) is not None


def _error_in(body: object) -> dict[str, Any]:
    """`{"error": {...}}`, `{"error": "..."}` and `{"message": ...}` are all in use; some servers send text alone."""
    if isinstance(body, str | bytes):
        text = body if isinstance(body, str) else body.decode(errors="replace")
        # A page for a browser is not what a server has to say; its status tells more.
        body = _object(text) or {"message": "" if text.lstrip().startswith("<") else text}
    fields = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    inner = fields.get("error", fields)
    return cast("dict[str, Any]", inner) if isinstance(inner, dict) else {"message": str(inner)}


def _object(text: str | bytes) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}
