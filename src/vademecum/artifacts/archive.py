"""The archive, `ARCHIVE.md`: what a person removed, so that it stays away on every machine and without any database.

# Archive
What a person removed from memory. It stays away; it is searched, not injected.

## /srv/demo
- 2026-11-05 deleted: use npm here <!-- vade:3fa91c07be 0199a000-1111#t4 -->

The sources of the bullet stay with it: by them what it rested on is known again. What was forgotten leaves neither
words nor sources behind. A session that was forgotten stands in a section of its own, by a hash of its id:

## Forgotten sessions
- 2026-11-05 forgotten: session 1f0c... (64 hex digits) <!-- vade:1f0c3a9b7e -->

So does one that a person switched off for memory; the entry goes when they switch it on again:

## Sessions switched off
- 2026-11-05 disabled: session 77ab... (64 hex digits) <!-- vade:5dd01e2c40 -->

More decisions stand in sections of their own: `begun_anew` has those of a reset, `rejected` those on proposals.
"""

import hashlib
import re
from collections.abc import Iterable
from itertools import groupby

import msgspec

from vademecum.artifacts.bullets import Bullet, parse_bullet, render_bullet
from vademecum.artifacts.handbook import EVERYWHERE
from vademecum.artifacts.sections import parse_sections
from vademecum.memfs import Tree

__all__ = [
    "ARCHIVE_PATH",
    "BEGUN_ANEW",
    "FORGOTTEN_SESSIONS",
    "FORGOTTEN_WORDS",
    "REJECTED_SESSIONS",
    "SWITCHED_OFF",
    "TAKEN_IN",
    "Removal",
    "archive_of",
    "day_of_entry",
    "decisions",
    "forgotten_hashes",
    "forgotten_session",
    "forgotten_sessions",
    "parse_archive",
    "removals_in",
    "render_archive",
    "session_entry",
    "session_hash",
    "sessions_in",
    "switched_off_sessions",
    "with_entry",
    "with_switch",
    "without_entry",
]

ARCHIVE_PATH = "ARCHIVE.md"
#: The section of forgotten sessions, as a scope.
FORGOTTEN_SESSIONS = "Forgotten sessions"
#: The section of sessions that a person switched off, as a scope.
SWITCHED_OFF = "Sessions switched off"
#: The section of the moment of a reset, as a scope.
BEGUN_ANEW = "Begun anew"
#: The section of sessions of before a reset that a person takes in all the same, as a scope.
TAKEN_IN = "Sessions taken in again"
#: The section of sessions that would have come by a rejected proposal, as a scope.
REJECTED_SESSIONS = "Sessions of rejected proposals"
#: What only the archive knows: no tombstone of the state stands for an entry of these.
_DECISIONS = frozenset({SWITCHED_OFF, BEGUN_ANEW, TAKEN_IN, REJECTED_SESSIONS})
#: What stands in the place of words that were to be forgotten. A hash of short words could be guessed back.
FORGOTTEN_WORDS = "(these words were forgotten)"
_SESSION = re.compile(r"session ([0-9a-f]{64})(?: as of \S+)?")
_KEY_DIGITS = 10
_HEAD = "# Archive\nWhat a person removed from memory. It stays away; it is searched, not injected.\n"
_ENTRY = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2}) (?P<reason>[a-z]+): (?P<text>.+)")


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """One bullet that stays away."""

    key: str
    #: The project it stood in; empty: everywhere.
    scope: str
    text: str
    #: How it was removed, in a word.
    reason: str
    #: `2026-11-05`.
    day: str
    #: What the bullet rested on.
    sources: tuple[str, ...] = ()


def render_archive(removals: Iterable[Removal]) -> str:
    """The file: by scope, then by day and key, so that the same removals give the same bytes."""
    ordered = sorted(removals, key=lambda item: (item.scope, item.day, item.key))
    groups = (
        "\n".join([f"\n## {scope or EVERYWHERE}", *map(_line, items)])
        for scope, items in groupby(ordered, key=lambda item: item.scope)
    )
    return _HEAD + "".join(f"{group}\n" for group in groups)


def _line(item: Removal) -> str:
    text = f"{item.day} {item.reason}: {item.text}"
    return render_bullet(Bullet(text=text, key=item.key, sources=item.sources))


