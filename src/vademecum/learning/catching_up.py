"""Before anything is written: what a person removed, brought back or undid since the last consolidation."""

from collections.abc import Collection

from vademecum.learning.ancestor import ancestor_of
from vademecum.learning.last_word import bury, exhume, lift
from vademecum.learning.undone import Undo, bury_undone, with_undos
from vademecum.memfs import Repository, Tree
from vademecum.state import State

__all__ = ["catch_up"]


def catch_up(state: State, repository: Repository, tree: Tree, undos: Collection[Undo]) -> dict[str, str]:
    """Bring the tombstones to the present revision.

    Returns artefacts and archive (path -> text) as they were left: what differs at that revision, a person changed.
    """
    ancestor = with_undos(repository, undos, ancestor_of(repository))
    exhume(state, tree)
    lift(state, tree, ancestor)
    bury_undone(state, undos, tree)
    bury(state, repository, tree, ancestor)
    return ancestor
