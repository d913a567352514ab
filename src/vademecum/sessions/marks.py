"""Marks inside a session that keep it from being learned, the same for every host."""

from collections.abc import Iterable

from vademecum.sessions.model import Message, Role
from vademecum.sessions.reader import LEARNER_MARK

__all__ = ["IMPORT_MARK", "exclusion_of"]

#: A host writes it where it takes over a conversation of another one, which is learned from there.
IMPORT_MARK = "<EXTERNAL SESSION IMPORTED>"


def exclusion_of(title: str, messages: Iterable[Message]) -> str | None:
    """The value for `Session.exclusion`: learner, import (a copy of another host's session), or None."""
    if LEARNER_MARK in title:
        return "learner"
    opened = False
    for message in messages:
        if message.role is Role.HUMAN and not opened:
            opened = True
            if LEARNER_MARK in message.text:
                return "learner"
        if message.text.lstrip().startswith(IMPORT_MARK):
            return "import"
    return None
