"""Start what stands in a host's configuration, or the host itself, for a short time, and leave no process behind."""

import os
import signal
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

__all__ = ["Deadline", "ended"]

#: A program whose input is closed ends by itself; one that does not is ended.
_GRACE_SECONDS = 2.0


@contextmanager
def ended(process: subprocess.Popen[str]) -> Generator[None]:
    """The process, which leads a session of its own, has ended after the block, and so have its children."""
    try:
        yield
    finally:
        with suppress(OSError):
            if process.stdin:
                process.stdin.close()
        try:
            with suppress(subprocess.TimeoutExpired):  # then it is ended below, as all that it has left behind is
                process.wait(_GRACE_SECONDS)
        finally:
            _kill(process)
            process.wait()
            if process.stdout:
                process.stdout.close()


class Deadline:
    """Ends a process that takes too long, so that who reads from it comes to the end."""

    def __init__(self, process: subprocess.Popen[str], seconds: float) -> None:
        self._timer = threading.Timer(seconds, _kill, [process])
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
