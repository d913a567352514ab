"""What the archive says of a reset: when memory began anew, and which earlier sessions a person took in since.

## Begun anew
- 2026-11-30 reset: memory began anew at 2026-11-30T18:49:23.120000Z <!-- vade:1c9b77e0aa -->

## Sessions taken in again
- 2026-11-30 enabled: session 77ab... (64 hex digits) <!-- vade:40f1d3a2b6 -->
"""

import hashlib
import re
from datetime import UTC, datetime

from vademecum.artifacts.archive import (
    BEGUN_ANEW,
    TAKEN_IN,
    Removal,
    archive_of,
    session_entry,
    session_hash,
    sessions_in,
    with_entry,
    without_entry,
)
from vademecum.artifacts.times import format_day, parse_time
from vademecum.memfs import Tree

__all__ = ["began_anew_at", "begun_anew_entry", "taken_in_sessions", "with_taken_in"]

_BEGAN = re.compile(r"memory began anew at (\S+)")
_KEY_DIGITS = 10


def begun_anew_entry(moment: datetime) -> Removal:
    """The entry that keeps out what was said up to that moment."""
    # To the last digit: a session of the same second may have gone on after the reset.
    stamp = moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    key = hashlib.sha256(f"vademecum reset\0{stamp}".encode()).hexdigest()[:_KEY_DIGITS]
    text = f"memory began anew at {stamp}"
    return Removal(key=key, scope=BEGUN_ANEW, text=text, reason="reset", day=format_day(moment))


def began_anew_at(tree: Tree) -> datetime | None:
    """When the memory of this revision began anew, the last time; None where it never did."""
    found = (_BEGAN.fullmatch(item.text) for item in archive_of(tree) if item.scope == BEGUN_ANEW)
    moments = (parse_time(match[1]) for match in found if match)
    return max((moment for moment in moments if moment), default=None)


def taken_in_sessions(tree: Tree) -> frozenset[str]:
    """The hashes of the sessions that a person took in at a revision, however old they are."""
    return sessions_in(tree, TAKEN_IN)


def with_taken_in(text: str, session_id: str, since: str | None) -> str:
    """The archive with a session taken in since a day, or not (None); everything else in it stays as it is."""
    rest = without_entry(text, f"enabled: session {session_hash(session_id)}")
    return rest if since is None else with_entry(rest, session_entry(session_id, TAKEN_IN, "enabled", since, at=2))
