"""What was meant by a word that is none of those that are known."""

from collections.abc import Sequence

__all__ = ["alike", "did_you_mean"]

_MOST = 3


def alike(word: str, known: Sequence[str], *, likeness: float = 0.5) -> list[str]:
    """The known words that are most like it, the most like one first. `likeness`: 0 anything, 1 the same."""
    from difflib import get_close_matches  # only who mistyped waits for it

    return get_close_matches(word, known, n=_MOST, cutoff=likeness)


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """The end of a sentence about a word that is not known; empty where it is like nothing."""
    meant = alike(word, known)
    return f"; did you mean {' or '.join(f'`{one}`' for one in meant)}?" if meant else ""
