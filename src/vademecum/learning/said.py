"""What was said, where and when: looked up by the names that bullets give to their sources."""

from datetime import datetime
from functools import cache

import msgspec

from vademecum.artifacts import (
    ROLLOUT_FOLDER,
    RolloutSummary,
    parse_evidence,
    parse_note,
    parse_rollout_summary,
    session_of,
    session_source,
    spelled_session,
    stem_digest,
)
from vademecum.learning.rollouts import rollout_path, summary_of
from vademecum.learning.sources import session_spelled, text_of
from vademecum.memfs import Tree
from vademecum.state import State

__all__ = ["Said", "Sayings"]


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a line rests on: a statement of a session, a whole session, or a note."""

    #: As bullets name it; empty where it is a whole session.
    source: str = ""
    #: Memory path of the note, or of the rollout summary; empty where there is none any more.
    path: str = ""
    #: The line of it that quotes the statement; 0: none does.
    line: int = 0
    #: Empty for a note.
    session: str = ""
    host: str = ""
    project: str = ""
    #: Turn of the session, from 1; 0: the whole session.
    turn: int = 0
    #: When it was said; of a whole session, its last moment. None: nobody knows any more.
    at: datetime | None = None
    #: What kind of statement (`rule`, `command`, ...); of a note, who wrote it (`human`, `model`).
    kind: str = ""
    #: The words, as rollout summary or note hold them; empty where nothing is left of them.
    quote: str = ""
    #: Why the session is out of memory, in a word; empty while it is in it.
    retired: str = ""


class Sayings:
    """The notes and rollout summaries of one state of the memory, and the records of those that lie there no more."""

    def __init__(self, state: State | None, tree: Tree) -> None:
        self._state, self._tree = state, tree
        self._lines = cache(self._read)
        self._session = cache(self._find_session)

    def note(self, path: str) -> Said:
        """What a note says; one that is gone says nothing any more."""
        if not self._tree.has(path):
            return Said(source=path)
        note = parse_note(path, text_of(self._tree, path))
        return Said(source=path, path=path, at=note.created_at, kind=note.origin, quote=note.text)

    def statement(self, source: str) -> Said:
        """One statement of a session."""
        session = session_of(source)
        path, summary, retired = self._session(session)
        turn = source.rpartition("#t")[2].partition(".")[0]
        said = Said(source=source, session=session, turn=int(turn) if turn.isdecimal() else 0, retired=retired)
        if summary is None:
            return said
        there = self._tree.has(path)
        lines = self._lines(path) if there else summary.raw_memory.split("\n")
        named = ((number, parse_evidence(line)) for number, line in enumerate(lines, 1))
        number, item = next(
            ((at, one) for at, one in named if one and session_source(session, one.turn, one.ordinal) == source),
            (0, None),
        )
        return msgspec.structs.replace(
            said,
            session=summary.session_id,
            path=path if there else "",
            line=number if there else 0,
            host=summary.host,
            project=summary.project or summary.cwd,
            at=item.at if item else summary.updated_at,
            kind=item.kind.value if item else "",
            quote=item.text if item else "",
        )

    def whole(self, path: str) -> Said:
        """A session as such, by its rollout summary."""
        summary = parse_rollout_summary(text_of(self._tree, path)) if self._tree.has(path) else None
        if summary is None:
            return Said(path=path)
        return Said(
            path=path,
            session=summary.session_id,
            host=summary.host,
            project=summary.project or summary.cwd,
            at=summary.updated_at,
            retired=self._session(summary.session_id)[2],
        )

    def _read(self, path: str) -> list[str]:
        return text_of(self._tree, path).split("\n")

    def _find_session(self, session: str) -> tuple[str, RolloutSummary | None, str]:
        """Path of the rollout summary, what it holds, and why the session is out of memory; without a state as well."""
        record = self._state.records.get(session_spelled(self._state, session)) if self._state else None
        if record:
            return rollout_path(record.stem), summary_of(record), record.retired_reason or ""
        for path in self._rollouts_of(session):
            summary = parse_rollout_summary(text_of(self._tree, path))
            if summary and spelled_session(summary.session_id) == spelled_session(session):
                return path, summary, ""
        return "", None, ""

    def _rollouts_of(self, session: str) -> list[str]:
        """The rollout summaries that may be this session's, the likely ones first."""
        mark = f"-{stem_digest(session)}-"
        rollouts = [path for path in self._tree.paths() if path.startswith(ROLLOUT_FOLDER)]
        likely = [path for path in rollouts if mark in path]
        # The digest is that of the id itself, which may be spelled otherwise here.
        return likely + [path for path in rollouts if mark not in path] if "_" in session else likely
