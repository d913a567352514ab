"""Where a session lies, as it may be kept: a path can hold a secret, and what we keep holds none.

Such a path is kept masked, with a hash that tells it from others; by both of them the file is found again.
"""

import glob
import hashlib
import os
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache

from vademecum.sessions.model import SessionRef

__all__ = ["as_kept", "kept_id", "kept_ref", "where_kept"]

_HASH = re.compile(r"#(?P<hash>[0-9a-f]{32})\Z")
#: What parts the words of a name: hosts name folders after the directories that somebody worked in.
_WORD_ENDS = re.compile(r"[-_.+@= ]")


@cache
def as_kept(place: str) -> str:
    """A path, or the name of a session inside of one, as it may be kept; itself, where it holds no secret."""
    # Here, because many who import this room keep nothing.
    from vademecum.secrets import mask

    folder, _, name = place.rpartition("/")  # many lie in one folder, and that is looked at once
    said = "\n".join([place, *_endings(name)])
    if mask(said) == said and (not folder or as_kept(folder) == folder):
        return place
    named = "/".join(_as_kept(name) for name in place.split("/"))
    return f"{mask(named)}#{_hash(place)}"


def _as_kept(name: str) -> str:
    from vademecum.secrets import HIDDEN_NAME, mask

    return HIDDEN_NAME if any(mask(said) != said for said in (name, *_endings(name))) else name


def _endings(name: str) -> Iterator[str]:
    """From each word of a name to its end: a token shows by what stands before it, and here that is any word."""
    return (name[end.end() :] for end in _WORD_ENDS.finditer(name))


def kept_id(session: str) -> str:
    """The id of a session as it may be kept: one that holds a secret is known by its hash."""
    return session if as_kept(session) == session else _hash(session)


def where_kept(place: str) -> str:
    """The path that was kept so, as it is now; the words that were kept, where no such file is there any more."""
    from vademecum.secrets import MARK

    found = _HASH.search(place)
    if found is None:
        return place
    # Not `Path.glob`: that has no way to take a name as it is written.
    pattern = "*".join(map(glob.escape, MARK.split(place[: found.start()])))
    candidates = glob.iglob(pattern, include_hidden=True)  # noqa: PTH207  see above
    return next((path for path in candidates if _hash(path) == found["hash"]), place)


def kept_ref(host: str, path: str, session_id: str, fingerprint: str, *, seen_at: datetime) -> SessionRef:
    """The reference of a session that was kept with this place."""
    return SessionRef(
        host=host,
        path=where_kept(path),
        session_id="" if _HASH.search(session_id) else session_id,
        fingerprint=fingerprint,
        modified_at=seen_at,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:32]
