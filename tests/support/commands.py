"""Every command that prints data, for the rules that all of them keep."""

from collections.abc import Sequence

from support.product import Product

__all__ = ["DATA", "filled", "names"]

#: Commands that print data for programs, with arguments that work in a home where something was learned.
DATA = [
    ("init",),
    ("learn",),
    ("context",),
    ("search", "pnpm"),
    ("read", "MEMORY.md"),
    ("ls",),
    ("ls", "rollout_summaries"),
    ("log",),
    ("log", "MEMORY.md"),
    ("note", "call her Ada"),
    ("adopt",),
    ("sessions",),
    ("sessions", "list"),
    ("status",),
    ("runs",),
    ("home",),
    ("sessions", "show", "$sessions"),
    ("runs", "show", "$runs"),
    ("config",),
    ("config", "list"),
    ("config", "get", "use_memories"),
    ("config", "set", "min_rollout_idle_hours", "2"),
    ("config", "unset", "min_rollout_idle_hours"),
]


def filled(product: Product, words: Sequence[str]) -> list[str]:
    """The words with the newest session and run in the place of their marks."""
    return [product.call(word[1:], "--json").json[word[1:]][0]["id"] if word[0] == "$" else word for word in words]


def names(words: Sequence[str]) -> str:
    """How a test over commands calls them."""
    return " ".join(words)
