"""Citations, counted: which answer used which memory, once per answer.

A cited line of the handbook or the summary counts for the sessions that it rests on, as the file was when the answer
was given. What an answer cites and nobody knows is counted by its name, and makes nothing; a name that holds a secret,
of a memory, a session or an answer, is kept as its hash.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cache
from itertools import islice

from vademecum.artifacts import RENDERED, ROLLOUT_FOLDER, Citations, CitedLines, parse_rollout_summary, session_of
from vademecum.errors import VademecumError
from vademecum.learning.footing import Footing, footing_of
from vademecum.learning.sources import session_spelled, text_of
from vademecum.memfs import Commit, Repository
from vademecum.sessions import Session, kept_id
from vademecum.state import Citation, CitedKind, State

__all__ = ["Citing"]

#: What one answer may cite, and how many lines of one entry are looked at: an answer is no list of everything.
_MAX_CITED = 64
_MAX_LINES = 200
#: How far back the version of a file is looked for that an answer has seen.
_SEARCHED_COMMITS = 200


class Citing:
    """Counts into the state of one identity."""

    def __init__(self, state: State, repository: Repository) -> None:
        self._state, self._repository = state, repository
        self._versions = cache(self._log)

    def count_session(self, session: Session) -> int:
        """Count what the final answers of a session cite; how many citations were new."""
        return sum(
            self.count(message.cited, session=session.id, message=message.id, at=message.at or session.updated_at)
            for message in session.messages
            if not message.cited.is_empty
        )

    def count(self, cited: Citations, *, session: str, message: str, at: datetime) -> int:
        """Count what one answer cites; how many citations were new."""
        found = dict.fromkeys(
            (kind, kept_id(name), first, last) for kind, name, first, last in self._cited(cited, session, at)
        )
        return self._state.usage.count(
            Citation(
                kind=kind,
                cited=name,
                citing_session=kept_id(session),
                message_id=kept_id(message),
                line_start=first,
                line_end=last,
                at=at,
            )
            for kind, name, first, last in found
        )

    def _cited(self, cited: Citations, citing: str, at: datetime) -> Iterator[tuple[CitedKind, str, int, int]]:
        for entry in cited.files[:_MAX_CITED]:
            yield CitedKind.PATH, entry.path, entry.line_start or 0, entry.line_end or 0
        behind = (name for entry in cited.files[:_MAX_CITED] for name in self._sessions_behind(entry, at))
        for name in dict.fromkeys([*cited.sessions[:_MAX_CITED], *behind]):
            if name != citing:  # what a session says of itself is no use that was made of it
                yield CitedKind.SESSION, name, 0, 0

    def _sessions_behind(self, entry: CitedLines, at: datetime) -> Iterator[str]:
        if entry.path.startswith(ROLLOUT_FOLDER):
            yield from self._sessions_of([entry.path])
        elif entry.path in RENDERED and entry.line_start is not None:
            lines = self._text_at(entry.path, at).split("\n")
            last = min(entry.line_end or entry.line_start, len(lines), entry.line_start + _MAX_LINES)
            for number in range(max(1, entry.line_start), last + 1):
                yield from self._sessions_under(footing_of(entry.path, lines, number))

    def _sessions_under(self, footing: Footing) -> Iterator[str]:
        for spelled in filter(None, map(session_of, footing.sources)):
            yield session_spelled(self._state, spelled)
        yield from self._sessions_of(footing.rollouts)

    def _sessions_of(self, rollouts: Iterable[str]) -> Iterator[str]:
        tree = self._repository.tree()
        summaries = (parse_rollout_summary(text_of(tree, path)) for path in rollouts if tree.has(path))
        return (summary.session_id for summary in summaries if summary)

    def _text_at(self, path: str, at: datetime) -> str:
        """The file as it was at that moment; as it is now, where history does not go back so far."""
        before = next((commit.id for commit in self._versions(path) if commit.at <= at), None)
        try:
            return text_of(self._repository.tree(before), path)
        except VademecumError:  # history that was rewritten meanwhile has other commits
            return text_of(self._repository.tree(), path)

    def _log(self, path: str) -> list[Commit]:
        return list(islice(self._repository.log(path, limit=_SEARCHED_COMMITS), _SEARCHED_COMMITS))
