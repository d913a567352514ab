"""Messages that are written again whenever more of them is known: the last writing counts, at the place of the first.

Exact for a window of recent messages. Older ones are settled and can change no more, so a log of any length costs the
memory of the window only; a rewind that reaches back beyond the window takes back what the window holds.
"""

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Generic, TypeVar

from vademecum.sessions.reasons import PassedOver

__all__ = ["RewrittenLog"]

#: Messages that may still change; half of them are settled when the window is full.
WINDOW_MESSAGES = 4_000
#: The same for what they take in memory.
WINDOW_BYTES = 32 << 20

T = TypeVar("T")


class RewrittenLog(Generic[T]):
    """Takes messages by their ids and hands each to `settle` once, in the order in which they were first written."""

    def __init__(self, *, settle: Callable[[T], object], skipped: Counter[str]) -> None:
        self._settle, self._skipped = settle, skipped
        #: Id -> the message, and the memory that it takes.
        self._window: dict[str, tuple[T, int]] = {}
        self._size_bytes = 0

    def write(self, message_id: str, message: T, *, size_bytes: int) -> None:
        """A message, or what stands in the place of the one with the same id."""
        self._size_bytes += size_bytes - self._window.get(message_id, (None, 0))[1]
        self._window[message_id] = (message, size_bytes)
        if len(self._window) > WINDOW_MESSAGES or self._size_bytes > WINDOW_BYTES:
            self._settle_first(max(1, len(self._window) // 2))

    def rewind(self, message_id: str) -> None:
        """Take back this message and all after it; all, where nobody knows it: so the host reads its own log."""
        kept = list(self._window).index(message_id) if message_id in self._window else 0
        for gone in list(self._window)[kept:]:
            self._size_bytes -= self._window.pop(gone)[1]
            self._skipped[PassedOver.REWOUND] += 1

    def finish(self) -> None:
        """Settle all that is left."""
        self._settle_first(len(self._window))

    def _settle_first(self, count: int) -> None:
        for message_id in list(islice(self._window, count)):
            message, size_bytes = self._window.pop(message_id)
            self._size_bytes -= size_bytes
            self._settle(message)
