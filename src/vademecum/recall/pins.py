"""Pins, as the engine uses them: the very bytes that a session was given, until its host compacts it."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from time import time

import msgspec

from vademecum.bare import estimate_tokens, given, inject
from vademecum.recall.compile import Context

__all__ = ["NO_INJECTION", "Injection", "Moment", "drop_old_pins", "drop_pins", "given_to", "pinned"]

#: Hosts keep sessions for about as long; one that goes on later gets the newest block.
_KEPT_DAYS = 60


class Moment(StrEnum):
    """When a host asks for the block of a session."""

    START = "start"  #: the session begins
    RESUME = "resume"  #: it goes on, with what it was given before
    COMPACT = "compact"  #: what it was given is gone from its history
    TURN = "turn"  #: the person said something


class Injection(msgspec.Struct, frozen=True, kw_only=True):
    """What a session is given."""

    #: The block: the same bytes until the host compacts the session.
    text: str
    revision: str
    #: One line, once for every change of memory since; mostly empty.
    notice: str


NO_INJECTION = Injection(text="", revision="", notice="")


def pinned(
    pins: Path, *, host: str, session: str, moment: Moment, revision: str, compiled: Callable[[], str]
) -> Injection:
    """The block that the session has, else the newest one (`revision`, `compiled`), which it then has."""
    text, of_revision, notice, _ = inject(str(pins), host, session, moment.value, (revision, compiled))
    return Injection(text=text, revision=of_revision, notice=notice)


def given_to(pins: Path, *, host: str, session: str) -> Context | None:
    """What the session was given and has still; None where it was given nothing."""
    found = given(str(pins), host, session)
    if found is None:
        return None
    text, revision = found
    size = len(text.encode())
    return Context(revision=revision, text=text, tokens=estimate_tokens(text), bytes=size, sections=(), warnings=())


def drop_pins(pins: Path) -> None:
    """Have every session get the newest block: what stands in the pins may not stand any more."""
    _drop(pins, before=None)


def drop_old_pins(pins: Path) -> None:
    """Let go of sessions that nobody went on with for a long time."""
    _drop(pins, before=time() - _KEPT_DAYS * 24 * 3600)


def _drop(pins: Path, *, before: float | None) -> None:
    for file in pins.glob("*") if pins.is_dir() else ():
        try:
            if before is None or file.stat().st_mtime < before:
                file.unlink()
        except FileNotFoundError:
            continue  # another process was faster
