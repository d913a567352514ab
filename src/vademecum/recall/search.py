"""Search: the best passages for a query, in tiers.

First what holds the words exactly as typed, then what holds all of them, then what holds any: a question in plain
words finds something, and an exact hit is never pushed down. Where the words stand nearly everywhere, those that hold
a rare one come before those that hold common ones only. A fact that stands in several memory files is one hit, the
best of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate
from sqlite3 import Row

import msgspec

from vademecum.memfs import masked_name
from vademecum.recall.facts import ToldFacts
from vademecum.recall.index import SearchIndex
from vademecum.recall.query import HitKind, Query, parse_query
from vademecum.recall.ranking import WINDOW, Ranked, Tier, with_priors
from vademecum.recall.snippets import Snippet, cut_snippet
from vademecum.recall.tokens import fts_expression
from vademecum.state import Database, Parameters, from_ms, load_statements, to_ms

__all__ = ["Hit", "SearchResult", "Visibility", "search"]

_SQL = load_statements("vademecum.recall", "search")
#: More answers than this are not scored one by one where rarer words of the query lead to the best of them.
_MANY = 1000
#: At least so many passages are read from the index with one statement.
_AT_ONCE = 10


class Visibility(msgspec.Struct, frozen=True, kw_only=True):
    """What may not be shown, whatever the index still holds: forgotten, disabled or polluted."""

    #: Session ids; a rollout summary of such a session is hidden with it.
    hidden_sessions: frozenset[str] = frozenset()
    #: Memory files.
    hidden_paths: frozenset[str] = frozenset()


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One passage that answers."""

    #: What it is part of.
    kind: HitKind
    #: The memory file, for kind memory.
    path: str | None
    #: The session: for kind session always, for a rollout summary the one it tells of.
    session_id: str | None
    #: File lines of the snippet (memory), or the turn (sessions); counted from 1.
    line_start: int
    line_end: int
    #: One to three lines, at most 300 characters, nothing in it that moves a terminal.
    snippet: str
    #: Higher is better; the whole part is the tier.
    score: float
    #: When it was said or last brought up to date, aware UTC, where known.
    updated_at: datetime | None
    #: Working directory that it belongs to, where known.
    project: str | None
    #: The host of its session, where known.
    host: str | None
    #: Whether none of the words stands in it: they stand in the messages beside it, which it may answer.
    is_beside: bool = False
    #: Why it stands where it stands, in one line.
    explanation: str


class SearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """One page of hits."""

    #: How many passages answer in all, without those that repeat a fact on this page or one before it.
    total: int
    #: This page, best first.
    hits: tuple[Hit, ...]
    #: The index was lost, and past sessions are not in it again yet.
    lacks_sessions: bool = False
    #: There was no time to read every memory file that changed; the next search goes on with it.
    lacks_files: bool = False


def search(
    index: SearchIndex,
    query: str,
    *,
    limit: int = 10,
    offset: int = 0,
    visibility: Visibility | None = None,
    usage: Mapping[str, int] | None = None,
) -> SearchResult:
    """One page of the passages that answer a query (grammar: `recall.query`); a blank query has no answer.

    `usage` counts how often answers have used a memory, by session id or path. A query of filters alone lists what
    meets them, newest first. Raises UsageError as `parse_query` does, and `DatabaseBroken` for a damaged index: discard
    it and sync again.
    """
    parsed = parse_query(query)
    if parsed.is_blank or limit <= 0:
        return SearchResult(total=0, hits=())
    return _Search(index, parsed, visibility or Visibility(), usage or {}).page(limit, max(0, offset))


