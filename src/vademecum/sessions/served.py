"""Sessions of a running server beside those that lie in files: what a store here holds is read from there."""

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from vademecum.sessions.addresses import loopback_address
from vademecum.sessions.discovery import Discovery, Looked, discover
from vademecum.sessions.model import SessionRef
from vademecum.sessions.registry import listed_at

__all__ = ["with_server"]


def with_server(
    found: Discovery, address: str, *, hosts: Collection[str] | None, environ: Mapping[str, str], home: Path
) -> Discovery:
    """What was found, and the sessions of these hosts (None: all) that the server at an address lists.

    One that stands in the host's own folders too is given as it lies there, once: they tell all of it at any time,
    which a server does not. Raises UsageError for an address that is not of this machine, SessionUnreadable.
    """
    skipped = Counter(found.skipped)
    address = loopback_address(address)
    listed = [ref for ref in listed_at(address, skipped) if hosts is None or ref.host in hosts]
    known = {_key(ref) for ref in found.refs}
    new = [ref for ref in listed if _key(ref) not in known]
    stored = _stored({ref.host for ref in new}, environ, home)
    refs = [stored.get(_key(ref), ref) for ref in new]
    return msgspec.structs.replace(
        found,
        refs=(*found.refs, *refs),
        looked=(*found.looked, Looked(host="", path=address, exists=True)),
        skipped=dict(skipped),
    )


def _stored(hosts: Collection[str], environ: Mapping[str, str], home: Path) -> dict[tuple[str, str], SessionRef]:
    if not hosts:
        return {}
    found = discover(hosts=hosts, sources=None, environ=environ, home=home)
    return {_key(ref): ref for ref in found.refs}


def _key(ref: SessionRef) -> tuple[str, str]:
    return ref.host, ref.session_id
