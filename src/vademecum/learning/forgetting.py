"""Forgetting, where learning is concerned: what of the state rests on what a person asked to forget.

The state comes before the files: killed in between, the next consolidation takes out of the files what the state has
let go of, and a second call completes the rest.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    FORGOTTEN_WORDS,
    Forgotten,
    forgotten_hashes,
    forgotten_session,
    format_day,
    parse_archive,
)
from vademecum.learning.sources import Sources, text_of
from vademecum.memfs import Tree
from vademecum.state import RetiredReason, SessionMode, State, Tombstone, TombstoneReason

__all__ = ["forget_bullets", "forget_sessions", "forgotten_sessions"]


def forgotten_sessions(tree: Tree) -> frozenset[str]:
    """Hashes of the sessions that were forgotten, as the archive of this revision lists them."""
    return forgotten_hashes(parse_archive(text_of(tree, ARCHIVE_PATH)))


def forget_sessions(state: State, sessions: Iterable[str], now: datetime) -> None:
    """Retire the records, take their text out, and see that nothing learns these sessions again.

    Where a session was read stays known, so that it is not even opened again.
    """
    with state.transaction():
        for name in sessions:
            state.records.retire(name, RetiredReason.FORGOTTEN)
            state.jobs.forget(name)
            state.modes.set(name, SessionMode.DISABLED, now=now)
            state.usage.forget(name)
            entry = forgotten_session(name, format_day(now))
            state.tombstones.add(
                [Tombstone(key=entry.key, scope=entry.scope, text=entry.text, reason=TombstoneReason.FORGOTTEN, at=now)]
            )


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
