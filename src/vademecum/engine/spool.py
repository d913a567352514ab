"""What hooks and plugins leave for learning: ids, paths and times of sessions, never a word of them.

<home>/runtime/spool/<host>.jsonl       one line per event, appended by hooks; taken by the next pass of learning
<home>/runtime/hosts.json               what passes took from it: when each host was seen last, odd transcripts, servers
<home>/runtime/hook.log                 one line for every hook that failed

A hook has no time to look for secrets: a path that holds one stands in the spool as it is until a pass takes it, and
in hosts.json as `sessions.as_kept` writes it.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec

from vademecum import bare
from vademecum.errors import StorageError, UsageError
from vademecum.home import Home
from vademecum.private import make_private_folders, read_plain_file, replace_private_file
from vademecum.sessions import HOSTS, as_kept, is_address, server_holds, where_kept

__all__ = ["SpoolEvent", "hook_failures", "last_seen", "note_event", "refuse_odd_host", "take_spool", "transcripts"]

#: Of the year 9999.
_LAST_SECOND = 253_402_300_799
_HOST = re.compile("[a-z0-9][a-z0-9-]{0,39}")
_MOST_BYTES = 4 * 1024 * 1024
#: Sessions that lie where no reader looks by itself.
_MOST_TRANSCRIPTS = 2000
#: Servers of hosts; each of them that has ended may cost a pass a second.
_MOST_ADDRESSES = 20


class SpoolEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a host."""

    #: Seconds since 1970, UTC.
    at: Annotated[int, msgspec.Meta(ge=0, le=_LAST_SECOND)]
    host: str
    event: str
    session: str = ""
    cwd: str = ""
    #: Where the host keeps the session: a file, or the address of its server; empty where it does not say so.
    transcript: str = ""


class _Hosts(msgspec.Struct, frozen=True, kw_only=True):
    """The content of hosts.json."""

    #: Host -> seconds since 1970, UTC.
    seen: dict[str, int] = {}
    #: Path, as it may be kept, or address -> host, the one named last at the end.
    transcripts: dict[str, str] = {}


_decoder = msgspec.json.Decoder(SpoolEvent)
_hosts_decoder = msgspec.json.Decoder(_Hosts)


def note_event(home: Home, *, host: str, event: str, session: str, cwd: str = "", server: str = "") -> None:
    """Write an event down for the next pass of learning. Raises UsageError, StorageError.

    `server`: the address that the host names as its own. Hosts name one where nobody listens, or another one does; so
    it is kept only where a server answers that has this session.
    """
    if host not in HOSTS:
        raise UsageError(f"there is no host {host!r}", next_step=f"The hosts are {', '.join(HOSTS)}.")
    place = server if server and server_holds(server, session) else ""
    try:
        bare.note_event(str(home.root), host, event, session, cwd, place)
    except OSError as error:
        raise StorageError(f"{_spool(home)} cannot be written: {error.strerror}") from error


def refuse_odd_host(host: str) -> None:
    """The name of a host is part of names of files. Raises UsageError."""
    if not _HOST.fullmatch(host):
        raise UsageError(f"{host!r} is no name of a host", next_step="Use lower-case letters, digits and hyphens.")


def last_seen(home: Home) -> dict[str, datetime]:
    """When each host told of an event last."""
    seen = _with_seen(_kept(home).seen, _waiting(_files(home)))
    return {host: datetime.fromtimestamp(at, UTC) for host, at in sorted(seen.items())}


def hook_failures(home: Home) -> list[str]:
    """The lines of the hooks that failed, oldest first."""
    try:
        text = read_plain_file(home.runtime / "hook.log", most_bytes=_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return []  # nothing failed so far, or nothing can be read
    return text.splitlines()


def transcripts(home: Home) -> dict[str, str]:
    """Path or address -> host of the sessions that hosts named, the newest last."""
    named = _with_named(_kept(home).transcripts, _waiting(_files(home)))
    return {where_kept(place): host for place, host in named.items()}


def _with_seen(known: dict[str, int], events: Iterable[SpoolEvent]) -> dict[str, int]:
    seen = dict(known)
    for event in events:
        seen[event.host] = max(event.at, seen.get(event.host, 0))
    return seen


def _with_named(known: dict[str, str], events: Iterable[SpoolEvent]) -> dict[str, str]:
    named = dict(known)
    for event in events:
        if event.transcript.startswith("/") or is_address(event.transcript):
            place = as_kept(event.transcript)
            named.pop(place, None)
            named[place] = event.host
    return named


def take_spool(home: Home) -> None:
    """Take what waits over into hosts.json. Only one process may do it at a time. Raises StorageError."""
    written = _written(home)
    kept = _as_kept(written)
    there = {place: host for place, host in kept.transcripts.items() if _is_there(where_kept(place))}
    try:
        events = list(_waiting(_taken(home)))  # of a pass that was killed
        for file in _files(home):
            file.replace(file.with_suffix(".taken"))  # what is appended from now on makes a file of its own
        taken = _taken(home)
        events += _waiting(taken)
        now = _Hosts(seen=_with_seen(kept.seen, events), transcripts=_newest(_with_named(there, events)))
        if now != written:
            make_private_folders(home.runtime)
            replace_private_file(_hosts(home), msgspec.json.encode(now) + b"\n")
        for file in taken:
            file.unlink()
    except OSError as error:
        raise StorageError(f"{_spool(home)} cannot be taken in: {error.strerror}") from error


def _is_there(place: str) -> bool:
    return server_holds(place) if is_address(place) else Path(place).is_file()


def _newest(named: dict[str, str]) -> dict[str, str]:
    addresses = list(filter(is_address, named))
    left_out = {*list(named)[:-_MOST_TRANSCRIPTS], *addresses[:-_MOST_ADDRESSES]}
    return {place: host for place, host in named.items() if place not in left_out}


def _spool(home: Home) -> Path:
    return home.runtime / "spool"


def _hosts(home: Home) -> Path:
    return home.runtime / "hosts.json"


def _files(home: Home) -> list[Path]:
    return sorted(_spool(home).glob("*.jsonl")) if _spool(home).is_dir() else []


def _taken(home: Home) -> list[Path]:
    return sorted(_spool(home).glob("*.taken")) if _spool(home).is_dir() else []


def _waiting(files: Iterable[Path]) -> Iterator[SpoolEvent]:
    for file in files:
        yield from _events(file)


def _events(file: Path) -> Iterator[SpoolEvent]:
    try:
        data = read_plain_file(file, most_bytes=_MOST_BYTES, follows_links=False)
    except OSError:
        return  # not written by a hook: nothing waits there
    for line in data.splitlines():
        try:
            event = _decoder.decode(line)
        except msgspec.MsgspecError:
            continue  # cut short by a full disk
        if event.host in HOSTS:
            yield event


def _kept(home: Home) -> _Hosts:
    return _as_kept(_written(home))


def _as_kept(hosts: _Hosts) -> _Hosts:
    """As it is written now: older versions kept any host, and paths as they were told."""
    return _Hosts(
        seen={host: at for host, at in hosts.seen.items() if host in HOSTS},
        transcripts={as_kept(place): host for place, host in hosts.transcripts.items()},
    )


def _written(home: Home) -> _Hosts:
    try:
        return _hosts_decoder.decode(read_plain_file(_hosts(home), most_bytes=_MOST_BYTES))
    except (OSError, msgspec.MsgspecError):
        return _Hosts()  # absent or damaged: it fills again by itself
