"""The person has the last word: what they reworded, deleted or added in an artefact outlives every consolidation."""

from datetime import UTC, datetime

from vademecum.artifacts import (
    EVERYWHERE,
    HANDBOOK_PATH,
    SUMMARY_PATH,
    Bullet,
    HandEdits,
    apply_hand_edits,
    hand_edits,
    parse_bullet,
    parse_sections,
)
from vademecum.memfs import Tree
from vademecum.state import State, Tombstone, TombstoneReason

__all__ = ["bury", "put_back"]

_ARTEFACTS = (HANDBOOK_PATH, SUMMARY_PATH)


def bury(state: State, tree: Tree, ancestor: dict[str, str]) -> None:
    """Bullets that a person deleted from an artefact become tombstones, before anything new is written."""
    known = {tombstone.key for tombstone in state.tombstones.all()}
    deleted = _deleted(tree, ancestor)
    scopes = _scopes(ancestor[HANDBOOK_PATH])
    now = datetime.now(UTC)
    state.tombstones.add(
        Tombstone(key=key, scope=scopes.get(key, ""), text=bullet.text, reason=TombstoneReason.DELETED, at=now)
        for key, bullet in deleted.items()
        if key not in known
    )


def _deleted(tree: Tree, ancestor: dict[str, str]) -> dict[str, Bullet]:
    deleted: dict[str, Bullet] = {}
    for path, edits in _edits(tree, ancestor).items():
        # An artefact that is gone as a whole was not edited line by line: it is written anew.
        if tree.has(path):
            deleted |= edits.deleted
    return deleted


def _edits(tree: Tree, ancestor: dict[str, str]) -> dict[str, HandEdits]:
    return {path: hand_edits(ancestor[path], tree.read(path) if tree.has(path) else "") for path in _ARTEFACTS}


def _scopes(handbook: str) -> dict[str, str]:
    scopes: dict[str, str] = {}
    for section in parse_sections(handbook):
        group = section.path[0].removeprefix("# Task Group: ") if section.path else ""
        for bullet in map(parse_bullet, section.lines):
            if bullet and bullet.key:
                scopes[bullet.key] = "" if group == EVERYWHERE else group
    return scopes


def put_back(texts: dict[str, str], tree: Tree, ancestor: dict[str, str], state: State) -> dict[str, str]:
    """Both new artefacts (path -> text) with a person's edits of the former ones merged in.

    A rewording in one artefact holds in both; lines that a person added stay in the file they were added to.
    """
    edits = _edits(tree, ancestor)
    reworded = {key: text for path in _ARTEFACTS for key, text in edits[path].reworded.items()}
    buried = frozenset(tombstone.key for tombstone in state.tombstones.all())
    return {
        path: apply_hand_edits(
            texts[path], HandEdits(reworded=reworded, deleted={}, added=edits[path].added), buried=buried
        )
        for path in _ARTEFACTS
    }