class _Search:
    """One query on one index."""

    def __init__(self, index: SearchIndex, query: Query, visibility: Visibility, usage: Mapping[str, int]) -> None:
        self._database = index.database
        self._query = query
        self._usage = usage
        _choose(index.database, query, visibility)

    def page(self, limit: int, offset: int) -> SearchResult:
        any_of = self._query.match_any()
        if any_of is None:
            return self._newest(limit, offset)
        total = self._count(any_of)
        told = ToldFacts()
        hits: list[Hit] = []
        ranked: set[int] = set()
        for tier, match in self._tiers(any_of, total):
            found = [hit for hit in self._tier(tier, match, max(WINDOW, offset + limit)) if hit.id not in ranked]
            ranked.update(hit.id for hit in found)
            hits += self._new_facts(found, told, offset + limit - len(hits))
            # A weaker tier cannot reach a page that the stronger ones have filled.
            if len(hits) >= offset + limit:
                break
        return SearchResult(total=total - told.repeated, hits=tuple(hits[offset : offset + limit]))

    def _new_facts(self, ranked: Sequence[Ranked], told: ToldFacts, wanted: int) -> list[Hit]:
        """The first hits of these that say something which no hit before them says; no more than are wanted."""
        new: list[Hit] = []
        step = max(wanted, _AT_ONCE)
        for start in range(0, len(ranked), step):
            for hit, snippet in self._hits(ranked[start : start + step]):
                if len(new) == wanted:
                    return new
                if hit.kind is HitKind.SESSION or told.is_new(snippet.told, snippet.untold, hit.project):
                    new.append(hit)
        return new

    def _tiers(self, any_of: str, total: int) -> Iterator[tuple[Tier, str]]:
        """What to ask for, strongest first; asked one by one, because the first often suffices."""
        exact, all_of = self._query.match_exact(), self._query.match_all()
        has_all = all_of is None or self._count_to(1, all_of) > 0
        if exact is not None and has_all:
            yield Tier.EXACT, exact
        if all_of is not None and has_all:
            yield Tier.ALL, all_of
        telling = self._query.match_telling(self._telling_terms()) if total > _MANY else None
        if telling is not None:
            yield Tier.TELLING, telling
        yield Tier.ANY, any_of

    def _telling_terms(self) -> list[str]:
        """The rarest terms, as many as together stand in no more than `_MANY` passages, but at least one.

        Scoring is what a search spends its time on, and a common word moves no rare passage off the first page.
        """
        most = _MANY + 1
        # Common words are counted only as far as it takes to know which one is the rarest.
        while (found := self._counted_terms(most)) and found[0][0] == most:
            most *= 8
        sums = accumulate(number for number, _ in found)
        few = sum(sum_so_far <= _MANY for sum_so_far in sums)
        return [term for _, term in found[: max(1, few)]]

    def _counted_terms(self, most: int) -> list[tuple[int, str]]:
        """How many passages hold each term that is there at all, rarest first; none is counted beyond so many."""
        counts = ((self._count_to(most, match), term) for term in self._query.terms if (match := fts_expression(term)))
        return sorted((number, term) for number, term in counts if number)

    def _newest(self, limit: int, offset: int) -> SearchResult:
        rows = self._database.all(_SQL["newest"], {"limit": limit, "offset": offset})
        page = [Ranked(id=row["id"], tier=Tier.ANY, relevance=0.0) for row in rows]
        total = self._database.one(_SQL["total_newest"])
        return SearchResult(total=total["total"] if total else 0, hits=tuple(hit for hit, _ in self._hits(page)))

    def _tier(self, tier: Tier, match: str, depth: int) -> list[Ranked]:
        values = {"match": match, "filtered": self._query.is_filtered, "limit": depth}
        ranked = [
            Ranked(id=number, tier=tier, relevance=-bm25, at=at, used=self._usage.get(cited, 0))
            for number, bm25, at, cited in self._database.all(_SQL["ranked"], values)
        ]
        return with_priors(ranked)

    def _count(self, match: str) -> int:
        row = self._database.one(_SQL["total"], {"match": match, "filtered": self._query.is_filtered})
        return row["total"] if row else 0

    def _count_to(self, most: int, match: str) -> int:
        values = {"match": match, "filtered": self._query.is_filtered, "most": most}
        row = self._database.one(_SQL["total_at_most"], values)
        return row["total"] if row else 0

    def _hits(self, page: Sequence[Ranked]) -> list[tuple[Hit, Snippet]]:
        """Hits, each with what was cut out of its passage."""
        rows = {row["id"]: row for row in self._rows("passages", page)}
        terms = (*self._query.terms, *self._query.phrases)
        beside = self._beside(page)
        return [_hit(ranked, rows[ranked.id], terms, is_beside=ranked.id in beside) for ranked in page]

    def _beside(self, page: Sequence[Ranked]) -> set[int]:
        """Those that were found by the words of their neighbours alone."""
        ids, match = {hit.id for hit in page}, self._query.match_own()
        if match is None:
            return set()
        return ids - {row["id"] for row in self._database.all(_SQL["own"], {"match": match, "ids": _json_ids(ids)})}

    def _rows(self, statement: str, ranked: Sequence[Ranked]) -> list[Row]:
        return self._database.all(_SQL[statement], {"ids": _json_ids(hit.id for hit in ranked)})


def _hit(ranked: Ranked, row: Row, terms: Sequence[str], *, is_beside: bool) -> tuple[Hit, Snippet]:
    kind = HitKind(row["kind"])
    snippet = cut_snippet(row["body"], terms)
    first, last = (snippet.first, snippet.last) if kind is HitKind.MEMORY else (0, 0)
    hit = Hit(
        kind=kind,
        path=row["path"] and masked_name(row["path"]),
        session_id=row["session_id"],
        line_start=row["line_start"] + first,
        line_end=row["line_start"] + last,
        snippet=snippet.text,
        score=ranked.score,
        updated_at=None if row["at"] is None else from_ms(row["at"]),
        project=row["project"],
        host=row["host"],
        is_beside=is_beside,
        explanation=ranked.explanation,
    )
    return hit, snippet


def _choose(database: Database, query: Query, visibility: Visibility) -> None:
    """Note on this connection what the query may see; every statement after this asks within it."""
    for statement in ("create_hidden", "create_chosen", "clear_hidden", "clear_chosen"):
        database.run(_SQL[statement])
    hidden = {"sessions": _json(visibility.hidden_sessions), "paths": _json(visibility.hidden_paths)}
    database.run(_SQL["hide"], hidden)
    if query.is_filtered:
        database.run(_SQL["choose"], _filters(query))


def _filters(query: Query) -> Parameters:
    """The filters as SQL parameters; None stands for no filter."""
    return {
        "kind": query.kind and query.kind.value,
        "paths": _json(query.paths) if query.paths else None,
        "projects": _json(query.projects) if query.projects else None,
        "hosts": _json(query.hosts) if query.hosts else None,
        "after": query.after and to_ms(query.after),
        "before": query.before and to_ms(query.before),
    }


def _json_ids(ids: Iterable[int]) -> str:
    return msgspec.json.encode(list(ids)).decode()


def _json(values: Iterable[str]) -> str:
    return msgspec.json.encode(list(values)).decode()
