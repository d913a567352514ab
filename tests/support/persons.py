"""Whose word a command of a test is: by default a person's, who sits at a terminal."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from vademecum.cli import authority

__all__ = ["at_terminal", "own_word"]

#: Commands, or groups of them with the commands, that ask whose word they are.
_ASKING = {"note", "memory", "patch", "undo"}
_DECIDING = {
    *(("proposals", word) for word in ("accept", "reject")),
    *(("config", word) for word in ("set", "unset")),
    *(("home", word) for word in ("route", "unroute")),
}


@contextmanager
def at_terminal(*, is_one: bool = True) -> Generator[None]:
    """In this process commands find a terminal, or none; a runner of tests has none of its own."""
    with patch.object(authority, "is_terminal_here", lambda: is_one):
        yield


def own_word(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a command for a process of its own, which has no terminal, as the person's scripts give them."""
    asks = words[0] in _ASKING or tuple(words[:2]) in _DECIDING or (words[0] == "mode" and len(words) > 2)
    return (*words, "--yes") if asks else tuple(words)
