"""The shapes of opencode's V1 records, the same in the database and in the JSON tree before it.

A session has a heading and messages; a message is a small object with the role; what was said lies in its parts.
Source: opencode 1.2 to 1.18, columns `message.data` and `part.data`.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec

__all__ = [
    "HEAD",
    "METADATA",
    "PART",
    "QUESTIONS",
    "REVERT",
    "Head",
    "Heading",
    "Part",
    "Question",
    "Questions",
    "Revert",
    "State",
    "Stored",
    "StoredPart",
    "Time",
    "ToolMetadata",
]

_NOTHING = msgspec.Raw(b"")


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """What a session says of itself."""

    id: str
    parent_id: str
    directory: str
    title: str
    #: Free JSON text that programs may leave at a session.
    metadata: str
    #: Messages from this id on were taken back by the user; empty where none were.
    revert_message_id: str
    #: Inside that message, only parts from this id on; empty: the whole message.
    revert_part_id: str
    created_at: datetime | None
    updated_at: datetime | None


class Revert(msgspec.Struct):
    """What the user took back: from this message on, or from this part of it on."""

    messageID: str = ""  # noqa: N815  the host's spelling
    partID: str | None = None  # noqa: N815  the host's spelling


class StoredPart(msgspec.Struct, frozen=True):
    """A part as it is stored."""

    id: str
    data: bytes


class Stored(msgspec.Struct, frozen=True):
    """A message as it is stored; its parts are fetched while they are iterated."""

    id: str
    data: bytes
    parts: Iterable[StoredPart]


class Time(msgspec.Struct):
    """When, in milliseconds since 1970."""

    created: float | None = None


class Head(msgspec.Struct):
    """A message without its parts."""

    role: str = ""
    time: Time | None = None
    #: True on the reply that summarises for a compaction; an object (changed files) on user messages.
    summary: msgspec.Raw = _NOTHING


class State(msgspec.Struct):
    """How far a tool call is, and what came back."""

    status: str = ""
    input: msgspec.Raw = _NOTHING
    output: str | None = None
    error: str | None = None
    metadata: msgspec.Raw = _NOTHING


class Part(msgspec.Struct):
    """A part of any type."""

    type: str = ""
    text: str | None = None
    synthetic: bool | None = None
    ignored: bool | None = None
    tool: str | None = None
    callID: str | None = None  # noqa: N815  the host's spelling
    state: State | None = None
    filename: str | None = None
    mime: str | None = None
    name: str | None = None
    prompt: str | None = None


class Question(msgspec.Struct):
    """One question of the `question` tool."""

    question: str = ""


class Questions(msgspec.Struct):
    """The input of the `question` tool."""

    questions: list[Question] = []


class ToolMetadata(msgspec.Struct):
    """What tools say beside their output."""

    exit: int | None = None
    #: Per question of the `question` tool, the options that the user chose or typed.
    answers: list[list[str]] | None = None


REVERT = msgspec.json.Decoder(Revert)
HEAD = msgspec.json.Decoder(Head)
PART = msgspec.json.Decoder(Part)
QUESTIONS = msgspec.json.Decoder(Questions)
METADATA = msgspec.json.Decoder(ToolMetadata)
