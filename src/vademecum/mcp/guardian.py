"""Who sees to it that a server does not outlive its host, however badly it hangs.

A server that works sees the end of its pipes and ends. One that is stopped, or caught in a call into C, sees nothing;
so a process beside it watches the same pipes and kills it then. It is forked before anything else is done, and ends
with its server. The kernel has such a watch on Linux only, and counts the end of the thread that started the server,
which in a host with many threads may come at any time.
"""

import os
import select
import signal
import sys
from typing import NoReturn

__all__ = ["Guardian"]

#: A server that works is gone by then.
GRACE_MS = 1_200
#: macOS tells of a lost pipe at the beginning of a wait for certain.
_LOOK_MS = None if sys.platform == "linux" else 400


class Guardian:
    """The process that watches this one."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        lifeline, self._held = os.pipe()
        server = os.getpid()
        try:
            self._process_id = os.fork()
        except OSError:  # too many processes: the server does its work all the same
            self._process_id = 0
        else:
            if self._process_id == 0:
                os.close(self._held)
                _watch(server, (incoming, outgoing), lifeline)
        os.close(lifeline)

    def dismiss(self) -> None:
        """Let it end, which it does at once, and take note of it, for not every container has somebody who would."""
        os.close(self._held)
        if self._process_id:
            os.waitpid(self._process_id, 0)


def _watch(server: int, pipes: tuple[int, int], lifeline: int) -> NoReturn:
    try:
        # Ctrl-C in a terminal goes to all of its programs; what it ends is up to the host.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if not _until_lost((*pipes, lifeline), lifeline) and not _lost((lifeline,), GRACE_MS):
            # The lifeline holds, so it is the very process still.
            os.kill(server, signal.SIGKILL)
    finally:
        os._exit(0)


def _until_lost(ends: tuple[int, ...], lifeline: int) -> bool:
    """Wait until one end is lost; whether it is the lifeline."""
    while not (lost := _lost(ends, _LOOK_MS)):
        continue
    return lifeline in lost


def _lost(ends: tuple[int, ...], limit_ms: int | None) -> set[int]:
    poll = select.poll()
    for end in ends:
        poll.register(end, select.POLLHUP)
    return {end for end, _ in poll.poll(limit_ms)}
