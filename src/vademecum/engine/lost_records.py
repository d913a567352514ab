"""What only the repository knows, before anything is learned: a state that was lost or damaged is filled from it."""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from vademecum.amounts import plural
from vademecum.artifacts import forgotten_sessions
from vademecum.learning import Problem, adopt_rollout_summaries, follow_archive, follow_switched_off, reunite
from vademecum.memfs import Repository
from vademecum.state import State

__all__ = ["FoundRecords", "adopt_lost_records"]

_MEND_ROLLOUT = "Give the file its header back (docs/format.md shows it), or delete it."


class FoundRecords(msgspec.Struct, frozen=True, kw_only=True):
    """What the repository knew and the state did not."""

    #: Files that no record can rest on.
    problems: tuple[Problem, ...] = ()
    #: What became of a state that was damaged or lost, one sentence each.
    rebuilt: tuple[str, ...] = ()


def adopt_lost_records(state: State, repository: Repository, now: datetime) -> FoundRecords:
    """Take in the records that only the repository holds."""
    reunited = reunite(state, repository)
    tree = repository.tree()
    follow_archive(state, tree, now)
    known = sum(state.records.counts().values())
    unreadable = adopt_rollout_summaries(repository, state, now, forgotten=forgotten_sessions(tree))
    follow_switched_off(state, tree)
    adopted = sum(state.records.counts().values()) - known
    return FoundRecords(
        problems=tuple(Problem(what=what, next_step=_MEND_ROLLOUT) for what in unreadable),
        rebuilt=(*((reunited,) if reunited else ()), *_rebuilt(state, adopted)),
    )


def _rebuilt(state: State, adopted: int) -> Iterator[str]:
    if state.rescued:
        yield str(state.rescued)
    elif state.is_new and adopted:
        yield f"{state.path} was missing or empty: it was made anew from the memory repository"
    if adopted and (state.rescued or state.is_new):
        yield f"{plural(adopted, 'learned session')} came from the rollout summaries"
