"""Commit messages: a subject line, then provenance as trailers that come back unchanged."""

import re
from datetime import UTC, datetime

import pygit2

from vademecum.errors import UsageError
from vademecum.memfs.records import Provenance, Writer

__all__ = ["body_of", "compose", "neutral", "parse_provenance", "signature", "subject_of", "without_trailers"]

_PREFIX = "Vade-"
_NEUTRAL = "(what this commit said was forgotten)"
_EMAIL = "memory@vademecum.invalid"  # RFC 2606: can never be anybody's address
_COMMIT_ID = re.compile(r"\b[0-9a-f]{40}\b")
_TRAILER = re.compile(r"([A-Za-z][A-Za-z0-9-]*): (.*)")


def compose(subject: str, provenance: Provenance) -> str:
    """Build a commit message. White space in the subject, line breaks included, becomes single spaces.

    Raises
    ------
    UsageError: the subject is blank, or a value of the provenance would not fit one line.
    """
    line = " ".join(subject.split())
    if not line:
        raise UsageError("a commit needs a subject")
    trailers = [
        f"{_PREFIX}{name}: {_one_line(name, value)}" for name, value in _fields(provenance) if value is not None
    ]
    return line + "\n\n" + "\n".join(trailers) + "\n"


def subject_of(message: str) -> str:
    """Return the first line of a commit message."""
    return message.lstrip("\n").partition("\n")[0].rstrip()


def body_of(message: str) -> str:
    """Return what stands between the subject and our trailers: what a person added with plain git."""
    _, _, rest = message.strip("\n").partition("\n")
    above, _, last = rest.rpartition("\n\n")
    return (above if _trailers(message) else f"{above}\n\n{last}").strip()


def without_trailers(message: str) -> str:
    """Return all of a message that is not provenance: what somebody said."""
    return _split(message)[0]


def neutral(message: str) -> str:
    """Return a message that keeps the trailers and says nothing else."""
    trailers = _split(message)[1]
    return f"{_NEUTRAL}\n\n{trailers}\n" if trailers else f"{_NEUTRAL}\n"


def parse_provenance(message: str) -> Provenance:
    """Read the trailers back. A commit without ours, or with a writer that we do not know, is the person's own."""
    trailers = _trailers(message)
    turn = trailers.get("Turn", "")
    return Provenance(
        writer=_writer(trailers.get("Writer", "")),
        session=trailers.get("Session"),
        run=trailers.get("Run"),
        turn=int(turn) if turn.isdecimal() else None,
        origin=trailers.get("Origin"),
        undoes=tuple(_COMMIT_ID.findall(trailers.get("Undoes", ""))),
        accepted=trailers.get("Accepted"),
        allowed=trailers.get("Allowed"),
    )


def signature(writer: Writer, at: datetime) -> pygit2.Signature:
    """Author and committer of a commit: the person for hand edits, the program for everything else. Time is UTC."""
    name = "user" if writer is Writer.USER else "vademecum"
    return pygit2.Signature(name, _EMAIL, int(at.astimezone(UTC).timestamp()), 0)


def _fields(provenance: Provenance) -> list[tuple[str, str | None]]:
    return [
        ("Writer", provenance.writer.value),
        ("Session", provenance.session),
        ("Run", provenance.run),
        ("Turn", None if provenance.turn is None else str(provenance.turn)),
        ("Origin", provenance.origin),
        ("Undoes", " ".join(provenance.undoes) or None),
        ("Accepted", provenance.accepted),
        ("Allowed", provenance.allowed),
    ]


def _one_line(name: str, value: str) -> str:
    # Anything else would let a value pose as further trailers, or come back changed.
    if not value.isprintable() or value != value.strip() or not value:
        raise UsageError(f"the {name.lower()} of a commit must be one line of printable text")
    return value


def _trailers(message: str) -> dict[str, str]:
    paragraphs = [part for part in re.split(r"\n[ \t]*\n", message.strip("\n")) if part.strip()]
    if len(paragraphs) < 2:
        return {}
    matches = [_TRAILER.fullmatch(line.rstrip()) for line in paragraphs[-1].splitlines()]
    return {m[1].removeprefix(_PREFIX): m[2] for m in matches if m and m[1].startswith(_PREFIX)}


def _split(message: str) -> tuple[str, str]:
    """The message before its trailers, and these; a paragraph that is only half of trailers is text."""
    body, _, last = message.rstrip("\n").rpartition("\n\n")
    is_trailers = bool(body) and all(_TRAILER.fullmatch(line.rstrip()) for line in last.split("\n"))
    return (body, last) if is_trailers else (message, "")


def _writer(name: str) -> Writer:
    try:
        return Writer(name)
    except ValueError:
        return Writer.USER
