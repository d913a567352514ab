"""While learning is switched off: sessions that begin then are kept out, also when it is switched on again.

What is said meanwhile was said in the belief that nothing remembers it. Sessions that began before are not touched:
they wait for the next pass.
"""

from vademecum.errors import SessionUnreadable
from vademecum.home import IdentityFolder
from vademecum.sessions import Discovery, load
from vademecum.state import SessionMode, State

__all__ = ["keep_out"]


def keep_out(discovery: Discovery, folder: IdentityFolder) -> int:
    """Stamp the sessions that began after the last pass of learning; how many are stamped so."""
    if not folder.state.exists():
        return 0
    with State.open(folder.state) as state:
        last = state.passes.last()
        if last is None:
            return 0
        kept: set[str] = set()
        for ref in discovery.refs:
            if ref.modified_at <= last.at:
                continue
            try:
                session = load(ref)
            except SessionUnreadable:
                continue  # what cannot be read cannot be learned
            is_of_then = session.started_at > last.at and state.records.get(session.id) is None
            if is_of_then and state.modes.stamp(session.id, SessionMode.DISABLED) is SessionMode.DISABLED:
                kept.add(session.id)
    return len(kept)
