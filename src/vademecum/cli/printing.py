"""How everything is printed: no file, id or path that somebody else wrote may move the terminal or hide text.

Only this module writes to the terminal (`tests/unit/cli/test_printing.py`).
"""

import json
import os
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TextIO

import click
import msgspec

__all__ = [
    "AnswerLost",
    "Style",
    "clipped",
    "finish_answer",
    "flat",
    "home_as_tilde",
    "json_line",
    "printable",
    "say",
    "say_exactly",
    "say_json",
    "say_styled",
    "size",
    "warn",
]

_SURROGATES = re.compile("[\ud800-\udfff]")
_KILO = 1_000
_NO_STYLE = "\x1b[0m"


class AnswerLost(Exception):
    """What a command had to say could not be written where it was sent to; what it did is done all the same."""


class Style(StrEnum):
    """How a part of a line looks where the terminal shows colours; the value switches it on (ECMA-48, SGR)."""

    PLAIN = ""  #: as everything else
    STRONG = "\x1b[1m"  #: a name that a person looks for
    FAINT = "\x1b[2m"  #: what is there for machines, or only orients
    ADDED = "\x1b[32m"  #: what came
    REMOVED = "\x1b[31m"  #: what went


def printable(text: str) -> str:
    """The text with every character that moves a terminal, hides text or cannot be written replaced by U+FFFD."""
    from vademecum.artifacts import neutralise  # what only prints its version should not wait for the grammars

    return neutralise(_SURROGATES.sub("\ufffd", text))


def flat(text: str) -> str:
    """The text as one printable line: an id, a path or a subject with a line break in it must not forge a line."""
    return printable(" ".join(text.split()))


def say(text: str = "", *, err: bool = False, file: TextIO | None = None) -> None:
    """Print text for a person."""
    with _told_apart():
        click.echo(printable(text), err=err, file=file)


def say_styled(*parts: tuple[str, Style]) -> None:
    """Print one line made of these parts; plain text where stdout is no terminal or `NO_COLOR` is set."""
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    texts = [(printable(text), style) for text, style in parts]
    line = "".join(f"{style}{text}{_NO_STYLE}" if coloured and style and text else text for text, style in texts)
    with _told_apart():
        click.echo(line, color=coloured)


def warn(text: str) -> None:
    """Print one line on stderr."""
    say(f"warning: {flat(text)}", err=True)


def say_exactly(text: str) -> None:
    """Hand text on as it is, where a program reads it; a terminal gets what it may show."""
    with _told_apart():
        click.echo(printable(text) if sys.stdout.isatty() else text.encode(errors="surrogateescape"), nl=False)


def say_json(shape: object) -> None:
    """Print one object on one line."""
    with _told_apart():
        click.echo(json_line(shape))


def finish_answer() -> None:
    """Hand over what is still buffered."""
    with _told_apart():
        sys.stdout.flush()


@contextmanager
def _told_apart() -> Generator[None]:
    """Tell a failure to print from one of the disk that memory is on."""
    try:
        yield
    except BrokenPipeError:
        raise  # nobody is left to tell
    except OSError as error:
        raise AnswerLost(error.strerror) from error


def json_line(shape: object) -> str:
    """One object as JSON on one line; what a terminal would obey stands escaped in it, so the object stays the same."""
    try:
        text = msgspec.json.encode(shape).decode()
    except UnicodeEncodeError:  # half an escaped emoji, or a file name of other bytes: no UTF-8 can hold it
        text = json.dumps(msgspec.to_builtins(shape), separators=(",", ":"))
    unsafe = {character for character in set(text) if printable(character) != character}
    return text.translate({ord(character): _escape(character) for character in unsafe})


def _escape(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def size(size_bytes: int) -> str:
    """A size in the largest unit of which it has one or more."""
    if size_bytes < _KILO:
        return f"{size_bytes} B"
    amount, unit = size_bytes / _KILO, "KB"
    for larger in ("MB", "GB"):
        if amount < _KILO - 0.05:  # 999.95 would be printed as 1000.0
            break
        amount, unit = amount / _KILO, larger
    return f"{amount:.1f} {unit}"


def home_as_tilde(path: str) -> str:
    """A path as a person writes it: `~` for the home folder."""
    home = str(Path("~").expanduser()).rstrip("/")
    return "~" + path.removeprefix(home) if home and (path == home or path.startswith(f"{home}/")) else path


def clipped(text: str, width: int) -> str:
    """The end of a text that is too wide, after an ellipsis: the end of a path says the most."""
    return text if len(text) <= width else "…" + text[len(text) - width + 1 :]
