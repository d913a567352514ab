"""Heartbeat: while a learner works, a thread moves the end of its lease, so that nobody else begins the same work.

Where the lease was lost all the same, the work is told to stop: what comes of it cannot be stored.
"""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from vademecum.errors import VademecumError
from vademecum.state import State

__all__ = ["LEASE_SECONDS", "Lease", "heartbeat"]

#: Outlasts several beats that a slow disk or a full processor holds up; a dead owner's lease ends at once anyway.
LEASE_SECONDS = 300.0
_BEAT_SECONDS = 60.0


class Lease:
    """The right to store what comes of one job."""

    def __init__(
        self, database: Path, token: str, *, lease_seconds: float = LEASE_SECONDS, beat_seconds: float = _BEAT_SECONDS
    ) -> None:
        self._database, self._token = database, token
        self._lease_seconds, self._beat_seconds = lease_seconds, beat_seconds
        self._renewed_at = time.monotonic()
        self._ended, self._lost = threading.Event(), threading.Event()

    @property
    def is_lost(self) -> bool:
        """Whether somebody else may have the job by now."""
        return self._lost.is_set()

    def keep(self) -> None:
        """Renew until the end, or until the lease is lost: what the thread does."""
        while not self._ended.wait(self._beat_seconds):
            if not self._renew():
                self._lost.set()
                return

    def end(self) -> None:
        """No more beats."""
        self._ended.set()

    def _renew(self) -> bool:
        try:
            # A connection of this thread's own, and only for the moment: nothing is left open if the process ends.
            with State.open(self._database) as state:
                is_ours = state.jobs.renew(self._token, lease_seconds=self._lease_seconds)
        except VademecumError:
            # A database that is busy may answer the next beat; one that never does has let the lease run out.
            return time.monotonic() - self._renewed_at < self._lease_seconds
        self._renewed_at = time.monotonic()
        return is_ours


@contextmanager
def heartbeat(lease: Lease) -> Generator[None]:
    """Keep a lease for the length of the block."""
    thread = threading.Thread(target=lease.keep, name="vade-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        lease.end()
        thread.join()
