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
    "FORGOTTEN_SESSIONS",
    "FORGOTTEN_WORDS",
    "SWITCHED_OFF",
    "Removal",
    "forgotten_hashes",
    "forgotten_session",
    "forgotten_sessions",
    "parse_archive",
    "render_archive",
    "session_hash",
    "switched_off_entries",
    "switched_off_sessions",
    "with_switch",
]

ARCHIVE_PATH = "ARCHIVE.md"
#: The section of forgotten sessions, as a scope.
FORGOTTEN_SESSIONS = "Forgotten sessions"
#: The section of sessions that a person switched off, as a scope.
SWITCHED_OFF = "Sessions switched off"
#: What stands in the place of words that were to be forgotten. A hash of short words could be guessed back.
FORGOTTEN_WORDS = "(these words were forgotten)"
_SESSION = re.compile(r"session ([0-9a-f]{64})")
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
    digest = session_hash(session_id)
    key = digest[:_KEY_DIGITS]
    return Removal(key=key, scope=FORGOTTEN_SESSIONS, text=f"session {digest}", reason="forgotten", day=day)


def forgotten_sessions(tree: Tree) -> frozenset[str]:
    """The hashes of the sessions that are forgotten at a revision, also where a person wrote odd bytes beside them."""
    return forgotten_hashes(parse_archive(_text(tree)))


def switched_off_sessions(tree: Tree) -> frozenset[str]:
    """The hashes of the sessions that a person switched off at a revision."""
    return _hashes(parse_archive(_text(tree)), SWITCHED_OFF)


def switched_off_entries(text: str) -> list[Removal]:
    """The entries of sessions that are switched off, and not forgotten."""
    removals = parse_archive(text)
    forgotten = forgotten_hashes(removals)
    return [
        item
        for item in removals
        if item.scope == SWITCHED_OFF and (found := _SESSION.fullmatch(item.text)) and found[1] not in forgotten
    ]


def with_switch(text: str, session_id: str, off_since: str | None) -> str:
    """The archive with a session switched off since a day, or not (None); everything else in it stays as it is."""
    digest = session_hash(session_id)
    lines = [line for line in (text or _HEAD).split("\n") if f" disabled: session {digest} " not in line]
    heading = f"## {SWITCHED_OFF}"
    if off_since is not None:
        # Another key than that of a forgotten session: a file may come to hold both.
        key = digest[_KEY_DIGITS : 2 * _KEY_DIGITS]
        item = Removal(key=key, scope=SWITCHED_OFF, text=f"session {digest}", reason="disabled", day=off_since)
        if heading not in lines:
            lines = [*"\n".join(lines).rstrip("\n").split("\n"), "", heading, ""]
        lines.insert(lines.index(heading) + 1, _line(item))
    return "\n".join(lines)


def _text(tree: Tree) -> str:
    text = tree.read_bytes(ARCHIVE_PATH).decode(errors="replace") if tree.has(ARCHIVE_PATH) else ""
    return text.replace("\r\n", "\n")


def forgotten_hashes(removals: Iterable[Removal]) -> frozenset[str]:
    """The hashes of all sessions that were forgotten."""
    return _hashes(removals, FORGOTTEN_SESSIONS)


def _hashes(removals: Iterable[Removal], scope: str) -> frozenset[str]:
    found = (_SESSION.fullmatch(item.text) for item in removals if item.scope == scope)
    return frozenset(match[1] for match in found if match)
