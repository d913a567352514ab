"""Marks inside a session that keep it from being learned, the same for every host."""

from collections.abc import Iterable

from vademecum.sessions.model import Exclusion, Message, Role

__all__ = ["IMPORT_MARK", "LEARNER_MARK", "exclusion_of"]

#: Stands in the first prompt or the title of every session that one of our own learners runs in a host.
LEARNER_MARK = "vademecum-learner"
#: A host writes it where it takes over a conversation of another one, which is learned from there.
IMPORT_MARK = "<EXTERNAL SESSION IMPORTED>"


def exclusion_of(title: str, messages: Iterable[Message]) -> Exclusion | None:
    """The value for `Session.exclusion` that title and words call for: a learner's, an import, or None."""
    if LEARNER_MARK in title:
        return Exclusion.LEARNER
    opened = False
    for message in messages:
        if message.role is Role.HUMAN and not opened:
            opened = True
            if LEARNER_MARK in message.text:
                return Exclusion.LEARNER
        if message.text.lstrip().startswith(IMPORT_MARK):
            return Exclusion.IMPORT
    return None
