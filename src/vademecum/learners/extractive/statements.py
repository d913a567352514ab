"""From many sessions to distinct statements: the same thing said twice is one, an older contradiction is superseded."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from vademecum.artifacts import Evidence, Kind, Reach, format_day, parse_raw_memory, session_source
from vademecum.learners.extractive.contradictions import supersedes
from vademecum.learners.extractive.similarity import Meaning, meaning, same_statement
from vademecum.learners.protocol import LearnedSession

__all__ = ["Cluster", "Statement", "cluster", "mark_superseded", "statements"]


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of evidence with where it comes from."""

    evidence: Evidence
    meaning: Meaning
    session_id: str
    #: The project of its session; empty where the session knew none.
    project: str

    @property
    def source(self) -> str:
        """As a bullet names it."""
        return session_source(self.session_id, self.evidence.turn, self.evidence.ordinal)


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """Statements that say the same thing, oldest first."""

    statements: tuple[Statement, ...]
    #: Day on which a newer statement took its place, else empty.
    superseded: str = ""

    @property
    def newest(self) -> Statement:
        """The last one said: its wording stands."""
        return self.statements[-1]

    @property
    def at(self) -> datetime:
        """When it was last said."""
        return self.newest.evidence.at

    @property
    def sessions(self) -> int:
        """In how many sessions it was said."""
        return len({statement.session_id for statement in self.statements})

    @property
    def scope(self) -> str:
        """The project it holds in; empty: everywhere, because it was said so, or said in distinct projects."""
        if any(statement.evidence.reach is Reach.GENERAL for statement in self.statements):
            return ""
        projects = {statement.project for statement in self.statements}
        return projects.pop() if len(projects) == 1 else ""


def statements(sessions: Iterable[LearnedSession], kinds: frozenset[Kind]) -> list[Statement]:
    """All evidence of these kinds, oldest first; words that stand in two copies of one session count once."""
    found: dict[tuple[str, str], Statement] = {}
    for session in sessions:
        memory = parse_raw_memory(session.summary.raw_memory)
        project = memory.cwd or session.summary.cwd
        for evidence in (item for task in memory.tasks for item in task.evidence if item.kind in kinds):
            statement = Statement(
                evidence=evidence,
                meaning=meaning(evidence.text),
                session_id=session.summary.session_id,
                project=project,
            )
            found.setdefault((evidence.text, evidence.at.isoformat()), statement)
    return sorted(found.values(), key=lambda item: (item.evidence.at, item.source))


def cluster(items: Sequence[Statement]) -> list[Cluster]:
    """Statements that say the same thing are put together, each group in the order of its first statement."""
    groups: list[list[Statement]] = []
    by_word: dict[str, set[int]] = {}
    for item in items:
        near = sorted({number for word in item.meaning.content for number in by_word.get(word, ())})
        home = next((n for n in near if same_statement(groups[n][-1].meaning, item.meaning)), None)
        if home is None:
            home = len(groups)
            groups.append([])
        groups[home].append(item)
        for word in item.meaning.content:
            by_word.setdefault(word, set()).add(home)
    return [Cluster(statements=tuple(group)) for group in groups]


def mark_superseded(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Within one scope, what a newer statement contradicts is marked with that statement's day."""
    ordered = sorted(clusters, key=lambda item: item.at)
    result: list[Cluster] = []
    for position, older in enumerate(ordered):
        newer = next((item for item in ordered[position + 1 :] if _replaces(item, older)), None)
        result.append(msgspec.structs.replace(older, superseded=format_day(newer.at)) if newer else older)
    return result


def _replaces(newer: Cluster, older: Cluster) -> bool:
    return newer.scope == older.scope and supersedes(
        newer.newest.meaning, newer.newest.evidence.text, older.newest.meaning
    )
