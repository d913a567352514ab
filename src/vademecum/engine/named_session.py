"""The one session that `learn` was asked for by its id, or by a beginning that no other has."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

import msgspec

from vademecum.engine.learn import Plan
from vademecum.errors import NotFound, SessionUnreadable
from vademecum.home import IdentityFolder
from vademecum.run_ids import find_id
from vademecum.sessions import Discovery, SessionRef, as_kept, load
from vademecum.state import State

__all__ = ["narrowed"]

#: Host, path and key: where a session lies, as it is kept.
_Place = tuple[str, str, str]


def narrowed(
    work: Plan, discovery: Discovery, beginning: str, identities: Iterable[IdentityFolder]
) -> tuple[Plan, Discovery]:
    """The plan and what was found, for the one session that begins so.

    Raises NotFound where no host has it, UsageError where several begin so.
    """
    ids = _ids(discovery.refs, _known(identities))
    found = find_id(beginning, ids.values(), what="sessions")
    if found is None:
        # What no name tells has to be read.
        ids |= _read(ref for ref in discovery.refs if _place(ref) not in ids)
        found = find_id(beginning, ids.values(), what="sessions")
    if found is None:
        raise NotFound(
            f"no session that begins with {beginning!r} is among the {len(discovery.refs)} that were found",
            next_step="`vade sessions` lists those that memory knows; `--from PATH` looks for it in another place.",
        )
    refs = tuple(ref for ref in discovery.refs if ids.get(_place(ref)) == found)
    return (
        msgspec.structs.replace(work, request=msgspec.structs.replace(work.request, session=found)),
        msgspec.structs.replace(discovery, refs=refs),
    )


def _place(ref: SessionRef) -> _Place:
    return ref.host, as_kept(ref.path), as_kept(ref.session_id)


def _ids(refs: Iterable[SessionRef], known: Mapping[_Place, str]) -> dict[_Place, str]:
    """The ids that can be told without reading a session."""
    told = {_place(ref): ref.session_id or known.get(_place(ref), "") for ref in refs}
    return {place: session for place, session in told.items() if session}


def _known(identities: Iterable[IdentityFolder]) -> dict[_Place, str]:
    known: dict[_Place, str] = {}
    for folder in identities:
        if folder.state.exists():
            with State.read(folder.state) as state:
                known |= {(one.host, one.path, one.session_key): one.session_id for one in state.sources.all()}
    return known


def _read(refs: Iterable[SessionRef]) -> dict[_Place, str]:
    ids: dict[_Place, str] = {}
    for ref in refs:
        with suppress(SessionUnreadable):  # then nobody can tell whose it is
            ids[_place(ref)] = load(ref).id
    return ids
