"""What a person types into the search, taken apart: words, "phrases", -words, filters.

    deploy "blue green" -heroku in:memory path:reference/ project:shop host:NAME after:2026-10-01 before:2026-11-01

What is no filter and no phrase is a word. A filter that is known with a value that is none is the one error: as a word
it would find something else than was meant, and nobody would see it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

import msgspec

from vademecum.artifacts import parse_time
from vademecum.errors import UsageError
from vademecum.recall.tokens import STOP_WORDS, fts_expression, query_words

__all__ = ["HitKind", "Query", "no_filters", "parse_query", "with_filters"]

_TOKEN = re.compile(r'(?P<minus>-(?=[\w"]))?(?:(?P<filter>[a-z]+):(?=\S))?(?:"(?P<phrase>[^"]*)"|(?P<word>\S+))')
#: Columns that hold a passage's own words; its neighbours' words neither make a phrase hit nor exclude it.
_OWN = "{title path headings body expanded}"
#: So many words, phrases, exclusions and values of one filter count; what is pasted beyond that is no question.
_MAX_TERMS = 64


class HitKind(StrEnum):
    """What a hit is part of."""

    MEMORY = "memory"  #: a file of the memory repository
    SESSION = "session"  #: a message of a session


_PLACES = {"memory": HitKind.MEMORY, "sessions": HitKind.SESSION}


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed query."""

    #: The words, in order; a long run of signs without blanks in overlapping pairs.
    words: tuple[str, ...] = ()
    #: What the words were taken from, as it was typed.
    typed: str = ""
    #: Phrases that a hit must hold.
    phrases: tuple[str, ...] = ()
    #: Words and phrases that a hit must not hold.
    excluded: tuple[str, ...] = ()
    #: Only this kind; None: both.
    kind: HitKind | None = None
    #: Parts of the path, any of which a memory hit must hold; lower case.
    paths: tuple[str, ...] = ()
    #: Parts of the project's path, any of which must be there; lower case.
    projects: tuple[str, ...] = ()
    #: Hosts, one of which it must be.
    hosts: tuple[str, ...] = ()
    #: From this moment on, and up to but without that one; a hit without a time passes.
    after: datetime | None = None
    before: datetime | None = None

    @property
    def terms(self) -> tuple[str, ...]:
        """The words that carry meaning; all of them where none does."""
        telling = tuple(word for word in self.words if word.lower().strip("?!.,;:") not in STOP_WORDS)
        return tuple(dict.fromkeys(telling or self.words))

    @property
    def is_blank(self) -> bool:
        """Whether nothing is asked for, neither words nor a filter."""
        return self.match_any() is None and not self.is_filtered

    @property
    def is_filtered(self) -> bool:
        """Whether hits must stand in certain places or times."""
        return any((self.kind, self.paths, self.projects, self.hosts, self.after, self.before))

    def match_any(self) -> str | None:
        """FTS5: every phrase, and where there is none, any of the terms; None where no word is asked for."""
        phrases = _expressions(self.phrases)
        terms = _expressions(self.terms)
        if not phrases and not terms:
            return None
        wanted = " OR ".join([*terms, *phrases])
        required = "".join(f" AND {_OWN} : ({phrase})" for phrase in phrases)
        return self._without_excluded(f"({wanted}){required}")

    def match_own(self) -> str | None:
        """FTS5: any of the terms and phrases in the passage itself, not beside it; None where no word is asked for."""
        wanted = _expressions((*self.terms, *self.phrases))
        return f"{_OWN} : ({' OR '.join(wanted)})" if wanted else None

    def match_telling(self, telling: Sequence[str]) -> str | None:
        """FTS5: as `match_any`, but only where one of these terms stands; None for a query with phrases."""
        any_of = self.match_any()
        chosen = _expressions(telling)
        return f"({' OR '.join(chosen)}) AND ({any_of})" if chosen and any_of and not self.phrases else None

    def match_all(self) -> str | None:
        """FTS5: all of the terms and phrases in the passage itself; None where `match_any` asks for no less."""
        wanted = _expressions((*self.terms, *self.phrases))
        return self._all_of(wanted) if len(wanted) > 1 and self.terms else None

    def match_exact(self) -> str | None:
        """FTS5: the words exactly as they were typed, one after the other, with the phrases; None for one word."""
        exact = fts_expression(self.typed) if len(self.words) > 1 else None
        return exact and self._all_of([exact, *_expressions(self.phrases)])

    def _all_of(self, wanted: list[str]) -> str:
        return self._without_excluded(f"{_OWN} : ({' AND '.join(wanted)})")

    def _without_excluded(self, expression: str) -> str:
        excluded = _expressions(self.excluded)
        return f"({expression}) NOT {_OWN} : ({' OR '.join(excluded)})" if excluded else expression


