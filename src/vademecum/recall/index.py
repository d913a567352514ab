"""The search index: passages of memory files at one revision and of sessions, in `search.db`.

Never authoritative: it may be deleted at any time, and what may be shown is decided when it is asked, not when it is
filled. A damaged or outdated file is thrown away and filled again.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from vademecum.artifacts import ROLLOUT_FOLDER
from vademecum.errors import DatabaseBroken, FrontMatterInvalid, StorageError
from vademecum.memfs import Tree, shown
from vademecum.recall.passages import Passage, memory_passages, session_passages
from vademecum.recall.query import HitKind
from vademecum.recall.tokens import index_text
from vademecum.sessions import Session
from vademecum.state import Database, Parameters, load_statements, to_ms

__all__ = ["SearchIndex"]

_PACKAGE = "vademecum.recall"
_SQL = load_statements(_PACKAGE, "index")
#: Counted up whenever the same source would give other passages or words.
_FORMAT = "3"
#: Sessions share a transaction up to so many passages, so that a first filling never locks the file for long.
_BATCH_PASSAGES = 2000

#: The project that a session belongs to; empty where none is known.
ProjectOf = Callable[[Session], str]


class SearchIndex:
    """One open index. Raises what `state.Database` raises."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the index; a file that cannot be read, or that another version wrote, starts empty."""
        try:
            return cls._open(path)
        except DatabaseBroken:
            cls.discard(path)
            return cls._open(path)

    @classmethod
    def copy(cls, path: Path) -> Self:
        """What the file holds, in memory, for a disk that takes no write; lost when it is closed."""
        return cls._begun(Database.copy(path, package=_PACKAGE))

    @classmethod
    def blank(cls, path: Path) -> Self:
        """An empty one in memory, where the file can be neither read nor made anew."""
        return cls._begun(Database.blank(path, package=_PACKAGE))

    @staticmethod
    def check(path: Path) -> None:
        """Read the whole file as it lies there; raises `DatabaseBroken` at the first damage."""
        with closing(Database.read(path, package=_PACKAGE)) as database:
            database.check()

    @classmethod
    def _open(cls, path: Path) -> Self:
        return cls._begun(Database.open(path, package=_PACKAGE))

    @classmethod
    def _begun(cls, database: Database) -> Self:
        index = cls(database)
        try:
            if index._mark("format") != _FORMAT:
                index._begin()
        except BaseException:
            index.close()
            raise
        return index

    @staticmethod
    def discard(path: Path) -> None:
        """Delete the file with what SQLite keeps beside it. Raises StorageError."""
        try:
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"{path.name} cannot be thrown away: {error.strerror}", paths=(str(path),)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; calling it twice is harmless."""
        self.database.close()

    @property
    def revision(self) -> str | None:
        """The memory revision that was indexed last; None where the index has to be filled from nothing."""
        return self._mark("revision") or None

    def sync_memory(self, tree: Tree, *, most_seconds: float | None = None) -> int:
        """Bring the memory files to this revision in one transaction; how many files were read for it.

        `most_seconds`: begin no further file after so long. The rest is missing until the next sync goes on with it,
        and `revision` stays another one until then.
        """
        if self.revision == tree.revision:
            return 0
        end = None if most_seconds is None else time.monotonic() + most_seconds
        with self.database.write():
            known = self._versions(HitKind.MEMORY)
            present = {path: tree.blob_id(path) for path in tree.paths() if path.endswith(".md")}
            changed = [path for path, blob in present.items() if known.get(path) != blob]
            # All of these at once: what a file says no more must not be found, even where there is no time to read it.
            for path in known.keys() - (present.keys() - set(changed)):
                self._drop(HitKind.MEMORY, path)
            read = 0
            # Of many, the recaps of sessions are the most, and say the least that is not said elsewhere.
            for path in sorted(changed, key=lambda path: path.startswith(ROLLOUT_FOLDER)):
                if end is not None and time.monotonic() >= end:
                    return read
                self._add(HitKind.MEMORY, path, present[path], _passages(tree, path))
                read += 1
            self._set_mark("revision", tree.revision)
        return read

    def mark_lost(self) -> None:
        """Note that sessions are missing here, so that whoever has the time fills the index from nothing."""
        with self.database.write():
            self._set_mark("revision", "")

    def sync_sessions(self, sessions: Iterable[Session], project_of: ProjectOf = lambda session: session.cwd) -> int:
        """Index sessions that are new or newer than what is there; how many were.

        A session that must not be learned from is not searched either: it is taken out if it was there.
        """
        indexed = 0
        for batch in _batches(sessions):
            with self.database.write():
                indexed += sum(self._sync_session(session, project_of) for session in batch)
        return indexed

    def sessions(self) -> list[str]:
        """The ids of all sessions that are indexed, sorted."""
        return sorted(self._versions(HitKind.SESSION))

    def holds(self, *names: str) -> bool:
        """Whether the text of one of these sessions or memory files is here."""
        kinds = (HitKind.MEMORY.value, HitKind.SESSION.value)
        asked = ({"kind": kind, "name": name} for kind in kinds for name in names)
        return any(self.database.one(_SQL["version"], place) for place in asked)

    def forget(self, *names: str) -> None:
        """Take sessions and memory files out, and leave nothing of them in the file on disk."""
        with self.database.write():
            for name in names:
                rows = self.database.all(_SQL["summaries_of_session"], {"session_id": name})
                for path in (name, *(row["path"] for row in rows)):
                    self._drop(HitKind.MEMORY, path)
                self._drop(HitKind.SESSION, name)
            self.database.run(_SQL["optimize"])
        self.database.truncate_log()

    def compact(self) -> None:
        """Write the whole file anew, so that it holds nothing but what can be found; raises `BusyError`."""
        self.database.run(_SQL["optimize"])
        self.database.compact()

    def session_texts(self) -> Iterator[tuple[str, str]]:
        """Every passage of a session, with the session's id; slow."""
        after = 0
        while rows := self.database.all(_SQL["session_texts"], {"after": after, "count": _BATCH_PASSAGES}):
            after = rows[-1]["id"]
            yield from ((row["session_id"], row["text"]) for row in rows)

    def clear(self) -> None:
        """Empty the index; the next sync fills it."""
        with self.database.write():
            for statement in ("clear_words", "clear_passages", "clear_sources", "clear_marks"):
                self.database.run(_SQL[statement])
            self._set_mark("format", _FORMAT)

    def rebuild(
        self, tree: Tree, sessions: Iterable[Session], project_of: ProjectOf = lambda session: session.cwd
    ) -> None:
        """Fill the index from nothing. Who searches meanwhile finds what memory says at every moment."""
        with self.database.write():
            self.clear()
            self.sync_memory(tree)
        self.sync_sessions(sessions, project_of)

    def _begin(self) -> None:
        """Start empty, unless another process did so since the file was looked at: it may be filled by now."""
        with self.database.write():
            if self._mark("format") != _FORMAT:
                self.clear()

    def _sync_session(self, session: Session, project_of: ProjectOf) -> bool:
        version = f"{to_ms(session.updated_at):015d}"
        row = self.database.one(_SQL["version"], {"kind": HitKind.SESSION.value, "name": session.id})
        if session.exclusion is not None:
            self._drop(HitKind.SESSION, session.id)
            return False
        if row is not None:
            if row["version"] >= version:
                return False
            self._drop(HitKind.SESSION, session.id)
        self._add(HitKind.SESSION, session.id, version, session_passages(session, project_of(session)))
        return True

    def _add(self, kind: HitKind, name: str, version: str, passages: Iterable[Passage]) -> None:
        row = self.database.one(_SQL["add_source"], {"kind": kind.value, "name": name, "version": version})
        first = self.database.one(_SQL["next_passage"])
        assert row is not None
        assert first is not None
        path = name if kind is HitKind.MEMORY else None
        rows = [
            _row(passage, {"id": number, "source": row["id"], "kind": kind.value, "path": path})
            for number, passage in zip(count(first["id"]), passages)
        ]
        self.database.run_many(_SQL["add_passage"], rows)
        self.database.run_many(_SQL["add_words"], rows)

    def _drop(self, kind: HitKind, name: str) -> None:
        for statement in ("drop_words", "drop_passages", "drop_source"):
            self.database.run(_SQL[statement], {"kind": kind.value, "name": name})

    def _versions(self, kind: HitKind) -> dict[str, str]:
        return {row["name"]: row["version"] for row in self.database.all(_SQL["versions"], {"kind": kind.value})}

    def _mark(self, name: str) -> str | None:
        row = self.database.one(_SQL["get_mark"], {"name": name})
        return None if row is None else row["value"]

    def _set_mark(self, name: str, value: str) -> None:
        self.database.run(_SQL["set_mark"], {"name": name, "value": value})


def _passages(tree: Tree, path: str) -> Iterable[Passage]:
    try:
        text = tree.read(path)
    except FrontMatterInvalid:
        # Bytes that are no text hold no words; that a person committed such a file must not end every search.
        return ()
    return memory_passages(path, shown(path, text))


def _row(passage: Passage, place: dict[str, str | int | None]) -> Parameters:
    belonging = passage.belonging
    return place | {
        "line_start": passage.line_start,
        "line_end": passage.line_end,
        "project": belonging.project,
        "session_id": belonging.session_id,
        "host": belonging.host,
        "at": None if belonging.at is None else to_ms(belonging.at),
        "title": passage.title,
        "path_words": place["path"] or "",
        "headings": passage.headings,
        "body": passage.body,
        "expanded": index_text(f"{passage.title}\n{passage.headings}\n{passage.body}"),
        "near": passage.near,
        "far": passage.far,
    }


def _batches(sessions: Iterable[Session]) -> Iterator[list[Session]]:
    batch: list[Session] = []
    size = 0
    for session in sessions:
        batch.append(session)
        size += len(session.messages)
        if size >= _BATCH_PASSAGES:
            yield batch
            batch, size = [], 0
    yield batch
