"""Forgetting, where learning is concerned: what of the state rests on what a person asked to forget.

The commit decides: its archive lists the forgotten sessions by hash, and the bullets that went. Whatever ends a process
after it, or keeps a state from knowing (a lost database, another machine), `follow_archive` brings the state to it.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    FORGOTTEN_WORDS,
    Forgotten,
    forgotten_session,
    forgotten_sessions,
    format_day,
    parse_archive,
    removals_in,
    session_hash,
)
from vademecum.learning.last_word import exhume
from vademecum.learning.sources import Sources, text_of
from vademecum.memfs import Tree
from vademecum.state import RetiredReason, SessionMode, State, Tombstone, TombstoneReason

__all__ = ["follow_archive", "forget_bullets", "forget_sessions", "has_followed"]


def forget_sessions(state: State, sessions: Iterable[str], now: datetime) -> None:
    """Retire the records, take their text out, and see that nothing learns these sessions again.

    Where a session was read stays known, so that it is not even opened again; so does the day on which it was forgotten
    first: to forget it again brings nothing new.
    """
    with state.transaction():
        known = {stone.key for stone in state.tombstones.all() if stone.reason is TombstoneReason.FORGOTTEN}
        for name in sessions:
            _let_go(state, name, now)
            entry = forgotten_session(name, format_day(now))
            if entry.key not in known:
                stone = Tombstone(
                    key=entry.key, scope=entry.scope, text=entry.text, reason=TombstoneReason.FORGOTTEN, at=now
                )
                state.tombstones.add([stone])


def follow_archive(state: State, tree: Tree, now: datetime) -> list[str]:
    """Bring the state to what the archive of this revision lists as forgotten; the sessions that were still known."""
    listed = forgotten_sessions(tree)
    with state.transaction():
        heads = state.records.heads() if listed else []
        known = (head.session_id for head in heads if head.retired_reason is not RetiredReason.FORGOTTEN)
        gone = [name for name in known if session_hash(name) in listed]
        for name in gone:
            _let_go(state, name, now)
        exhume(state, tree)
        state.tombstones.add(_silenced_by_archive(state, tree))
    return gone


def has_followed(state: State, tree: Tree) -> bool:
    """Whether the state knows of everything that the archive of this revision lists as removed."""
    known = {stone.key for stone in state.tombstones.all()}
    return all(entry.key in known for entry in removals_in(text_of(tree, ARCHIVE_PATH)))


def _let_go(state: State, session: str, now: datetime) -> None:
    state.records.retire(session, RetiredReason.FORGOTTEN)
    state.jobs.forget(session)
    state.modes.set(session, SessionMode.DISABLED, now=now)
    state.usage.forget(session)


def _silenced_by_archive(state: State, tree: Tree) -> Iterator[Tombstone]:
    """Tombstones of removals that rest on less in the archive than here, and may have lost their words there."""
    listed = {(entry.key, entry.day): entry for entry in parse_archive(text_of(tree, ARCHIVE_PATH))}
    for stone in state.tombstones.all():
        entry = listed.get((stone.key, format_day(stone.at)))
        if entry and set(entry.sources) < set(stone.sources):
            yield msgspec.structs.replace(stone, text=entry.text, sources=entry.sources)


def forget_bullets(state: State, gone: Mapping[str, str], forgotten: Forgotten, said: Sources, now: datetime) -> None:
    """Bullets that rested on it only stay away; what a person had removed before loses its words and sources.

    `gone`: key -> the scope that the bullet stood in.
    """
    former = [_silenced(stone, forgotten, said) for stone in state.tombstones.all()]
    state.tombstones.add(
        [
            *(stone for stone in former if stone),
            *(
                Tombstone(
                    key=key,
                    scope=scope,
                    text=FORGOTTEN_WORDS,
                    reason=TombstoneReason.FORGOTTEN,
                    at=now,
                )
                for key, scope in gone.items()
            ),
        ]
    )


def _silenced(stone: Tombstone, forgotten: Forgotten, said: Sources) -> Tombstone | None:
    """The tombstone without what was forgotten; None where it rests on nothing of that."""
    rest = forgotten.rest(stone.sources)
    if rest == stone.sources:
        return None
    words = filter(None, map(said.words, rest))
    text = stone.text if any(one in stone.text for one in words) else FORGOTTEN_WORDS
    return msgspec.structs.replace(stone, sources=rest, text=text)
