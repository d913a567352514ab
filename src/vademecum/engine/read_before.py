"""Files that a pass has read before: they need not be opened to tell whose format they have.

The state of an identity is asked, where a look at the file gives what it gave then: size and time of the last change.
It is what decides as well whether a session is read again. Where there is no state, or a damaged one, every file is
opened; the pass itself puts a damaged one aside, and says so.
"""

from collections.abc import Iterable
from contextlib import suppress

from vademecum.errors import VademecumError
from vademecum.home import IdentityFolder
from vademecum.sessions import ReadBefore
from vademecum.state import ReadPlace, State

__all__ = ["read_before"]


def read_before(folders: Iterable[IdentityFolder]) -> ReadBefore:
    """What the states of these identities know of files."""
    known: dict[tuple[str, str], tuple[str, str] | None] = {}
    for place in (place for folder in folders for place in _places(folder)):
        look, whose = (place.path, place.look), (place.host, place.session_key)
        # A file that was read for several sessions, or for several hosts, is opened: one reference would not be all.
        known[look] = whose if known.get(look, whose) == whose else None
    return lambda path, fingerprint: known.get((path, fingerprint))


def _places(folder: IdentityFolder) -> list[ReadPlace]:
    if not folder.state.exists() or not folder.state.stat().st_size:
        return []  # opened here, it would not be new any more to the pass
    with suppress(VademecumError), State.read(folder.state, rescues=False) as state:
        return state.sources.places()
    return []
