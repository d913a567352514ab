"""How a command ends early.

SIGTERM ends it as Ctrl-C does, so that claims are given back and the ledger tells of it. Who goes away from a question
is told how that leaves things.
"""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

import click

__all__ = ["Terminated", "Unanswered", "ends_politely"]


class Terminated(KeyboardInterrupt):
    """The process was asked to end. An interrupt to whoever cleans up: event loops let no other kind through."""


class Unanswered(click.Abort):
    """A person went away from a question (Ctrl-C, Ctrl-D); the message says how things stand."""


@contextmanager
def ends_politely() -> Generator[None]:
    """Raise `Terminated` in the block when SIGTERM comes, also while it waits for a network."""
    former = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)


def _terminate(_signal: int, _frame: FrameType | None) -> NoReturn:
    # Once: a second one must not break the clean-up of the first.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Terminated
