"""What the archive says of rejected proposals: which sessions would have come by them, and up to which moment of each.

## Sessions of rejected proposals
- 2026-11-30 rejected: session 77ab... (64 hex digits) as of 2026-11-30T18:49:23Z <!-- vade:c27f10aa35 -->
"""

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec

from vademecum.artifacts.archive import (
    REJECTED_SESSIONS,
    Removal,
    archive_of,
    parse_archive,
    session_entry,
    session_hash,
    with_entry,
    without_entry,
)
from vademecum.artifacts.times import format_time, parse_time
from vademecum.memfs import Tree

__all__ = ["rejected_hash", "rejected_in", "rejected_sessions", "with_rejected", "without_rejected"]

_AS_OF = re.compile(r"(?:.+ rejected: )?session (?P<digest>[0-9a-f]{64}) as of (?P<moment>\S+)")


def rejected_sessions(tree: Tree) -> dict[str, datetime]:
    """Hash -> up to when the session was rejected, at a revision."""
    return _moments(archive_of(tree))


def rejected_in(text: str) -> dict[str, datetime]:
    """Hash -> up to when the session was rejected, in an archive."""
    return _moments(parse_archive(text))


def rejected_hash(line: str) -> str:
    """The hash of the session that a line of the archive says is rejected; empty where it says nothing like it."""
    found = _AS_OF.fullmatch(line)
    return found["digest"] if found else ""


def with_rejected(text: str, session_id: str, until: datetime, day: str) -> str:
    """The archive with a session rejected up to a moment of it; everything else in it stays as it is."""
    entry = session_entry(session_id, REJECTED_SESSIONS, "rejected", day, at=3)
    entry = msgspec.structs.replace(entry, text=f"{entry.text} as of {format_time(until)}")
    return with_entry(without_rejected(text, session_id), entry)


def without_rejected(text: str, session_id: str) -> str:
    """The archive without the rejection of a session; everything else in it stays as it is."""
    return without_entry(text, f"rejected: session {session_hash(session_id)} as of")


def _moments(removals: Iterable[Removal]) -> dict[str, datetime]:
    found = (_AS_OF.fullmatch(item.text) for item in removals if item.scope == REJECTED_SESSIONS)
    moments = ((match["digest"], parse_time(match["moment"])) for match in found if match)
    return {digest: moment for digest, moment in moments if moment}
