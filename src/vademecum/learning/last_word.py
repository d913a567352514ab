"""The person has the last word: what they reworded, deleted or added in an artefact outlives every consolidation."""

from datetime import UTC, datetime

from vademecum.artifacts import (
    ARCHIVE_PATH,
    EVERYWHERE,
    HANDBOOK_PATH,
    SUMMARY_PATH,
    Bullet,
    HandEdits,
    Removal,
    apply_hand_edits,
    format_day,
    hand_edits,
    parse_archive,
    parse_bullet,
    parse_sections,
    parse_time,
    render_archive,
)
from vademecum.errors import FrontMatterInvalid
from vademecum.memfs import Frozen, Tree
from vademecum.state import State, Tombstone, TombstoneReason

__all__ = ["archive", "bury", "exhume", "put_back", "text_of"]

_ARTEFACTS = (HANDBOOK_PATH, SUMMARY_PATH)


def text_of(tree: Tree | Frozen, path: str) -> str:
    """A file's text; empty where it is absent, or no text (whoever shows the file says so)."""
    try:
        return tree.read(path) if tree.has(path) else ""
    except FrontMatterInvalid:
        return ""


def exhume(state: State, tree: Tree) -> None:
    """Take over what the archive of this revision lists: a lost database, or another machine, knows nothing of it."""
    known = {tombstone.key for tombstone in state.tombstones.all()}
    listed = [item for item in parse_archive(text_of(tree, ARCHIVE_PATH)) if item.key not in known]
    state.tombstones.add(found for found in map(_tombstone, listed) if found)


def _tombstone(item: Removal) -> Tombstone | None:
    at = parse_time(item.day)
    if at is None or item.reason not in {reason.value for reason in TombstoneReason}:
        return None  # a line that a person wrote differently is theirs, not ours
    return Tombstone(key=item.key, scope=item.scope, text=item.text, reason=TombstoneReason(item.reason), at=at)


def archive(state: State) -> str:
    """The archive of everything that a person removed; empty where they removed nothing."""
    removed = [
        Removal(key=t.key, scope=t.scope, text=t.text, reason=t.reason.value, day=format_day(t.at))
        for t in state.tombstones.all()
    ]
    return render_archive(removed) if removed else ""


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
    return {path: hand_edits(ancestor[path], text_of(tree, path)) for path in _ARTEFACTS}


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
