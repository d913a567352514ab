"""The shapes of Gemini CLI's session records, the same in the log (`.jsonl`) and in the file before it (`.json`).

A line of the log is one of: what is known of the session, a whole message (again, with the same id, whenever more of it
is known), `{"$set": {...}}` with news of the session, `{"$rewindTo": id}`. Source: versions 0.9 to 0.61.
"""

from typing import Any

import msgspec

__all__ = ["FACTS", "LINE", "Call", "Facts", "LogLine", "Message", "Part", "Parts", "Response"]

_NOTHING = msgspec.Raw(b"")


class Response(msgspec.Struct, gc=False):
    """What a tool gave back to the model."""

    #: An object of the tool's own making, with `output` or `error` where it is one of the host's tools.
    response: dict[str, Any] | None = None


class Part(msgspec.Struct, gc=False, rename="camel"):
    """A piece of a message."""

    text: str | None = None
    #: True on the model's thinking.
    thought: bool | None = None
    function_response: Response | None = None
    inline_data: msgspec.Raw = _NOTHING
    file_data: msgspec.Raw = _NOTHING


Parts = str | Part | list[str | Part] | None


class Call(msgspec.Struct, gc=False, rename="camel"):
    """A tool call with what came back."""

    id: str = ""
    name: str = ""
    args: msgspec.Raw = _NOTHING
    result: Parts = None
    status: str = ""


class Message(msgspec.Struct, gc=False, rename="camel"):
    """A message as it stood when it was written."""

    id: str = ""
    timestamp: str | None = None
    type: str = ""
    content: Parts = None
    #: What the person typed, where more than that was sent.
    display_content: Parts = None
    tool_calls: list[Call] | None = None


class Facts(msgspec.Struct, gc=False, rename="camel"):
    """What is known of the session."""

    session_id: str | None = None
    #: SHA-256 of the project's path, in hexadecimal.
    project_hash: str | None = None
    start_time: str | None = None
    last_updated: str | None = None
    #: `main` or `subagent`.
    kind: str | None = None
    directories: list[str] | None = None
    #: A title that a model has made.
    summary: str | None = None
    #: Of a whole file all that was said; of `$set` what the model is shown from there on.
    messages: list[Message] | None = None


class LogLine(Message, gc=False, rename="camel"):
    """A line of the log: a message, or one of the two commands, or neither (then it holds `Facts`)."""

    set: Facts | None = msgspec.field(name="$set", default=None)
    rewind_to: str | None = msgspec.field(name="$rewindTo", default=None)


FACTS = msgspec.json.Decoder(Facts)
LINE = msgspec.json.Decoder(LogLine)
