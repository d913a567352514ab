"""How to know again in a line what was said."""

import re
from collections.abc import Iterable

__all__ = ["stands_on"]


def stands_on(words: Iterable[str], line: str) -> bool:
    """All words stand on this line; a word may go on at its right end (`quer` is in `queries`), not at its left."""
    folded = line.casefold()
    return all(re.search(_left_edge(word) + re.escape(word.casefold()), folded) for word in words)


def _left_edge(word: str) -> str:
    return r"(?<![a-z0-9])" if word[:1].isascii() and word[:1].isalnum() else ""
