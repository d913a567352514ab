"""A person's undo outlives learning: what it took away stays away, and what it brought back stays.

To the next consolidation an undo is neither new input nor a hand edit. What it did to a generated file it did to the
ancestor as well; bullets that went by it become tombstones, and the records of sessions follow their rollout summaries.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    HANDBOOK_PATH,
    RENDERED,
    ROLLOUT_FOLDER,
    Bullet,
    forgotten_sessions,
    hand_edits,
    keyed_bullets,
    parse_bullet,
    parse_rollout_summary,
    rejected_hash,
    render_bullet,
    render_rollout_summary,
    session_hash,
    session_of,
    spelled_session,
    take_back,
    without_lines_of,
)
from vademecum.errors import NotFound
from vademecum.learning.ancestor import undos_since_learning
from vademecum.learning.last_word import is_a_standing_note, scopes_of, tombstone_of
from vademecum.learning.rollouts import record_of, stem_of, summary_of
from vademecum.learning.sources import Sources, text_of
from vademecum.memfs import Commit, Repository, Tree, Writer
from vademecum.secrets import mask
from vademecum.state import Record, RecordState, RetiredReason, SessionMode, State, TombstoneReason

__all__ = ["Undo", "bury_undone", "follow_undos", "recent_undos", "revive_rejected", "with_undos"]


class Undo(msgspec.Struct, frozen=True, kw_only=True):
    """One undo that no consolidation has taken in yet."""

    at: datetime
    paths: Collection[str]
    before: Tree
    after: Tree
    #: When a person had done what it took back, an earlier undo for one; empty where no person had.
    of_a_person: frozenset[datetime]


def recent_undos(repository: Repository) -> list[Undo]:
    """The undos since the last commit of a consolidation, oldest first."""
    return [
        Undo(
            at=commit.at,
            paths=commit.paths,
            before=repository.tree(f"{commit.id}^"),
            after=repository.tree(commit.id),
            of_a_person=_done_by_a_person(repository, commit),
        )
        for commit in reversed(undos_since_learning(repository))
    ]


def _done_by_a_person(repository: Repository, undo: Commit) -> frozenset[datetime]:
    undone: list[Commit] = []
    for commit in undo.provenance.undoes:
        with suppress(NotFound):  # history that was rewritten since has other ids
            undone.append(repository.describe(commit))
    return frozenset(commit.at for commit in undone if commit.provenance.writer is not Writer.LEARN)


def with_undos(repository: Repository, undos: Collection[Undo], ancestor: Mapping[str, str]) -> dict[str, str]:
    """The generated files (path -> text) as they would have been left, had the undos come first."""
    texts = dict(ancestor)
    for undo in undos:
        for path in texts.keys() & set(undo.paths):
            undone = _undone(repository, text_of(undo.before, path), texts[path], text_of(undo.after, path))
            # Lines that a person wrote stood without their marks before the run that put them between marks.
            texts[path] = without_lines_of(texts[path], undone)
    for undo in undos:
        for path in texts.keys() & set(undo.paths):
            texts[path] = _with_marks_of(text_of(undo.before, path), texts[path])
    return texts


def _with_marks_of(marked: str, text: str) -> str:
    """The text with `edited` behind the words that are a person's in another version of it.

    They stood without that mark before the run that took them in, and an undo of that run takes the mark away again.
    """
    theirs = {key: bullet.text for key, bullet in keyed_bullets(marked).items() if bullet.edited}
    return "\n".join(_marked(line, theirs) for line in text.split("\n")) if theirs else text


def _marked(line: str, theirs: Mapping[str, str]) -> str:
    bullet = parse_bullet(line)
    if bullet is None or not bullet.key or theirs.get(bullet.key) != bullet.text:
        return line
    return render_bullet(msgspec.structs.replace(bullet, edited=True))


def _undone(repository: Repository, before: str, text: str, after: str) -> str:
    if text == before:
        return after
    merged = repository.merge_lines(before.encode(), text.encode(), after.encode())
    if merged is not None:
        return merged.decode()
    taken = take_back(before, text, after)
    return text if taken is None else taken


def bury_undone(
    state: State, undos: Collection[Undo], tree: Tree, said: Sources, *, leaving: Collection[str] = ()
) -> None:
    """Bullets that went by an undo become tombstones; those that a person brought back by one lose theirs.

    What a note says goes with the note's file only: one that stands, and is not `leaving`, is consolidated again.
    """
    present = {path: keyed_bullets(text_of(tree, path)) for path in RENDERED} if undos else {}
    known = {tombstone.key for tombstone in state.tombstones.all()}
    for undo in undos:
        scopes = scopes_of(text_of(undo.before, HANDBOOK_PATH))
        state.tombstones.add(
            tombstone_of(bullet, scopes.get(key, ""), TombstoneReason.UNDONE, undo.at, said)
            for key, bullet in _went(undo, present).items()
            if key not in known and not is_a_standing_note(bullet, tree, leaving)
        )
        if undo.of_a_person:
            for key in (*_came(undo, present), *_lifted(undo, tree), *_of_returned(state, undo, tree)):
                state.tombstones.remove(key)


def _went(undo: Undo, present: Mapping[str, Mapping[str, Bullet]]) -> dict[str, Bullet]:
    """The handbook holds every bullet: where it was undone as well, it says what went; the summary is a selection."""
    paths = [path for path in RENDERED if path in undo.paths]
    went: dict[str, Bullet] = {}
    for path in paths[:1]:
        before = keyed_bullets(text_of(undo.before, path))
        after = keyed_bullets(text_of(undo.after, path))
        went |= {key: bullet for key, bullet in before.items() if key not in after and key not in present[path]}
    return went


def _came(undo: Undo, present: Mapping[str, Mapping[str, Bullet]]) -> Iterator[str]:
    for path in RENDERED:
        before = keyed_bullets(text_of(undo.before, path))
        after = keyed_bullets(text_of(undo.after, path))
        yield from (key for key in after if key not in before and key in present[path])


def _lifted(undo: Undo, tree: Tree) -> dict[str, Bullet]:
    """What the archive lists no more: the removal itself was undone."""
    before, after, now = (keyed_bullets(text_of(state, ARCHIVE_PATH)) for state in (undo.before, undo.after, tree))
    return {key: bullet for key, bullet in before.items() if key not in after and key not in now}


def _of_returned(state: State, undo: Undo, tree: Tree) -> list[str]:
    """What went with sessions whose rollout summaries a person had deleted, and brought back by this undo."""
    paths = (path for path in undo.paths if path.startswith(ROLLOUT_FOLDER) and tree.has(path))
    summaries = (parse_rollout_summary(text_of(tree, path)) for path in paths)
    back = {spelled_session(summary.session_id) for summary in summaries if summary}
    return [
        stone.key
        for stone in state.tombstones.all()
        if stone.at in undo.of_a_person and back.issuperset(session_of(source) for source in stone.sources)
    ]


def revive_rejected(state: State, undos: Collection[Undo], tree: Tree, archive_before: str) -> None:
    """Sessions that were rejected are learned again where a person lets them, or a bullet of theirs, come back.

    `archive_before`: the archive as the last consolidation or rejection left it.
    """
    back = [bullet for undo in undos if undo.of_a_person for bullet in _lifted(undo, tree).values()]
    if present := text_of(tree, ARCHIVE_PATH):
        back += hand_edits(archive_before, present).deleted.values()
    sessions = {session_of(source) for bullet in back for source in bullet.sources}
    hashes = {rejected_hash(bullet.text) for bullet in back}
    for record in state.records.all(RecordState.RETIRED) if back else ():
        is_meant = spelled_session(record.session_id) in sessions or session_hash(record.session_id) in hashes
        if is_meant and record.retired_reason is RetiredReason.REJECTED:
            state.records.put_back(msgspec.structs.replace(record, state=RecordState.ACTIVE, retired_reason=None))


def follow_undos(state: State, undos: Collection[Undo], tree: Tree) -> None:
    """Records become what their rollout summaries are, where an undo changed those."""
    records = {record.stem: record for record in state.records.all()} if undos else {}
    for undo in undos:
        for path in undo.paths:
            if not path.startswith(ROLLOUT_FOLDER):
                continue
            record = records.get(stem_of(path))
            if tree.has(path):
                # Sessions whose forgetting was undone itself.
                remembered = forgotten_sessions(undo.before) - forgotten_sessions(tree)
                _put_back(state, record, tree, path, remembered)
            elif record is not None:
                _take_out(state, record, undo.at)


def _take_out(state: State, record: Record, at: datetime) -> None:
    if record.state is RecordState.ACTIVE and record.consolidated_updated_at is not None:
        if record.updated_at > at:
            # The session went on after the undo: what is new in it counts, the tombstones hold back the rest.
            state.records.mark_consolidated({record.session_id: None})
        else:
            state.records.retire(record.session_id, RetiredReason.DELETED)


def _is_forgotten(record: Record | None) -> bool:
    return record is not None and record.retired_reason is RetiredReason.FORGOTTEN


def _put_back(state: State, record: Record | None, tree: Tree, path: str, remembered: Collection[str]) -> None:
    text = text_of(tree, path)
    summary = parse_rollout_summary(text)
    if summary is None or (_is_forgotten(record) and session_hash(summary.session_id) not in remembered):
        return
    if record and record.state is RecordState.ACTIVE:
        waits = record.consolidated_updated_at != record.updated_at
        if waits or mask(render_rollout_summary(summary_of(record))) == text:
            return
    if _is_forgotten(record):
        state.modes.set(summary.session_id, SessionMode.ENABLED)
    state.records.put_back(record_of(stem_of(path), summary, datetime.now(UTC)))
