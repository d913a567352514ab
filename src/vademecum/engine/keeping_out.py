"""While learning is switched off: sessions that begin then are kept out, also when it is switched on again.

What is said meanwhile was said in the belief that nothing remembers it. Sessions that began before are not touched:
they wait for the next pass.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime

from vademecum.errors import SessionUnreadable
from vademecum.home import IdentityFolder
from vademecum.sessions import Discovery, load
from vademecum.state import SessionMode, State

__all__ = ["keep_out"]


def keep_out(discovery: Discovery, folders: Iterable[IdentityFolder], name_of: Callable[[str], str]) -> int:
    """Stamp the sessions that began after the last pass of their identity; how many are stamped so.

    `name_of`: the name of the identity that a working directory belongs to. One that never learned keeps nothing out.
    """
    places = {folder.name: folder for folder in folders}
    last = {name: moment for name, folder in places.items() if (moment := _last_pass(folder))}
    began: defaultdict[str, set[str]] = defaultdict(set)
    for ref in discovery.refs:
        if not last or ref.modified_at <= min(last.values()):
            continue
        try:
            session = load(ref)
        except SessionUnreadable:
            continue  # what cannot be read cannot be learned
        name = name_of(session.cwd)
        if name in last and session.started_at > last[name]:
            began[name].add(session.id)
    return sum(_stamp(places[name], sessions) for name, sessions in began.items())


def _last_pass(folder: IdentityFolder) -> datetime | None:
    if not folder.state.exists():
        return None
    with State.open(folder.state) as state:
        last = state.passes.last()
        return last.at if last else None


def _stamp(folder: IdentityFolder, sessions: Iterable[str]) -> int:
    with State.open(folder.state) as state:
        new = [name for name in sessions if state.records.get(name) is None]
        return sum(state.modes.stamp(name, SessionMode.DISABLED) is SessionMode.DISABLED for name in new)
