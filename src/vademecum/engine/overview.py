"""What memory knows of sessions, and how an identity stands."""

from collections.abc import Collection, Iterable

import msgspec

from vademecum.artifacts import ARCHIVE_PATH, forgotten_hashes, parse_archive, session_hash
from vademecum.engine.answers import SessionRow
from vademecum.memfs import Tree
from vademecum.recall import SearchIndex, Visibility
from vademecum.state import CitedKind, RecordHead, RecordState, RetiredReason, SessionMode, State

__all__ = [
    "forgotten_in",
    "session_rows",
    "take_listed_out",
    "usage_counts",
    "visibility",
    "waiting",
    "which_are_listed",
]


def forgotten_in(tree: Tree) -> frozenset[str]:
    """Hashes of the sessions that are forgotten at this revision, also where the state does not know of it yet."""
    text = tree.read_bytes(ARCHIVE_PATH).decode(errors="replace") if tree.has(ARCHIVE_PATH) else ""
    return forgotten_hashes(parse_archive(text))


def which_are_listed(sessions: Iterable[str], forgotten: Collection[str]) -> frozenset[str]:
    """Those of these session ids whose hash is among the forgotten ones."""
    return frozenset(name for name in sessions if session_hash(name) in forgotten) if forgotten else frozenset()


def take_listed_out(index: SearchIndex, tree: Tree) -> None:
    """Take the text of sessions that are forgotten at this revision out of the search index."""
    if gone := which_are_listed(index.sessions(), forgotten_in(tree)):
        index.forget(*sorted(gone))


def session_rows(state: State, forgotten: Collection[str] = ()) -> list[SessionRow]:
    """Every session with a record, newest first. `forgotten`: the hashes that the archive lists."""
    counts = {cited: total.count for cited, total in state.usage.for_selection().items()}
    modes = {identifier: mode for mode in SessionMode for identifier in state.modes.sessions(mode)}
    heads = state.records.heads()
    gone = which_are_listed((head.session_id for head in heads), forgotten)
    return [_row(_as_forgotten(head) if head.session_id in gone else head, modes, counts) for head in heads]


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


def waiting(state: State) -> dict[str, int]:
    """What waits for the next pass: reason (as in `learning.Skip`, where it is a session that waits) -> how many."""
    jobs = state.jobs.all("extraction")
    counts: Iterable[tuple[str, int]] = (
        ("to_consolidate", len(state.records.unconsolidated())),
        ("waiting", sum(job.status == "pending" for job in jobs)),
        ("given_up", sum(job.status == "failed" for job in jobs)),
    )
    return {what: count for what, count in counts if count}


def visibility(state: State, listed: frozenset[str] = frozenset()) -> Visibility:
    """What search may not show: sessions that were switched off, polluted or forgotten.

    `listed`: ids of sessions that the archive lists as forgotten; the state may not know of it yet.
    """
    forgotten = (RetiredReason.FORGOTTEN, RetiredReason.DELETED)
    gone = frozenset(head.session_id for head in state.records.heads() if head.retired_reason in forgotten)
    off = state.modes.sessions(SessionMode.DISABLED) | state.modes.sessions(SessionMode.POLLUTED)
    return Visibility(hidden_sessions=gone | off | listed)


def usage_counts(state: State) -> dict[str, int]:
    """Session id or memory path -> how many answers used it."""
    return {cited: total.count for kind in CitedKind for cited, total in state.usage.totals(kind).items()}
