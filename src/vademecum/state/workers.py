"""Who holds a lease: `pid@host:start`, and the proof that such a process is gone.

The start time tells a process from a later one that got the same number, so a lease of a dead owner is free at once
and a lease of a living one is never stolen.
"""

import os
import secrets
import socket
from pathlib import Path

__all__ = ["is_alive", "is_gone", "new_token", "this_worker"]

#: States of /proc/<pid>/stat in which a process no longer runs: zombie and dead.
_DEAD_STATES = frozenset("ZXx")


def this_worker() -> str:
    """The name of this process as a worker."""
    pid = os.getpid()
    return f"{pid}@{socket.gethostname()}:{_start(pid) or 0}"


def new_token() -> str:
    """A fresh secret of ownership for one claim."""
    return secrets.token_hex(16)


def is_gone(worker: str) -> bool:
    """True only where it is certain that the worker no longer runs; a worker of another machine never is."""
    pid_text, _, place = worker.partition("@")
    host, _, start = place.rpartition(":")
    if host != socket.gethostname() or not pid_text.isdecimal():
        return False
    pid = int(pid_text)
    if _tells_starts():
        return _start(pid) != start
    return not _has_process(pid)


def is_alive(worker: str) -> bool:
    """True only where it is certain that the worker still runs: on this machine, with the very start that it had."""
    pid_text, _, place = worker.partition("@")
    host, _, start = place.rpartition(":")
    if host != socket.gethostname() or not pid_text.isdecimal() or not _tells_starts():
        return False
    return _start(int(pid_text)) == start


def _tells_starts() -> bool:
    return Path("/proc/self/stat").exists()


def _start(pid: int) -> str | None:
    """Clock ticks from boot to the start of the process (field 22 of proc_pid_stat(5)); None when it does not run."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        # No such process, or a system without /proc: `this_worker` then writes 0.
        return None
    # The second field is the program's name in brackets, which may itself hold blanks and brackets.
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in _DEAD_STATES else fields[19]


def _has_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
