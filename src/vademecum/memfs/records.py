"""The records of the memory repository: who wrote, what changed, which commit."""

from datetime import datetime
from enum import StrEnum

import msgspec

__all__ = ["Change", "ChangeKind", "Commit", "Provenance", "Writer"]


class Writer(StrEnum):
    """What kind of hand wrote a commit (trailer `Vade-Writer`)."""

    MEMORY_TOOL = "memory-tool"  #: an edit by a person or a model through our tools
    LEARN = "learn"  #: a consolidation
    REFLECT = "reflect"  #: a reflection
    USER = "user"  #: a person's hand edit, or a commit made with plain git
    IMPORT = "import"  #: taken over from another memory
    SYNC = "sync"  #: merged from another machine
    UNDO = "undo"  #: an earlier commit taken back


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Where the words of a commit come from. Each field is one trailer, left out when None."""

    writer: Writer
    #: `Vade-Session`: the host's session id.
    session: str | None = None
    #: `Vade-Run`: the ledger's run id; a landing is found again by it.
    run: str | None = None
    #: `Vade-Turn`: the turn of the session, counted from 1.
    turn: int | None = None
    #: `Vade-Origin`: who said it (`human`, `model`, `tool`, `host`, `import`, `repository`).
    origin: str | None = None
    #: `Vade-Undoes`: the commits that this one takes back, 40 hexadecimal digits each, newest first.
    undoes: tuple[str, ...] = ()
    #: `Vade-Accepted`: who took in what was proposed (`human`); the other fields tell of who wrote it.
    accepted: str | None = None
    #: `Vade-Allowed`: what a person let pass although a check would have refused it (`secret`).
    allowed: str | None = None


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """One commit of the memory repository."""

    #: 40 hexadecimal digits.
    id: str
    #: First line of the message; what looks like a secret in it is masked.
    subject: str
    #: When it was committed, UTC.
    at: datetime
    #: A commit without our trailers counts as the person's own.
    provenance: Provenance
    #: What it changed against its first parent, sorted by code point.
    paths: tuple[str, ...]
    #: The author's name.
    author: str


class ChangeKind(StrEnum):
    """How a path differs between two trees."""

    ADDED = "A"  #: only the newer tree has it
    MODIFIED = "M"  #: both have it, with different content
    DELETED = "D"  #: only the older tree has it


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One path that differs between two trees."""

    path: str
    kind: ChangeKind
