"""Start what stands in a host's configuration, or the host itself, for a short time, and leave no process behind."""

import os
import signal
import subprocess
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress

__all__ = ["Deadline", "ended", "start"]

#: A program whose input is closed ends by itself; one that does not is ended.
_GRACE_SECONDS = 2.0


def start(
    words: Sequence[str], environ: Mapping[str, str], folder: str, *, takes_input: bool = False
) -> subprocess.Popen[str]:
    """Start a program as the leader of a session of its own. Raises OSError.

    `takes_input`: it is spoken to by its input, and what it complains of is dropped; else it has none, and that stands
    in its output.
    """
    return subprocess.Popen(  # noqa: S603  what the host's configuration names, or the person's own program
        words,
        stdin=subprocess.PIPE if takes_input else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if takes_input else subprocess.STDOUT,
        cwd=folder,
        env=dict(environ),
        text=True,
        errors="replace",
        start_new_session=True,
    )


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
