"""From many sessions to distinct statements: the same thing said twice is one, an older contradiction is superseded."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime

import msgspec

from vademecum.artifacts import (
    Evidence,
    Kind,
    RawMemory,
    Reach,
    RolloutSummary,
    format_day,
    parse_raw_memory,
    session_source,
)
from vademecum.learners.extractive.contradictions import supersedes
from vademecum.learners.extractive.similarity import Meaning, meaning, same_statement
from vademecum.learners.protocol import LearnedSession

__all__ = ["Cluster", "Statement", "Studied", "cluster", "distinct", "mark_superseded", "statements", "study"]


class Studied(msgspec.Struct, frozen=True, kw_only=True):
    """One session with what it taught, parsed."""

    #: Memory path of its rollout summary.
    path: str
    summary: RolloutSummary
    memory: RawMemory
    #: Where it belongs; empty where the session knew no directory.
    project: str


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


def study(sessions: Iterable[LearnedSession]) -> list[Studied]:
    """Parse what every session taught, once."""
    studied: list[Studied] = []
    for session in sessions:
        memory = parse_raw_memory(session.summary.raw_memory)
        project = session.summary.project or session.summary.cwd
        studied.append(Studied(path=session.path, summary=session.summary, memory=memory, project=project))
    return studied


def statements(
    sessions: Iterable[Studied], kinds: frozenset[Kind], *, known: Collection[str] = frozenset()
) -> list[Statement]:
    """All evidence of these kinds, oldest first; words that stand in two copies of one session count once.

    `known`: sources that bullets rest on already. Of two copies the one that is among them is taken: a bullet keeps its
    key, and by it what a person made of it, when a copy comes later.
    """
    found: dict[tuple[str, datetime], Statement] = {}
    for session in sessions:
        for evidence in (item for task in session.memory.tasks for item in task.evidence if item.kind in kinds):
            former = found.get((evidence.text, evidence.at))
            statement = Statement(
                evidence=evidence,
                meaning=former.meaning if former else meaning(_subject(evidence)),
                session_id=session.summary.session_id,
                project=session.project,
            )
            if former is None or (former.source not in known and statement.source in known):
                found[evidence.text, evidence.at] = statement
    return sorted(found.values(), key=_moment)


def _subject(evidence: Evidence) -> str:
    """What makes two statements the same; how often a file was edited does not."""
    return evidence.text.split(" edited ", 1)[0] if evidence.kind is Kind.FILE else evidence.text


def cluster(items: Sequence[Statement], *, same: Callable[[Meaning, Meaning], bool] = same_statement) -> list[Cluster]:
    """Statements that say the same thing are put together, each group in the order of its first statement.

    Two statements can only be the same when they share one of their rarer words: those that share nothing but common
    words are never compared, so that years of sessions stay affordable.
    """
    frequency = Counter(word for item in items for word in item.meaning.content)
    groups: list[list[Statement]] = []
    by_word: dict[str, set[int]] = {}
    for item in items:
        rare = _rarer_half(item.meaning, frequency)
        near = sorted({number for word in rare for number in by_word.get(word, ())})
        home = next((n for n in near if same(groups[n][-1].meaning, item.meaning)), None)
        if home is None:
            home = len(groups)
            groups.append([])
        groups[home].append(item)
        for word in rare:
            by_word.setdefault(word, set()).add(home)
    return [Cluster(statements=tuple(group)) for group in groups]


def _rarer_half(said: Meaning, frequency: Counter[str]) -> list[str]:
    # Of two statements with half of all their words in common, the rarest common word is in both rarer halves.
    words = sorted(said.content, key=lambda word: (frequency[word], word))
    return words[: len(words) // 2 + 1]


def distinct(items: Sequence[Statement]) -> list[Cluster]:
    """What was said, once each: contradictions are settled within each place, then the same in several places is one.

    In this order, because a rule that was given up in one project does not hold everywhere for being said in another.
    """
    places: dict[str, list[Statement]] = {}
    for item in items:
        places.setdefault("" if item.evidence.reach is Reach.GENERAL else item.project, []).append(item)
    settled = [marked for said in places.values() for marked in mark_superseded(cluster(said))]
    given_up = [item for item in settled if item.superseded]
    standing = _united([item for item in settled if not item.superseded])
    scopes: dict[str, list[Cluster]] = {}
    for item in [*given_up, *standing]:
        scopes.setdefault(item.scope, []).append(item)
    return mark_superseded([item for found in scopes.values() for item in _united(found)])


def _united(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Clusters that say the same are one, which stands or not as the newest of them does."""
    by_source = {item.newest.source: item for item in clusters}
    return [
        _unite([by_source[statement.source] for statement in same.statements])
        for same in cluster(sorted((item.newest for item in clusters), key=_moment))
    ]


def _unite(same: Sequence[Cluster]) -> Cluster:
    ordered = sorted((statement for item in same for statement in item.statements), key=_moment)
    return Cluster(statements=tuple(ordered), superseded=same[-1].superseded)


def _moment(item: Statement) -> tuple[datetime, str]:
    return item.evidence.at, item.source


def mark_superseded(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Within one scope, what a newer statement contradicts is marked with that statement's day."""
    by_scope: dict[str, list[Cluster]] = {}
    for item in sorted(clusters, key=lambda item: item.at):
        by_scope.setdefault(item.scope, []).append(item)
    return [marked for ordered in by_scope.values() for marked in _mark_in_scope(ordered)]


def _mark_in_scope(ordered: Sequence[Cluster]) -> Iterator[Cluster]:
    for position, older in enumerate(ordered):
        newer = next((item for item in ordered[position + 1 :] if _replaces(item, older)), None)
        yield msgspec.structs.replace(older, superseded=format_day(newer.at)) if newer else older


def _replaces(newer: Cluster, older: Cluster) -> bool:
    return supersedes(newer.newest.meaning, newer.newest.evidence.text, older.newest.meaning)
