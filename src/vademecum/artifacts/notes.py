"""Notes: what somebody asked to remember, one file per note, never changed or deleted by a learner.

`extensions/ad_hoc/notes/<YYYY-MM-DDTHH-MM-SS>-<slug>.md`. Who said it stands in the header, so that the context can
show it as a pure function of the revision, on every machine. One that a model wrote by itself is unconfirmed: its
header holds a digest of its words, so that a person who edits them has confirmed it, whatever they edit it with.
"""

import hashlib
from collections.abc import Iterator
from datetime import datetime

import msgspec

from vademecum.artifacts.headings import without_memory_headings
from vademecum.artifacts.plain import plain_line
from vademecum.artifacts.rollout_summary import slugify
from vademecum.artifacts.times import format_stem_time, format_time, parse_time
from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import ALLOW_FIELD, Tree, front_matter

__all__ = [
    "MAX_NOTE_CHARACTERS",
    "NOTES_FOLDER",
    "UNCONFIRMED_DAYS",
    "Note",
    "confirmed_note",
    "note_path",
    "parse_note",
    "render_note",
    "unconfirmed_notes",
]

NOTES_FOLDER = "extensions/ad_hoc/notes/"
MAX_NOTE_CHARACTERS = 4_000
#: How long a note that an agent wrote by itself stays where nobody confirms it.
UNCONFIRMED_DAYS = 14
_HUMAN = "human"
_DIGEST_DIGITS = 16


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """One note as it stands in the memory repository."""

    path: str
    #: What it says: the body without headings of memory files, which say nothing and would say something elsewhere.
    text: str
    #: Who said it: `human` where these are a person's words, or where a person confirmed them.
    origin: str
    created_at: datetime
    #: The session in which an agent wrote it down; empty where a person did.
    session: str = ""

    @property
    def is_unconfirmed(self) -> bool:
        """Whether an agent wrote it by itself: it stands apart, is no input of learning, and expires."""
        return self.origin != _HUMAN


def note_path(text: str, created_at: datetime, taken: frozenset[str]) -> str:
    """A free path for this note; later ones of the same second get `-2`, `-3`, ..."""
    slug = slugify(" ".join(text.split()[:8])).replace("_", "-") or "note"
    stem = f"{NOTES_FOLDER}{format_stem_time(created_at)}-{slug}"
    candidates = (f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, 1_000)))
    return next(path for path in candidates if path not in taken)


def render_note(
    text: str, *, origin: str, created_at: datetime, session: str = "", lets_secret_pass: bool = False
) -> str:
    """The file's text; the note stands verbatim in the body.

    `lets_secret_pass`: the person says that what looks like a secret in it may be shown.
    """
    body = text.strip()
    meta: dict[str, object] = {
        "description": plain_line(text, 120),
        "created_at": format_time(created_at),
        "origin": origin,
    }
    if session:
        meta["session"] = session
    if origin != _HUMAN:
        meta["words"] = _digest(body)
    if lets_secret_pass:
        meta[ALLOW_FIELD] = True
    return front_matter.render(front_matter.Document(meta=meta, body=body + "\n"))


def confirmed_note(text: str, confirmed_at: datetime) -> str:
    """The file of an unconfirmed note after a person said that it is right. Raises FrontMatterInvalid."""
    document = front_matter.parse(text)
    meta = {name: value for name, value in document.meta.items() if name != "words"}
    meta |= {"origin": _HUMAN, "confirmed_at": format_time(confirmed_at)}
    return front_matter.render(front_matter.Document(meta=meta, body=document.body))


def parse_note(path: str, text: str) -> Note:
    """The note in this file. A file that a person wrote without a header is their note as it stands."""
    try:
        document = front_matter.parse(text)
    except FrontMatterInvalid:
        document = front_matter.Document(meta={}, body=text)
    meta, body = document.meta, document.body.strip()
    is_edited = "words" in meta and str(meta["words"]) != _digest(body)
    return Note(
        path=path,
        text=without_memory_headings(body).strip(),
        origin=_HUMAN if is_edited else str(meta.get("origin", _HUMAN)),
        created_at=parse_time(str(meta.get("created_at", ""))) or _time_of_name(path),
        session=str(meta.get("session", "")),
    )


def unconfirmed_notes(tree: Tree) -> Iterator[Note]:
    """The notes of a revision that an agent wrote by itself."""
    for path in tree.below(NOTES_FOLDER):
        text = tree.read_bytes(path).decode(errors="replace").replace("\r\n", "\n")
        if (note := parse_note(path, text)).is_unconfirmed:
            yield note


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:_DIGEST_DIGITS]


def _time_of_name(path: str) -> datetime:
    name = path.rpartition("/")[2]
    moment = parse_time(f"{name[:10]}T{name[11:19].replace('-', ':')}")
    return moment or datetime.fromisoformat("1970-01-01T00:00:00+00:00")
