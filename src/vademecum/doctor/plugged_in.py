"""How every host stands: what is installed, what it would get, when it told of a session and was learned from last."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from vademecum.engine import Memory, last_seen
from vademecum.errors import CannotEdit, VademecumError
from vademecum.findings import Finding, fine, guarded, note, problem
from vademecum.hosts import HOSTS, Host, Places, examine_host, is_plugged_in
from vademecum.state import RecordHead, State

__all__ = ["AREA", "AREAS", "hosts"]

#: What concerns no single host; it stands before those of each.
AREA = "hosts"
AREAS = (AREA, *(host.name for host in HOSTS))


def hosts(memory: Memory, places: Places) -> Iterator[Finding]:
    """One list for all hosts; a host that fails keeps no other from being looked at."""
    folder = os.path.normpath(Path.cwd())
    yield from _all_together(memory, places)
    told, learned = last_seen(memory.home), _learned(memory)
    for host in HOSTS:
        yield from guarded(host.name, examine_host(host, places, memory.home, folder))
        if not _is_in(host, places, memory):
            continue
        for what, times in (("told of a session last on", told), ("learned from last on", learned)):
            if host.name in times:
                yield fine(host.name, f"{what} {times[host.name]:%Y-%m-%d %H:%M} UTC")


def _all_together(memory: Memory, places: Places) -> Iterator[Finding]:
    """What can be said of all: none has memory, or the home is gone that an installation writes into."""
    titles = [host.title for host in HOSTS if _is_in(host, places, memory)]
    if not titles:
        what = "memory is plugged into no agent, so none is given anything"
        yield note(AREA, what, "Run `vade install --all`: it shows what it would change, and asks.")
    elif not memory.home.is_there:
        what = f"the home {memory.home.root} is gone, and memory is plugged into {', '.join(titles)}"
        again = "Bring it back (a disk that is not mounted?), or begin anew with `vade init`."
        yield problem("home", what, again)


def _is_in(host: Host, places: Places, memory: Memory) -> bool:
    try:
        return is_plugged_in(host, places, memory.home)
    except CannotEdit:
        return True  # it was told why its files cannot be read


def _learned(memory: Memory) -> dict[str, datetime]:
    """Host -> when a session of its was learned last."""
    try:
        heads = _heads(memory)
    except VademecumError:
        return {}  # the examination of the state has told why
    last: dict[str, datetime] = {}
    for head in heads:
        last[head.host] = max(head.extracted_at, last.get(head.host, head.extracted_at))
    return last


def _heads(memory: Memory) -> list[RecordHead]:
    if not memory.folder.state.exists():
        return []
    with State.read(memory.folder.state, rescues=False) as state:
        return state.records.heads()
