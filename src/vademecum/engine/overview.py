"""What memory knows of sessions, and how an identity stands."""

from collections.abc import Iterable

from vademecum.engine.answers import SessionRow
from vademecum.recall import Visibility
from vademecum.state import CitedKind, RecordHead, RetiredReason, SessionMode, State

__all__ = ["session_rows", "usage_counts", "visibility", "waiting"]


def session_rows(state: State) -> list[SessionRow]:
    """Every session with a record, newest first."""
    counts = {cited: total.count for cited, total in state.usage.for_selection().items()}
    modes = {identifier: mode for mode in SessionMode for identifier in state.modes.sessions(mode)}
    return [_row(head, modes, counts) for head in state.records.heads()]


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


def waiting(state: State) -> dict[str, int]:
    """What waits for the next pass: reason (as in `learning.Skip`, where it is a session that waits) -> how many."""
    jobs = state.jobs.all("extraction")
    counts: Iterable[tuple[str, int]] = (
        ("to_consolidate", len(state.records.unconsolidated())),
        ("waiting", sum(job.status == "pending" for job in jobs)),
        ("given_up", sum(job.status == "failed" for job in jobs)),
    )
    return {what: count for what, count in counts if count}


def visibility(state: State) -> Visibility:
    """What search may not show: sessions that were switched off, polluted or forgotten."""
    forgotten = (RetiredReason.FORGOTTEN, RetiredReason.DELETED)
    gone = frozenset(head.session_id for head in state.records.heads() if head.retired_reason in forgotten)
    off = state.modes.sessions(SessionMode.DISABLED) | state.modes.sessions(SessionMode.POLLUTED)
    return Visibility(hidden_sessions=gone | off)


def usage_counts(state: State) -> dict[str, int]:
    """Session id or memory path -> how many answers used it."""
    return {cited: total.count for kind in CitedKind for cited, total in state.usage.totals(kind).items()}
