"""Every session that memory has a record of, with how it stands."""

from collections.abc import Collection, Mapping

import msgspec

from vademecum.engine.answers import SessionRow
from vademecum.engine.hiding import which_are_listed
from vademecum.state import CitedKind, RecordHead, RecordState, RetiredReason, SessionMode, State

__all__ = ["session_rows"]


def session_rows(state: State, forgotten: Collection[str] = (), switched_off: Collection[str] = ()) -> list[SessionRow]:
    """Every session with a record, newest first. `forgotten`, `switched_off`: the hashes that the archive lists."""
    counts = {cited: total.count for cited, total in state.usage.totals(CitedKind.SESSION).items()}
    heads = state.records.heads()
    names = [head.session_id for head in heads]
    gone = which_are_listed(names, forgotten)
    off = which_are_listed(names, switched_off)
    modes = {name: mode for mode in SessionMode for name in state.modes.sessions(mode)}
    # What was learned although text from outside came into it, was learned because that was allowed.
    modes |= {head.session_id: SessionMode.ENABLED for head in heads if _is_learned_all_the_same(head, modes)}
    modes |= dict.fromkeys(off, SessionMode.DISABLED)
    return [_row(_as_forgotten(head) if head.session_id in gone else head, modes, counts) for head in heads]


def _is_learned_all_the_same(head: RecordHead, modes: Mapping[str, SessionMode]) -> bool:
    return head.state is RecordState.ACTIVE and modes.get(head.session_id) is SessionMode.POLLUTED


def _as_forgotten(head: RecordHead) -> RecordHead:
    return msgspec.structs.replace(head, state=RecordState.RETIRED, retired_reason=RetiredReason.FORGOTTEN)


def _row(head: RecordHead, modes: dict[str, SessionMode], counts: dict[str, int]) -> SessionRow:
    return SessionRow(
        id=head.session_id,
        host=head.host,
        cwd=head.cwd,
        updated_at=head.updated_at,
        mode=modes.get(head.session_id, SessionMode.ENABLED),
        state=head.state,
        reason=head.retired_reason or "",
        usage_count=counts.get(head.session_id, 0),
    )