def parse_query(text: str) -> Query:
    """Take a query apart. A quote that is never closed makes every quote an ordinary sign.

    Raises UsageError for `in:`, `after:` or `before:` with a value that is none.
    """
    found = _Found()
    for match in _tokens(text):
        found.take(match)
    return found.query()


_TEXT_FILTERS = {"path": "paths", "project": "projects", "host": "hosts"}
_LISTS = ("words", "typed", "phrases", "excluded", *_TEXT_FILTERS.values())


class _Found:
    """What was read of a query so far."""

    def __init__(self) -> None:
        self._lists: dict[str, list[str]] = {name: [] for name in _LISTS}
        self._kind: HitKind | None = None
        self._times: dict[str, datetime] = {}

    def take(self, match: re.Match[str]) -> None:
        """Read one token: a filter where it is one, else what it excludes or asks for."""
        value, name = _value(match), match["filter"] or ""
        if self.take_filter(match):
            return
        text = f"{name}:{value}" if name else value
        if match["minus"]:
            self._lists["excluded"].append(text)
        elif match["phrase"] is not None:
            self._lists["phrases"].append(text)
        else:
            self._lists["typed"].append(text)
            self._lists["words"] += query_words(text)

    def take_filter(self, match: re.Match[str]) -> bool:
        """Read one token as a filter; whether it is one."""
        return not match["minus"] and self._take_filter(match["filter"] or "", _value(match))

    def query(self) -> Query:
        """The whole."""
        lists = {name: tuple(dict.fromkeys(values))[:_MAX_TERMS] for name, values in self._lists.items()}
        after, before = self._times.get("after"), self._times.get("before")
        return Query(
            words=tuple(self._lists["words"][:_MAX_TERMS]),
            typed=" ".join(self._lists["typed"][:_MAX_TERMS]),
            phrases=lists["phrases"],
            excluded=lists["excluded"],
            kind=self._kind,
            paths=lists["paths"],
            projects=lists["projects"],
            hosts=lists["hosts"],
            after=after,
            before=before,
        )

    def _take_filter(self, name: str, value: str) -> bool:
        if name in _TEXT_FILTERS:
            self._lists[_TEXT_FILTERS[name]].append(value.lower())
            return True
        if name == "in":
            self._kind = _place(value)
        elif name in {"after", "before"}:
            self._times[name] = _moment(name, value)
        else:
            return False
        return True


def _place(value: str) -> HitKind | None:
    if value not in {*_PLACES, "all"}:
        raise _no_value("in", value, f"It is one of {', '.join(_PLACES)}, all")
    return _PLACES.get(value)


def _moment(name: str, value: str) -> datetime:
    moment = parse_time(value)
    if moment is None:
        raise _no_value(name, value, "Write a day as 2026-11-20, or a moment as 2026-11-20T09:30:00Z")
    return moment


def _no_value(name: str, value: str, allowed: str) -> UsageError:
    typed = f"{name}:{value}"
    return UsageError(
        f"`{typed}`: {value!r} is nothing that the filter `{name}:` takes",
        next_step=f"{allowed}. In quotes it is searched as words: '\"{typed}\"'.",
    )


def no_filters(text: str) -> tuple[str, ...]:
    """What is written like a filter and is none that is known: it is searched as words."""
    found = _Found()
    written = (match for match in _tokens(text) if match["filter"] and not match["minus"])
    return tuple(match[0] for match in written if not found.take_filter(match))


def with_filters(text: str, filters: Mapping[str, str | None]) -> str:
    """A query narrowed by these filters as well, by name; None is no filter."""
    # A quote that is left open would take the filters into its phrase.
    words = text if text.count('"') % 2 == 0 else text.replace('"', " ")
    values = {name: value.replace('"', " ").strip() for name, value in filters.items() if value is not None}
    return " ".join([words, *(f'{name}:"{value}"' for name, value in values.items() if value)])


def _tokens(text: str) -> Iterator[re.Match[str]]:
    return _TOKEN.finditer(text if text.count('"') % 2 == 0 else text.replace('"', " "))


def _value(match: re.Match[str]) -> str:
    return match["word"] if match["phrase"] is None else match["phrase"]


def _expressions(texts: Sequence[str]) -> list[str]:
    return [expression for text in texts if (expression := fts_expression(text))]
