"""Sessions asked from a running server of opencode, for those that no database here holds.

A reference has the server's address in the place of a path. Source: the API of 1.18.33 (`GET /doc`). That version
answers 400 for the messages of a session with a structured prompt: such a session cannot be read now, and is not empty.
"""

import hashlib
import math
import time
from collections import Counter, deque
from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from vademecum.errors import SessionUnreadable, UsageError
from vademecum.sessions.addresses import loopback_address
from vademecum.sessions.json_stream import JsonStream
from vademecum.sessions.jsonl import LINE_CAP_BYTES, Line, decode_line
from vademecum.sessions.model import Session, SessionRef
from vademecum.sessions.opencode.asking import answers, asked
from vademecum.sessions.opencode.headings import heading_in, is_id
from vademecum.sessions.opencode.records import Heading, Stored, StoredPart
from vademecum.sessions.opencode.talk import build_session
from vademecum.sessions.reasons import PassedOver

__all__ = ["discover", "holds", "read"]

_HOST = "opencode"
_LIST_SECONDS = 60
_TRANSCRIPT_SECONDS = 60
_LIVENESS_SECONDS = 1
_PAGE = 5000
#: A list without end must not fill the memory.
_MOST_SESSIONS = 100_000
_ROW_BYTES = 256 * 1024
_INFO, _PARTS = b'"info"', b'"parts"'


class _Named(msgspec.Struct):
    id: str = ""


_NAMED = msgspec.json.Decoder(_Named)


def discover(address: str, skipped: Counter[str]) -> list[SessionRef]:
    """The sessions that a server lists, those of helpers left out. Raises SessionUnreadable, UsageError.

    What breaks off in the middle is counted, and what came until then is given.
    """
    address = loopback_address(address)
    if not answers(address):
        raise SessionUnreadable(
            f"no server of {_HOST} answers at {address}",
            next_step=f"Start it (`{_HOST} serve`), or learn from its database: vade learn --from PATH.",
        )
    found: dict[str, SessionRef] = {}
    try:
        for heading, ref in _listed(address, skipped):
            if not heading.parent_id and len(found) < _MOST_SESSIONS:
                found.setdefault(heading.id, ref)
    except SessionUnreadable:
        if not found:
            raise
        skipped[PassedOver.CUT_LIST] += 1
    return list(found.values())


def _listed(address: str, skipped: Counter[str]) -> Iterator[tuple[Heading, SessionRef]]:
    """Page after page, newest first. The server gives sessions that were updated before the cursor, and not at it."""
    end = time.monotonic() + _LIST_SECONDS
    limit, cursor = _PAGE, math.inf
    seen: set[str] = set()
    while (seconds := end - time.monotonic()) > 0 and len(seen) < _MOST_SESSIONS:
        known, count, oldest = len(seen), 0, math.inf
        for heading, ref in _page(address, limit, cursor, seconds, skipped):
            count, oldest = count + 1, min(oldest, _milliseconds(heading))
            if heading.id not in seen:
                seen.add(heading.id)
                yield heading, ref
        if count < limit or oldest == math.inf:
            return
        # Those that share the time at the edge of the page are seen again, so that none is missed.
        if len(seen) > known and oldest + 1 < cursor:
            cursor = oldest + 1
        else:
            limit += _PAGE  # a whole page of one time
    skipped[PassedOver.CUT_LIST] += 1


def _milliseconds(heading: Heading) -> float:
    return round(heading.updated_at.timestamp() * 1000) if heading.updated_at else math.inf


def _page(
    address: str, limit: int, cursor: float, seconds: float, skipped: Counter[str]
) -> Iterator[tuple[Heading, SessionRef]]:
    query = f"roots=true&archived=true&limit={limit}" + ("" if cursor == math.inf else f"&cursor={cursor:.0f}")
    with asked(address, f"/experimental/session?{query}", seconds=seconds) as stream:
        for number, _ in enumerate(stream.items(), 1):
            row = stream.value(_ROW_BYTES)
            if row is None:
                skipped[PassedOver.CAPPED_LINE] += 1
            elif heading := heading_in(row, skipped):
                yield heading, _ref(address, heading, row)
            if number == limit:
                return


