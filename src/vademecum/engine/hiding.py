"""What may not be shown of sessions: those that a person forgot or switched off, by the archive or by the state."""

from collections.abc import Collection, Iterable

from vademecum.artifacts import forgotten_sessions, session_hash, switched_off_sessions
from vademecum.memfs import Tree
from vademecum.recall import SearchIndex, Visibility
from vademecum.state import RetiredReason, SessionMode, State

__all__ = ["kept_away", "take_listed_out", "visibility", "which_are_listed"]

_HIDDEN = frozenset({RetiredReason.FORGOTTEN, RetiredReason.DELETED, RetiredReason.DISABLED, RetiredReason.POLLUTED})


def which_are_listed(sessions: Iterable[str], forgotten: Collection[str]) -> frozenset[str]:
    """Those of these session ids whose hash is among the forgotten ones."""
    return frozenset(name for name in sessions if session_hash(name) in forgotten) if forgotten else frozenset()


def take_listed_out(index: SearchIndex, tree: Tree) -> None:
    """Take the text of sessions that are forgotten at this revision out of the search index."""
    forgotten = forgotten_sessions(tree)
    if forgotten and (gone := which_are_listed(index.sessions(), forgotten)):
        index.forget(*sorted(gone))


def kept_away(tree: Tree) -> frozenset[str]:
    """The hashes of the sessions that a person forgot or switched off."""
    return forgotten_sessions(tree) | switched_off_sessions(tree)


def visibility(state: State, listed: frozenset[str] = frozenset()) -> Visibility:
    """What search may not show: sessions that were switched off, polluted or forgotten.

    `listed`: ids of sessions that the archive lists as forgotten or switched off; the state may not know of it yet.
    """
    gone = frozenset(head.session_id for head in state.records.heads() if head.retired_reason in _HIDDEN)
    return Visibility(hidden_sessions=gone | state.modes.sessions(SessionMode.DISABLED) | listed)
