"""From memory to the prompt: the context block, and search over everything."""

from vademecum.recall.compile import Context, ContextSection, compile_context, fill_of_blocks, is_fresh, refresh
from vademecum.recall.index import SearchIndex
from vademecum.recall.pins import NO_INJECTION, Injection, Moment, drop_old_pins, drop_pins, given_to, pinned
from vademecum.recall.query import no_filters, with_filters
from vademecum.recall.search import Hit, SearchResult, Visibility, search

__all__ = [
    "NO_INJECTION",
    "Context",
    "ContextSection",
    "Hit",
    "Injection",
    "Moment",
    "SearchIndex",
    "SearchResult",
    "Visibility",
    "compile_context",
    "drop_old_pins",
    "drop_pins",
    "fill_of_blocks",
    "given_to",
    "is_fresh",
    "no_filters",
    "pinned",
    "refresh",
    "search",
    "with_filters",
]
