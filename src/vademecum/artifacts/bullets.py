"""Bullets: the unit that memory is written, merged, explained and forgotten in.

    - use pnpm here, never npm <!-- vade:3fa91c07be 0199a000-1111#t4 0199a000-2222#t9.2 -->

The comment carries the stable key and the sources: the first one for ever, later ones added behind it. A source is a
session with turn and ordinal, or the path of a note. `edited` behind the key says that the words are a person's and
stay. A superseded bullet says so in its text and is not injected.
"""

import hashlib
import re

import msgspec

from vademecum.artifacts.plain import plain_line

__all__ = [
    "MAX_SOURCES",
    "Bullet",
    "bullet_key",
    "parse_bullet",
    "render_bullet",
    "session_of",
    "session_source",
    "spelled_session",
    "strip_marks",
]

#: Characters of one bullet; a person's own rewording may be as long.
MAX_TEXT = 4_000
#: How many sources one bullet names: the first, and the newest of the others.
MAX_SOURCES = 6

_MARK = re.compile(
    r"[ \t]*<!-- vade:(?P<key>[0-9a-f]{10})(?P<edited> edited)?(?P<sources>(?: [^\s<>]+)*) -->[ \t]*$", re.MULTILINE
)
_LINE = re.compile(r"^- (?P<text>\S.*)$")
_SUPERSEDED = re.compile(r"^\[superseded (?P<day>\d{4}-\d{2}-\d{2})\] ")


class Bullet(msgspec.Struct, frozen=True, kw_only=True):
    """One line of memory."""

    #: One line of markdown, without the mark.
    text: str
    #: Ten hex digits; empty for a bullet that a person added by hand.
    key: str = ""
    #: Where it was first said, then where it was said again.
    sources: tuple[str, ...] = ()
    #: The day (`2026-11-05`) on which a newer statement took its place, else empty.
    superseded: str = ""
    #: A person reworded it: no rendering changes the text again.
    edited: bool = False


def session_source(session_id: str, turn: int, ordinal: int = 1) -> str:
    """How a bullet names one statement of a session: `<id>#t4`, or `<id>#t4.2` for the second of a turn."""
    safe = spelled_session(session_id)
    return f"{safe}#t{turn}" if ordinal == 1 else f"{safe}#t{turn}.{ordinal}"


def session_of(source: str) -> str:
    """The id of the session that a source names, as sources spell it; empty for a note, which is a path."""
    return source.rpartition("#t")[0]


def spelled_session(session_id: str) -> str:
    """How the sources of bullets spell a session id."""
    return re.sub(r"[\s<>#]", "_", session_id)


def bullet_key(scope: str, first_source: str) -> str:
    """The stable key: a hash of the scope (project path, or empty for everywhere) and the first source."""
    return hashlib.sha256(f"{scope}\0{first_source}".encode()).hexdigest()[:10]


def render_bullet(bullet: Bullet) -> str:
    """The line, without a newline."""
    text = plain_line(bullet.text, MAX_TEXT)
    if bullet.superseded:
        text = f"[superseded {bullet.superseded}] {text}"
    if not bullet.key:
        return f"- {text}"
    first, rest = bullet.sources[:1], bullet.sources[1:]
    sources = "".join(f" {source}" for source in (*first, *rest[-(MAX_SOURCES - 1) :]))
    edited = " edited" if bullet.edited else ""
    return f"- {text} <!-- vade:{bullet.key}{edited}{sources} -->"


def parse_bullet(line: str) -> Bullet | None:
    """The bullet on this line, or None where the line is none."""
    match = _LINE.match(line)
    if match is None:
        return None
    mark = _MARK.search(match["text"])
    text = _MARK.sub("", match["text"]) if mark else match["text"]
    day = _SUPERSEDED.match(text)
    return Bullet(
        text=text[day.end() :].strip() if day else text.strip(),
        key=mark["key"] if mark else "",
        sources=tuple(mark["sources"].split()) if mark else (),
        superseded=day["day"] if day else "",
        edited=bool(mark and mark["edited"]),
    )


def strip_marks(text: str) -> str:
    """The text without bullet marks, as a reader wants to see it."""
    return _MARK.sub("", text) if "<!-- vade:" in text else text
