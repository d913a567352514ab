"""The lines of a Codex rollout file: which kinds there are, and their shapes.

A line is `{"timestamp", "ordinal"?, "type", "payload"}`. Most bytes of a file lie in lines that carry no talk, so
`kind_of` tells the kind from the first bytes, and only the kinds that matter are decoded.
"""

import re
from typing import TypeAlias, cast

import msgspec

__all__ = [
    "BARE",
    "BARE_ITEM",
    "BARE_META",
    "EVENT",
    "ITEM",
    "META",
    "OLD_FILE",
    "SILENT_ITEMS",
    "SILENT_LINES",
    "TURN",
    "Bare",
    "Content",
    "Event",
    "Item",
    "Kind",
    "Meta",
    "OldOutput",
    "Turn",
    "kind_of",
    "source_name",
]

#: Line types without talk: bookkeeping, and twins of what other lines say.
SILENT_LINES = frozenset(
    {
        b"agent_response_observation",
        b"inter_agent_communication_metadata",
        b"realtime_item",
        b"retained_context",
        b"security_risk_score",
        b"token_usage_record",
        b"world_state",
    }
)
#: Item types without talk.
SILENT_ITEMS = frozenset(
    {b"compaction", b"compaction_summary", b"context_compaction", b"ghost_snapshot", b"other", b"reasoning"}
)

_NOTHING = msgspec.Raw(b"")
_NAME = re.compile(rb'\s*\{?\s*"(\w{1,64})"')

#: The envelope ends before this.
_ENVELOPE_BYTES = 512
#: The envelope, as far as the type of what it holds. Hosts write the keys in this order.
_ENVELOPE = re.compile(
    rb'\s*\{\s*"timestamp"\s*:\s*"([^"\\]{0,64})"\s*,\s*(?:"ordinal"\s*:\s*\d{1,20}\s*,\s*)?'
    rb'"type"\s*:\s*"(\w{1,64})"\s*,\s*"payload"\s*:\s*(?:\{\s*"type"\s*:\s*"(\w{1,64})")?'
)


#: Of a line: its timestamp, its type, and the type inside its payload (None where that does not stand first).
Kind: TypeAlias = tuple[bytes, bytes, bytes | None]


def kind_of(data: bytes) -> Kind | None:
    """The kind of a line in an envelope, without decoding it; None where it does not begin like one."""
    match = _ENVELOPE.match(data, 0, _ENVELOPE_BYTES)
    return None if match is None else cast("Kind", match.groups())


class Content(msgspec.Struct, gc=False):
    """One piece of a message or of an output."""

    type: str = ""
    text: str | None = None


class OldOutput(msgspec.Struct):
    """An output in files of 2025."""

    content: str | None = None
    success: bool | None = None


class Action(msgspec.Struct):
    """What a built-in tool does."""

    command: list[str] | None = None
    query: str | None = None


class Item(msgspec.Struct, gc=False):
    """A `response_item`: a message, a call, or what came back."""

    type: str = ""
    id: str | None = None
    role: str | None = None
    phase: str | None = None
    content: str | list[Content] | None = None
    call_id: str | None = None
    name: str | None = None
    namespace: str | None = None
    #: JSON text inside a JSON string; an object for some built-in tools.
    arguments: msgspec.Raw = _NOTHING
    input: str | None = None
    action: Action | None = None
    output: str | list[Content] | OldOutput | None = None
    provenance: msgspec.Raw = msgspec.field(default=_NOTHING, name="internal_chat_message_metadata_passthrough")


class Git(msgspec.Struct):
    """The repository at the start."""

    branch: str | None = None


class Meta(msgspec.Struct):
    """A `session_meta`, or the first line of a file of 2025."""

    id: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    source: msgspec.Raw = _NOTHING
    thread_source: msgspec.Raw = _NOTHING
    memory_mode: str | None = None
    git: Git | None = None


class Turn(msgspec.Struct):
    """A `turn_context`."""

    turn_id: str | None = None
    cwd: str | None = None


class Event(msgspec.Struct):
    """An `event_msg`, or the line of a compaction or of a message between agents, as far as it matters."""

    type: str = ""
    turn_id: str | None = None
    message: str | None = None
    content: str | None = None
    num_turns: int | None = None


class _ItemLine(msgspec.Struct, gc=False):
    payload: Item


class _MetaLine(msgspec.Struct):
    payload: Meta


class _TurnLine(msgspec.Struct):
    payload: Turn


class _EventLine(msgspec.Struct):
    payload: Event


class Bare(msgspec.Struct):
    """A line that begins like nothing known: an envelope with its keys in another order, or a bare item of 2025."""

    type: str = ""
    timestamp: str | None = None
    record_type: str | None = None
    id: str | None = None
    payload: msgspec.Raw = _NOTHING


class OldFile(msgspec.Struct):
    """A file of 2025 that is one JSON object."""

    session: Meta
    items: list[msgspec.Raw] = []


ITEM = msgspec.json.Decoder(_ItemLine)
META = msgspec.json.Decoder(_MetaLine)
TURN = msgspec.json.Decoder(_TurnLine)
EVENT = msgspec.json.Decoder(_EventLine)
BARE = msgspec.json.Decoder(Bare)
BARE_ITEM = msgspec.json.Decoder(Item)
BARE_META = msgspec.json.Decoder(Meta)
OLD_FILE = msgspec.json.Decoder(OldFile)


def source_name(raw: msgspec.Raw) -> str:
    """The kind of a `source`: the name it is, or the first key of the object it is (`{"subagent": ...}`)."""
    match = _NAME.match(bytes(raw))
    return match[1].decode("ascii", "replace") if match else ""
