"""One line of a Claude Code session file and the fields of it that reading rests on."""

import re
from collections import Counter

import msgspec

from vademecum.sessions.jsonl import Line, decode_line, outer_fields
from vademecum.sessions.reasons import PassedOver

__all__ = ["TALKING", "Attachment", "Block", "Entry", "MessageBody", "Sender", "parse"]

#: Line types without talk and without a place in the tree. Many are large, so they are told from their first bytes.
_BOOKKEEPING = frozenset(
    {
        "agent-name",
        "ai-title",
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "atis-latch",
        "cost-state",
        "file-history-snapshot",
        "mode",
        "permission-mode",
        "pr-link",
        "summary",
        "tools-used",
    }
)
_BOOKKEEPING_BYTES = frozenset(name.encode() for name in _BOOKKEEPING)
#: Line types that hold talk.
TALKING = frozenset({"user", "assistant"})
_KNOWN = _BOOKKEEPING | TALKING | {"attachment", "custom-title", "last-prompt", "progress", "queue-operation", "system"}
_TYPE_FIRST = re.compile(rb'\{"type": ?"([a-z-]{1,40})"')


class Block(msgspec.Struct, gc=False):
    """A block of `message.content`: text, tool_use, tool_result, image, thinking, ..."""

    type: str = ""
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = msgspec.Raw()
    tool_use_id: str | None = None
    content: "str | list[Block] | None" = None
    is_error: bool | None = None


class MessageBody(msgspec.Struct, gc=False):
    """What was said to or by the model."""

    #: Shared by all lines of one answer.
    id: str | None = None
    model: str | None = None
    content: str | list[Block] | None = None
    stop_reason: str | None = None


class Sender(msgspec.Struct, gc=False):
    """Whose words a user line or a queued prompt carries."""

    #: human, peer, task-notification, ...
    kind: str | None = None


class Attachment(msgspec.Struct, gc=False, rename="camel"):
    """What the host adds to the conversation; of type queued_command: what was typed while the agent was at work."""

    type: str | None = None
    prompt: msgspec.Raw = msgspec.Raw()
    command_mode: str | None = None
    origin: Sender | None = None


class _Place(msgspec.Struct, gc=False, rename="camel"):
    type: str = ""
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    session_id: str | None = None
    timestamp: str | float | None = None
    cwd: str | None = None
    git_branch: str | None = None
    is_sidechain: bool | None = None


class Entry(_Place, gc=False, rename="camel"):
    """The fields of a line that reading rests on; all others are passed over undecoded."""

    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    is_api_error_message: bool | None = None
    #: "harness" where the host wrote the line itself.
    row_source: str | None = None
    origin: Sender | None = None
    message: MessageBody | None = None
    attachment: Attachment | None = None
    leaf_uuid: str | None = None
    custom_title: str | None = None
    #: Of a queue operation: "absorbed_mid_turn" where the agent has read the words in `content` while at work.
    reason: str | None = None
    content: msgspec.Raw = msgspec.Raw()

    @property
    def is_queued_prompt(self) -> bool:
        """Whether it holds what was typed while the agent was at work."""
        return self.attachment is not None and self.attachment.type == "queued_command"


_ENTRY = msgspec.json.Decoder(Entry)
_PLACE = msgspec.json.Decoder(_Place)


def parse(line: Line, skipped: Counter[str]) -> Entry | None:
    """The line's fields, or None where it carries nothing that reading needs. Unknown types are counted."""
    if line.capped:
        return _outline(line)
    first = _TYPE_FIRST.match(line.data)
    if first is not None and first[1] in _BOOKKEEPING_BYTES:
        return None
    try:
        entry = _ENTRY.decode(line.data)
    except msgspec.ValidationError:
        entry = _placed(line, skipped)
    except (msgspec.DecodeError, RecursionError):
        entry = decode_line(_ENTRY, line, skipped)
    if entry is not None and entry.type not in _KNOWN:
        skipped[PassedOver.UNKNOWN_TYPE] += 1
    return entry


def _placed(line: Line, skipped: Counter[str]) -> Entry | None:
    """The place in the tree of a line whose talk has an unknown shape; other lines may have any shape they like."""
    place = decode_line(_PLACE, line, skipped)
    if place is None:
        return None
    skipped[PassedOver.BROKEN_LINE] += place.type in TALKING
    return Entry(**msgspec.structs.asdict(place))


def _outline(line: Line) -> Entry | None:
    """The place of a capped line in the tree; its words are lost."""
    found = outer_fields(line, ("uuid", "parentUuid", "sessionId", "timestamp", "cwd", "gitBranch"))
    if "uuid" not in found:
        return None
    return Entry(
        type="capped",
        uuid=found["uuid"],
        parent_uuid=found.get("parentUuid"),
        session_id=found.get("sessionId"),
        timestamp=found.get("timestamp"),
        cwd=found.get("cwd"),
        git_branch=found.get("gitBranch"),
    )
