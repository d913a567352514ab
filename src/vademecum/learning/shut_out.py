"""Sessions that were read before and are shut out by a person's word: they are not called learned."""

from vademecum.learning.eligibility import Skip, Window, why_shut_out
from vademecum.state import SessionMode, State

__all__ = ["Place", "shut_out_places"]

#: Host, path and key: where a session lies, as it is kept.
Place = tuple[str, str, str]


def shut_out_places(state: State, window: Window) -> dict[Place, Skip]:
    """Every place whose session a person does not want learned, with the reason."""
    off = state.modes.sessions(SessionMode.DISABLED)
    shuts = window.forgotten or window.switched_off or window.rejected or window.began_anew_at or off
    if not shuts:
        return {}
    ended = {head.session_id: head.updated_at for head in state.records.heads()}
    found: dict[Place, Skip] = {}
    for source in state.sources.all():
        mode = SessionMode.DISABLED if source.session_id in off else None
        # Of a session without a record nobody knows when it ended; it had not gone on when it was read.
        reason = why_shut_out(source.session_id, ended.get(source.session_id, source.seen_at), mode, window)
        if reason is not None:
            found[source.host, source.path, source.session_key] = reason
    return found