def parse_archive(text: str) -> list[Removal]:
    """The removals in this file; other lines are passed over."""
    found: list[Removal] = []
    for section in parse_sections(text):
        scope = "" if section.title == EVERYWHERE else section.title
        found += [
            Removal(key=bullet.key, scope=scope, sources=bullet.sources, **entry.groupdict())
            for bullet in filter(None, map(parse_bullet, section.lines))
            if bullet.key and (entry := _ENTRY.fullmatch(bullet.text))
        ]
    return found


def session_hash(session_id: str) -> str:
    """By which a forgotten session is known again, and its id cannot be told."""
    return hashlib.sha256(f"vademecum forgotten session\0{session_id}".encode()).hexdigest()


def forgotten_session(session_id: str, day: str) -> Removal:
    """The entry that keeps a session from being learned again, on every machine."""
    return session_entry(session_id, FORGOTTEN_SESSIONS, "forgotten", day, at=0)


def session_entry(session_id: str, scope: str, reason: str, day: str, *, at: int) -> Removal:
    """The entry of a session in one of the sections of sessions.

    `at`: which stretch of the hash is its key, another one in each section: a session may come to stand in several.
    """
    digest = session_hash(session_id)
    key = digest[at * _KEY_DIGITS : (at + 1) * _KEY_DIGITS]
    return Removal(key=key, scope=scope, text=f"session {digest}", reason=reason, day=day)


def forgotten_sessions(tree: Tree) -> frozenset[str]:
    """The hashes of the sessions that are forgotten at a revision, also where a person wrote odd bytes beside them."""
    return sessions_in(tree, FORGOTTEN_SESSIONS)


def switched_off_sessions(tree: Tree) -> frozenset[str]:
    """The hashes of the sessions that a person switched off at a revision."""
    return sessions_in(tree, SWITCHED_OFF)


def sessions_in(tree: Tree, scope: str) -> frozenset[str]:
    """The hashes of the sessions in one of the sections of sessions, at a revision."""
    return _hashes(archive_of(tree), scope)


def day_of_entry(tree: Tree, scope: str, session_id: str) -> str:
    """The day of a session's newest entry in one of the sections of sessions; empty where it has none."""
    digest = session_hash(session_id)
    days = (item.day for item in archive_of(tree) if item.scope == scope and _session_of(item) == digest)
    return max(days, default="")


def decisions(text: str) -> list[Removal]:
    """The entries that the archive alone knows of, without those of sessions that were forgotten since."""
    removals = parse_archive(text)
    forgotten = forgotten_hashes(removals)
    return [item for item in removals if item.scope in _DECISIONS and _session_of(item) not in forgotten]


def removals_in(text: str) -> list[Removal]:
    """The entries that a tombstone of the state stands for."""
    return [item for item in parse_archive(text) if item.scope not in _DECISIONS]


def with_switch(text: str, session_id: str, off_since: str | None) -> str:
    """The archive with a session switched off since a day, or not (None); everything else in it stays as it is."""
    rest = without_entry(text, f"disabled: session {session_hash(session_id)}")
    if off_since is None:
        return rest
    return with_entry(rest, session_entry(session_id, SWITCHED_OFF, "disabled", off_since, at=1))


def with_entry(text: str, item: Removal) -> str:
    """The archive with one entry more, on top of its section; everything else in it stays as it is."""
    lines, heading = (text or _HEAD).split("\n"), f"## {item.scope}"
    if heading not in lines:
        lines = [*"\n".join(lines).rstrip("\n").split("\n"), "", heading, ""]
    lines.insert(lines.index(heading) + 1, _line(item))
    return "\n".join(lines)


def without_entry(text: str, words: str) -> str:
    """The archive without the entries of these words (`disabled: session 77ab...`)."""
    return "\n".join(line for line in (text or _HEAD).split("\n") if f" {words} " not in line)


def archive_of(tree: Tree) -> list[Removal]:
    """The entries at a revision, also where a person wrote odd bytes beside them."""
    text = tree.read_bytes(ARCHIVE_PATH).decode(errors="replace") if tree.has(ARCHIVE_PATH) else ""
    return parse_archive(text.replace("\r\n", "\n"))


def forgotten_hashes(removals: Iterable[Removal]) -> frozenset[str]:
    """The hashes of all sessions that were forgotten."""
    return _hashes(removals, FORGOTTEN_SESSIONS)


def _hashes(removals: Iterable[Removal], scope: str) -> frozenset[str]:
    return frozenset(filter(None, (_session_of(item) for item in removals if item.scope == scope)))


def _session_of(item: Removal) -> str:
    """The hash of the session that an entry is of; empty where it is of none."""
    found = _SESSION.fullmatch(item.text)
    return found[1] if found else ""
