"""Calls that run beside the reading of messages, so that a ping or a cancellation is heard meanwhile."""

import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Condition, Event, Thread

from vademecum.mcp.messages import Id

__all__ = ["MAX_THREADS", "Call", "Calls"]

#: So many calls run at once; others wait for their turn.
MAX_THREADS = 8


class Call:
    """One call on its way."""

    def __init__(self, identifier: Id, work: Callable[["Call"], None]) -> None:
        self.id, self._work = identifier, work
        self._cancelled = Event()
        #: Set before its answer goes out: whoever has that may use the id again.
        self.is_answered = False

    @property
    def is_cancelled(self) -> bool:
        """Whether the client wants no answer any more."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Never answer this one; what it has begun to write it still writes, whole."""
        self._cancelled.set()

    def run(self) -> None:
        """Do the work, which looks by itself whether it was cancelled before its turn came."""
        self._work(self)


class Calls:
    """Every call that was not answered yet, by its id."""

    def __init__(self) -> None:
        self._open: dict[Id, Call] = {}
        self._queue: SimpleQueue[Call] = SimpleQueue()
        self._changed = Condition()
        self._threads = 0

    def __contains__(self, identifier: Id) -> bool:
        call = self._open.get(identifier)
        return call is not None and not call.is_answered

    def start(self, call: Call) -> None:
        """Run a call as soon as a thread is free."""
        with self._changed:
            self._open[call.id] = call
            needs_thread = self._threads < min(len(self._open), MAX_THREADS)
            self._threads += needs_thread
        self._queue.put(call)
        if needs_thread:
            Thread(target=self._work_off, name="vade-call", daemon=True).start()

    def cancel(self, identifier: object) -> Call | None:
        """Cancel a call; None where there is none of this id, because it was answered or never was."""
        call = self._open.get(identifier) if isinstance(identifier, Id) else None
        if call is not None:
            call.cancel()
        return call

    def finish(self, seconds: float) -> None:
        """Wait until every call is at its end, or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open, seconds)

    def _work_off(self) -> None:
        while True:
            call = self._queue.get()
            try:
                call.run()
            except Exception as error:  # noqa: BLE001  the thread belongs to the calls that come after, too
                sys.stderr.write(f"a call ended with {type(error).__name__}\n")
            finally:
                with self._changed:
                    if self._open.get(call.id) is call:
                        del self._open[call.id]
                    self._changed.notify_all()
