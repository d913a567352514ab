"""Bring the books to the present revision: what a person removed, brought back, undid or switched off since.

Whoever is about to decide what stands in memory does this first, and all of it: a consolidation, a person who accepts a
proposal, a forgetting. Done again at the same revision it changes nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import msgspec

from vademecum.artifacts import ARCHIVE_PATH, HANDBOOK_PATH
from vademecum.learning.ancestor import ancestor_of
from vademecum.learning.deleted import bury_deleted
from vademecum.learning.forgetting import follow_archive
from vademecum.learning.last_word import bury, let_stand, lift
from vademecum.learning.rollouts import retire_deleted
from vademecum.learning.sources import Sources
from vademecum.learning.switched_off import follow_switched_off
from vademecum.learning.undone import Undo, bury_undone, follow_undos, revive_rejected, with_undos
from vademecum.memfs import Repository, Tree
from vademecum.state import Record, State

__all__ = ["Books", "catch_up"]


class Books(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a revision, once state and revision are at one."""

    #: Artefacts and archive (path -> text) as they were left: what differs at the revision, a person changed.
    ancestor: Mapping[str, str]
    #: The records whose rollout summaries were lost, or renamed, and are to be written again.
    lost: Sequence[Record]


def catch_up(state: State, repository: Repository, tree: Tree, undos: Collection[Undo], now: datetime) -> Books:
    """Bring records and tombstones to this revision.

    `undos`: as `recent_undos` found them before any commit of learning came behind them.
    """
    follow_undos(state, undos, tree)
    follow_archive(state, tree, now)  # before a file that went is taken for a deleted one
    follow_switched_off(state, tree)
    left = ancestor_of(repository)
    revive_rejected(state, undos, tree, left[ARCHIVE_PATH])
    said = Sources(state, tree)  # keeps what it has read of records that lose their words on the way
    gone = bury_deleted(state, repository, undos, tree, left[HANDBOOK_PATH], said)
    lost = retire_deleted(state, repository, tree)
    ancestor = with_undos(repository, undos, left)
    lift(state, tree, ancestor)
    let_stand(state, tree, left, gone)
    bury_undone(state, undos, tree, said)
    bury(state, repository, tree, ancestor, said)
    return Books(ancestor=ancestor, lost=lost)
