"""Several messages in one line, which one version of the protocol allows, and their answers, in one line too."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

__all__ = ["MAX_BATCH", "Batch"]

#: More messages than these in one line are refused.
MAX_BATCH = 1_000


class Batch:
    """Gathers what the messages of a line are answered, in whatever order they come to their end.

    Parameters
    ----------
    size: how many messages there are.
    send: sends the answers, where there are any.
    """

    def __init__(self, size: int, send: Callable[[object], None]) -> None:
        self._missing, self._send = size, send
        self._answers: list[Mapping[str, Any]] = []
        self._lock = Lock()

    def add(self, answer: Mapping[str, Any] | None) -> None:
        """The answer to one more message; None where there is none, as for a notification."""
        with self._lock:
            if answer is not None:
                self._answers.append(answer)
            self._missing -= 1
            is_whole = not self._missing
        if is_whole and self._answers:
            self._send(self._answers)
