"""The shapes of opencode's records.

First schema, the same in the database and in the JSON tree before it: a session has a heading and messages; a message
is a small object with the role; what was said lies in its parts. Source: opencode 1.2 to 1.18, columns `message.data`
and `part.data`. Second schema: a session has a heading and entries, each whole in one object. Source: opencode 2.0,
column `session_message.data`.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec

__all__ = [
    "ENTRY",
    "HEAD",
    "METADATA",
    "PART",
    "QUESTIONS",
    "REVERT",
    "Content",
    "Entry",
    "Failure",
    "File",
    "Head",
    "Heading",
    "Part",
    "Question",
    "Questions",
    "Revert",
    "State",
    "Stored",
    "StoredEntry",
    "StoredPart",
    "Time",
    "ToolMetadata",
    "ToolState",
]

_NOTHING = msgspec.Raw(b"")


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """What a session says of itself."""

    id: str
    parent_id: str
    #: The session whose beginning this one has taken over; empty where it began anew.
    fork_of: str = ""
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


class StoredEntry(msgspec.Struct, frozen=True):
    """An entry of the second schema as it is stored."""

    id: str
    type: str
    #: In milliseconds since 1970.
    created_ms: float
    data: bytes


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


class Content(msgspec.Struct):
    """A piece of an entry or of what a tool gave back."""

    type: str = ""
    text: str | None = None
    #: Of a tool.
    id: str | None = None
    name: str | None = None
    state: "ToolState | None" = None


class Failure(msgspec.Struct):
    """What went wrong."""

    message: str = ""


class ToolState(msgspec.Struct):
    """How far a tool call is, and what came back."""

    status: str = ""
    #: The arguments as an object; while they still arrive, the beginning of their text.
    input: msgspec.Raw = _NOTHING
    content: list[Content] = []
    error: Failure | None = None


class File(msgspec.Struct):
    """A file that the user added to a prompt."""

    name: str | None = None
    mime: str | None = None


class Entry(msgspec.Struct):
    """An entry of any type."""

    text: str | None = None
    files: list[File] | None = None
    content: list[Content] | None = None
    #: Of a compaction.
    summary: str | None = None
    #: Of a command that the user ran.
    command: str | None = None
    output: str | None = None


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
ENTRY = msgspec.json.Decoder(Entry)
