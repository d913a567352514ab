"""Notes: what a person asked to remember, one file per note, never changed or deleted by a learner.

`extensions/ad_hoc/notes/<YYYY-MM-DDTHH-MM-SS>-<slug>.md`. Who said it stands in the header, so that the context can
show it as a pure function of the revision.
"""

from datetime import datetime

import msgspec

from vademecum.artifacts.plain import plain_line
from vademecum.artifacts.rollout_summary import slugify
from vademecum.artifacts.times import format_stem_time, format_time, parse_time
from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import ALLOW_FIELD, front_matter

__all__ = ["MAX_NOTE_CHARACTERS", "NOTES_FOLDER", "Note", "note_path", "parse_note", "render_note"]

NOTES_FOLDER = "extensions/ad_hoc/notes/"
MAX_NOTE_CHARACTERS = 4_000


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """One note as it stands in the memory repository."""

    path: str
    text: str
    #: Who said it; a model's own note stands apart in the context.
    origin: str
    created_at: datetime


def note_path(text: str, created_at: datetime, taken: frozenset[str]) -> str:
    """A free path for this note; later ones of the same second get `-2`, `-3`, ..."""
    slug = slugify(" ".join(text.split()[:8])).replace("_", "-") or "note"
    stem = f"{NOTES_FOLDER}{format_stem_time(created_at)}-{slug}"
    candidates = (f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, 1_000)))
    return next(path for path in candidates if path not in taken)


def render_note(text: str, *, origin: str, created_at: datetime, lets_secret_pass: bool = False) -> str:
    """The file's text; the note stands verbatim in the body.

    `lets_secret_pass`: the person says that what looks like a secret in it may be shown.
    """
    title = plain_line(text, 120)
    meta: dict[str, object] = {"description": title, "created_at": format_time(created_at), "origin": origin}
    if lets_secret_pass:
        meta[ALLOW_FIELD] = True
    return front_matter.render(front_matter.Document(meta=meta, body=text.strip() + "\n"))


def parse_note(path: str, text: str) -> Note:
    """The note in this file. A file that a person wrote without a header is their note as it stands."""
    try:
        document = front_matter.parse(text)
    except FrontMatterInvalid:
        document = front_matter.Document(meta={}, body=text)
    created = parse_time(str(document.meta.get("created_at", ""))) or _time_of_name(path)
    return Note(
        path=path, text=document.body.strip(), origin=str(document.meta.get("origin", "human")), created_at=created
    )


def _time_of_name(path: str) -> datetime:
    name = path.rpartition("/")[2]
    moment = parse_time(f"{name[:10]}T{name[11:19].replace('-', ':')}")
    return moment or datetime.fromisoformat("1970-01-01T00:00:00+00:00")