def _ref(address: str, heading: Heading, row: bytes) -> SessionRef:
    return SessionRef(
        host=_HOST,
        path=address,
        session_id=heading.id,
        # Time of the last change, tokens and title stand in it; how many messages there are is not told.
        fingerprint=hashlib.sha256(row).hexdigest()[:32],
        modified_at=heading.updated_at or datetime.now(UTC),
    )


def holds(address: str, session_id: str = "") -> bool:
    """Whether a server listens there, and has this session where one is named; asked in a moment."""
    try:
        return answers(address) and (not session_id or _has(address, session_id))
    except (SessionUnreadable, UsageError):
        return False


def _has(address: str, session_id: str) -> bool:
    return _heading(address, session_id, _LIVENESS_SECONDS, Counter()) is not None


def _heading(address: str, session_id: str, seconds: float, skipped: Counter[str]) -> Heading | None:
    if not is_id(session_id):
        raise SessionUnreadable(f"the server at {address} cannot be asked for a session by what is no id")
    with asked(address, f"/session/{session_id}", seconds=seconds) as stream:
        heading = heading_in(stream.value(LINE_CAP_BYTES) or b"", skipped)
    return heading if heading and heading.id == session_id else None


def read(ref: SessionRef, skipped: Counter[str]) -> Session | None:
    """The session with its text as stored. Raises SessionUnreadable wherever not all of its messages came."""
    address = loopback_address(ref.path)
    heading = _heading(address, ref.session_id, _TRANSCRIPT_SECONDS, skipped)
    if heading is None:
        return None
    with asked(address, f"/session/{heading.id}/message", seconds=_TRANSCRIPT_SECONDS) as stream:
        return build_session(heading, _messages(stream, skipped), ref, skipped)


def _messages(stream: JsonStream, skipped: Counter[str]) -> Iterator[Stored]:
    """The messages in order; parts are read one by one while they are iterated."""
    for _ in stream.items():
        yield from _message(stream, skipped)


def _message(stream: JsonStream, skipped: Counter[str]) -> Iterator[Stored]:
    """One message: its head, then its parts. What has another form is no message that would be empty."""
    head: bytes | None = None
    known: list[bytes] = []
    for name in stream.fields():
        known += [name] if name in {_INFO, _PARTS} else []
        if (name, known) == (_INFO, [_INFO]):
            head = _within_cap(stream, skipped)
        elif (name, known) == (_PARTS, [_INFO, _PARTS]):
            parts = _parts(stream, skipped)
            if named := _named_in(head, skipped):
                yield Stored(named.id, head or b"", parts)
            deque(parts, maxlen=0)  # those that nobody asked for
        else:
            stream.value(0)
    if known != [_INFO, _PARTS]:
        raise _strange()


def _strange() -> SessionUnreadable:
    return SessionUnreadable(
        "a message has a form that is not known",
        next_step="If the server is of another version, learn from its database: vade learn --from PATH.",
    )


def _named_in(head: bytes | None, skipped: Counter[str]) -> _Named | None:
    """The head of a message, for its id; None, counted, where it is broken. Raises SessionUnreadable without one."""
    named = None if head is None else decode_line(_NAMED, Line(number=0, data=head), skipped)
    if named and not named.id:
        raise _strange()
    return named


def _parts(stream: JsonStream, skipped: Counter[str]) -> Iterator[StoredPart]:
    for _ in stream.items():
        data = _within_cap(stream, skipped)
        if data is not None:
            # What is broken in it is counted where it is read.
            named = decode_line(_NAMED, Line(number=0, data=data), Counter()) or _Named()
            yield StoredPart(named.id, data)


def _within_cap(stream: JsonStream, skipped: Counter[str]) -> bytes | None:
    data = stream.value(LINE_CAP_BYTES)
    if data is None:
        skipped[PassedOver.CAPPED_LINE] += 1
    return data
