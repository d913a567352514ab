"""Every command that prints data, for the rules that all of them keep."""

from collections.abc import Sequence

from support.product import Product

__all__ = ["DATA", "EDITS", "filled", "names"]

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
    ("show", "HEAD"),
    ("diff", "HEAD~1"),
    ("blame", "MEMORY.md"),
    ("why", "MEMORY.md"),
    ("why", "MEMORY.md:1"),
    ("why", "pnpm"),
    ("cite", "@answer.md"),
    ("note", "call her Ada"),
    ("adopt",),
    ("proposals",),
    ("proposals", "show", "$proposals"),
    ("proposals", "accept", "$proposals"),
    ("proposals", "reject", "$proposals"),
    ("undo", ":/Learn from", "--dry-run"),
    ("sessions",),
    ("sessions", "list"),
    ("status",),
    ("doctor",),
    ("usage",),
    ("runs",),
    ("home",),
    ("home", "route", "/srv/acme", "acme"),
    ("home", "unroute", "/srv/acme"),
    ("sessions", "show", "$sessions"),
    ("runs", "show", "$runs"),
    ("install", "codex", "--dry-run"),
    ("uninstall", "codex", "--yes"),
    ("config",),
    ("config", "list"),
    ("config", "get", "use_memories"),
    ("config", "set", "min_rollout_idle_hours", "2"),
    ("config", "unset", "min_rollout_idle_hours"),
]


#: The same for commands that can be done once only.
EDITS = [
    ("memory", "create", "reference/tea", "--description", "Tea", "--text", "green\n"),
    ("memory", "str-replace", "MEMORY.md", "--old", "scope: ", "--new", "scope:  ", "--all"),
    ("memory", "insert", "system/human", "--line", "99", "--text", "likes tea"),
    ("memory", "delete", "system/persona"),
    ("memory", "rename", "system/persona", "reference/persona"),
    ("memory", "describe", "system/persona", "--description", "who I am"),
    ("patch", "@note.patch"),
    ("mode", "$sessions", "disabled"),
    ("forget", "$sessions", "--yes"),
    ("forget", "extensions/ad_hoc/instructions.md", "--scrub", "--yes", "--protected"),
    ("reset", "--yes"),
]

#: Files that commands read, by the name behind `@`.
FILES = {
    "answer.md": "Use pnpm.\n\n```memory-citation\nMEMORY.md:1-2\n```\n",
    "note.patch": "*** Begin Patch\n*** Add File: log/day.md\n+a good day\n*** End Patch\n",
}


def filled(product: Product, words: Sequence[str]) -> list[str]:
    """The words with the newest session, run or proposal, or the path of a file, in the place of their marks."""
    if "$proposals" in words:
        product.agents_edit()
    return [_filled(product, word) for word in words]


def _filled(product: Product, word: str) -> str:
    if word.startswith("$"):
        return product.call(word[1:], "--json").json[word[1:]][0]["id"]
    if word.startswith("@"):
        file = product.folder / word[1:]
        file.write_text(FILES[word[1:]], encoding="utf-8")
        return str(file)
    return word


def names(words: Sequence[str]) -> str:
    """How a test over commands calls them."""
    return " ".join(words)
