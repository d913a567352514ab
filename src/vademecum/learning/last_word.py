"""The person has the last word: what they reworded, deleted or added in an artefact outlives every consolidation."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta

from vademecum.artifacts import (
    ARCHIVE_PATH,
    GENERATED,
    HANDBOOK_PATH,
    NOTES_FOLDER,
    RENDERED,
    Bullet,
    HandEdits,
    Removal,
    apply_hand_edits,
    decisions,
    format_day,
    hand_edits,
    keyed_bullets,
    parse_archive,
    parse_handbook,
    parse_time,
    removals_in,
    render_archive,
)
from vademecum.errors import FrontMatterInvalid
from vademecum.learning.sources import Sources, text_of
from vademecum.memfs import Repository, Tree, Writer
from vademecum.state import State, Tombstone, TombstoneReason

__all__ = [
    "archive",
    "bury",
    "edited_at",
    "exhume",
    "is_a_standing_note",
    "let_stand",
    "lift",
    "put_back",
    "scopes_of",
    "tombstone_of",
    "unreadable",
]


def unreadable(tree: Tree) -> list[str]:
    """The artefacts at this revision that are no text: nothing can be told from them, least of all a deletion."""
    return [path for path in GENERATED if tree.has(path) and not _is_text(tree, path)]


def _is_text(tree: Tree, path: str) -> bool:
    try:
        return "\0" not in tree.read(path)
    except FrontMatterInvalid:
        return False


def exhume(state: State, tree: Tree) -> None:
    """Take over what the archive of this revision lists: a lost database, or another machine, knows nothing of it."""
    known = {tombstone.key for tombstone in state.tombstones.all()}
    listed = [item for item in removals_in(text_of(tree, ARCHIVE_PATH)) if item.key not in known]
    state.tombstones.add(found for found in map(_tombstone, listed) if found)


def _tombstone(item: Removal) -> Tombstone | None:
    day = parse_time(item.day)
    if day is None or item.reason not in {reason.value for reason in TombstoneReason}:
        return None  # a line that a person wrote differently is theirs, not ours
    return Tombstone(
        key=item.key,
        scope=item.scope,
        text=item.text,
        reason=TombstoneReason(item.reason),
        # The archive knows the day only: what was said on it may have been said before the removal.
        at=day + timedelta(days=1, milliseconds=-1),
        sources=item.sources,
    )


def lift(state: State, tree: Tree, ancestor: Mapping[str, str]) -> None:
    """An entry that a person took out of the archive lets its bullet come back."""
    if tree.has(ARCHIVE_PATH) and _is_text(tree, ARCHIVE_PATH):
        for key in hand_edits(ancestor[ARCHIVE_PATH], text_of(tree, ARCHIVE_PATH)).deleted:
            state.tombstones.remove(key)


def archive(tombstones: Iterable[Tombstone], present: str, ancestor: str) -> str | None:
    """The archive of everything that a person removed, with their own lines in it; None where it is none of ours.

    `present` and `ancestor`: its text as it stands, and as the last consolidation left it.
    """
    removed = [
        Removal(key=t.key, scope=t.scope, text=t.text, reason=t.reason.value, day=format_day(t.at), sources=t.sources)
        for t in tombstones
    ] + decisions(present)
    if not removed and not ancestor:
        return None
    edits = hand_edits(ancestor or render_archive(()), present)
    kept = HandEdits(reworded=edits.reworded, deleted={}, added=edits.added)
    return apply_hand_edits(render_archive(removed), kept, buried=frozenset())


def bury(state: State, repository: Repository, tree: Tree, ancestor: Mapping[str, str], said: Sources) -> None:
    """Bullets that a person deleted from an artefact become tombstones, before anything new is written."""
    gone = _deleted(tree, ancestor)
    if not gone:
        return
    known = {tombstone.key for tombstone in state.tombstones.all()}
    scopes = scopes_of(ancestor[HANDBOOK_PATH])
    for path, deleted in gone.items():
        at = edited_at(repository, path)
        state.tombstones.add(
            tombstone_of(bullet, scopes.get(key, ""), TombstoneReason.DELETED, at, said)
            for key, bullet in deleted.items()
            if key not in known
        )


def let_stand(state: State, tree: Tree, left: Mapping[str, str], gone: Collection[str]) -> None:
    """Bullets that a person deleted and put back, before any consolidation took that in, are not removed.

    `left`: the artefacts as learning left them; `gone`: the keys of those that stand there only because no
    consolidation has taken them out yet.
    """
    listed = {entry.key for entry in parse_archive(text_of(tree, ARCHIVE_PATH))}
    stones = [stone for stone in state.tombstones.all() if stone.reason is TombstoneReason.DELETED]
    texts = [(keyed_bullets(left[path]), keyed_bullets(text_of(tree, path))) for path in RENDERED] if stones else []
    for stone in stones:
        if stone.key in gone or stone.key in listed:
            continue
        stands = [stone.key in now for before, now in texts if stone.key in before]
        if stands and all(stands):
            state.tombstones.remove(stone.key)


def is_a_standing_note(bullet: Bullet, tree: Tree, leaving: Collection[str] = ()) -> bool:
    """Whether a bullet says what a note says that the person has not taken back, nor does so now (`leaving`)."""
    notes = (source for source in bullet.sources if source.startswith(NOTES_FOLDER) and source not in leaving)
    return any(map(tree.has, notes))


def tombstone_of(bullet: Bullet, scope: str, reason: TombstoneReason, at: datetime, said: Sources) -> Tombstone:
    """That a person removed this bullet at that moment, with the newest evidence that it rested on."""
    return Tombstone(
        key=bullet.key,
        scope=scope,
        text=bullet.text,
        reason=reason,
        at=at,
        evidence_at=max(filter(None, map(said.said_at, bullet.sources)), default=at),
        sources=bullet.sources,
    )


def edited_at(repository: Repository, path: str) -> datetime:
    """When a person last committed this file: what they took out of it was gone by then."""
    now = datetime.now(UTC)
    newest = next(iter(repository.log(path, limit=1)), None)
    return now if newest is None or newest.provenance.writer is Writer.LEARN else min(newest.at, now)


def _deleted(tree: Tree, ancestor: Mapping[str, str]) -> dict[str, dict[str, Bullet]]:
    """Artefact -> what was deleted from it: key -> the old bullet."""
    # An artefact that is gone as a whole, or no text any more, was not edited line by line: it is written anew.
    return {
        path: edits.deleted
        for path, edits in _edits(tree, ancestor).items()
        if edits.deleted and tree.has(path) and _is_text(tree, path)
    }


def _edits(tree: Tree, ancestor: Mapping[str, str]) -> dict[str, HandEdits]:
    return {path: hand_edits(ancestor[path], text_of(tree, path)) for path in RENDERED}


def scopes_of(handbook: str) -> dict[str, str]:
    """Bullet key -> the project that it stands under."""
    return {bullet.key: group.project for group in parse_handbook(handbook) for bullet in group.bullets if bullet.key}


def put_back(texts: Mapping[str, str], tree: Tree, ancestor: Mapping[str, str], state: State) -> dict[str, str]:
    """Both new artefacts (path -> text) with a person's edits of the former ones merged in.

    A rewording in one artefact holds in both; lines that a person added stay in the file they were added to.
    """
    edits = _edits(tree, ancestor)
    reworded: dict[str, str] = {}
    for path in RENDERED:
        left = keyed_bullets(ancestor[path])
        # Both hold a rewording of before: the one that changed since is their last word.
        reworded |= {
            key: text
            for key, text in edits[path].reworded.items()
            if key not in reworded or key not in left or left[key].text != text
        }
    buried = frozenset(tombstone.key for tombstone in state.tombstones.all())
    return {
        path: apply_hand_edits(
            texts[path], HandEdits(reworded=reworded, deleted={}, added=edits[path].added), buried=buried
        )
        for path in RENDERED
    }
