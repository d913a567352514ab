"""What a session says of itself as one JSON object: a file of the old tree, or an answer of a server."""

import re
from collections import Counter

import msgspec

from vademecum.sessions.assembly import raw_text
from vademecum.sessions.clock import stored_seconds
from vademecum.sessions.jsonl import Line, decode_line
from vademecum.sessions.opencode.records import Heading, Revert
from vademecum.sessions.reasons import PassedOver

__all__ = ["heading_in", "is_id"]

#: Ids become names of folders and parts of addresses, so nothing else may stand in them.
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")

_NOTHING = msgspec.Raw(b"")


class _Times(msgspec.Struct):
    created: float | None = None
    updated: float | None = None


class _Session(msgspec.Struct):
    id: str
    parentID: str | None = None  # noqa: N815  the host's spelling
    directory: str | None = None
    title: str | None = None
    metadata: msgspec.Raw = _NOTHING
    revert: Revert | None = None
    time: _Times | None = None


_SESSION = msgspec.json.Decoder(_Session)


def is_id(text: str) -> bool:
    """Whether this may be an id of the host's."""
    return _ID.fullmatch(text) is not None


def heading_in(data: bytes, skipped: Counter[str]) -> Heading | None:
    """The heading that an object holds, or None where it is none of a session's."""
    record = decode_line(_SESSION, Line(number=0, data=data), skipped)
    if record is None:
        return None
    if not is_id(record.id):
        skipped[PassedOver.BROKEN_LINE] += 1
        return None
    times, revert = record.time or _Times(), record.revert or Revert()
    return Heading(
        id=record.id,
        parent_id=record.parentID or "",
        directory=record.directory or "",
        title=record.title or "",
        metadata=raw_text(record.metadata),
        revert_message_id=revert.messageID,
        revert_part_id=revert.partID or "",
        created_at=stored_seconds((times.created or 0) / 1000),
        updated_at=stored_seconds((times.updated or 0) / 1000),
    )
