"""What the commands that edit memory share: text from stdin, the reason, and how the answer is printed."""

import sys
from collections.abc import Callable
from typing import Any

import click
import msgspec

from vademecum.cli.authority import own_word_option, tell_whose
from vademecum.cli.options import identity_option, json_option
from vademecum.cli.printing import clipped, flat, say, say_json
from vademecum.engine import AskedBy, Edit
from vademecum.errors import UsageError

__all__ = ["decoded", "edit_options", "reason_or", "say_edit", "text_or_stdin"]

_SHOWN_PATH_CHARACTERS = 100

_reason_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--reason", metavar="TEXT", help="Why, in one line; the subject of the commit (default: what is done)."
)


def edit_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every edit takes."""
    for option in (json_option, identity_option, own_word_option, _reason_option):
        function = option(function)
    return function


def text_or_stdin(text: str) -> str:
    """The argument itself, or what stdin holds where it is `-`. Raises UsageError for what is no text."""
    return decoded(sys.stdin.buffer.read(), "stdin") if text == "-" else text


def decoded(data: bytes, source: str) -> str:
    """Bytes from outside as text. Raises UsageError, which names the source."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{source} is not UTF-8 text (byte {error.start})") from error


def reason_or(reason: str | None, verb: str, *paths: str) -> str:
    """The reason that was given, else what is done."""
    named = (clipped(flat(path), _SHOWN_PATH_CHARACTERS) for path in paths)
    return " ".join([verb, *named]) if reason is None else reason


def say_edit(edit: Edit, asked_by: AskedBy, *, as_json: bool) -> None:
    """Print the answer to an edit, and whose it was taken for."""
    if as_json:
        say_json(msgspec.to_builtins(edit))
    else:
        say(edit.message)
    tell_whose(asked_by)
