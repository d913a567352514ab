"""Programs of others, run in a process group of their own that never outlives us.

However the work ends (done, out of time, too much output, an error, our own death), the whole group is ended: first
asked to, then killed.
"""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from vademecum.artifacts import plain_line
from vademecum.errors import LearnerFailed, LearnerUnavailable
from vademecum.learners.hosts import watch
from vademecum.secrets import mask

__all__ = ["Ended", "Limits", "excerpt", "own_group", "run"]

_CHUNK_BYTES = 64 * 1024
#: How often a program that left its pipes to somebody else is noticed to have ended.
_LOOK_SECONDS = 0.2
_EXCERPT_CHARACTERS = 400


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a program may take."""

    seconds: float
    #: Of standard output and standard error together.
    output_bytes: int = 16 * 1024 * 1024
    #: Between the request to end and the kill.
    grace_seconds: float = 5.0


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A program that came to its end."""

    #: Negative: the signal that ended it.
    status: int
    output: str
    errors: str


def run(command: Sequence[str], *, folder: Path, environ: Mapping[str, str], stdin: Path, limits: Limits) -> Ended:
    """Run a program to its end, with a file as its input.

    Raises LearnerUnavailable where it takes too long, LearnerFailed where it says too much or cannot be started.
    """
    with stdin.open("rb") as source, own_group(command, folder, environ, limits, stdin=source) as process:
        output, errors = _collect(Path(command[0]).name, process, limits)
        # Its pipes are closed or its leader is gone: either way only the end is left to wait for.
        with suppress(subprocess.TimeoutExpired):
            process.wait(limits.grace_seconds)
        status = process.poll()
    if status is None:
        raise LearnerFailed(f"{Path(command[0]).name} closed its output and did not end")
    return Ended(status=status, output=output.decode(errors="replace"), errors=errors.decode(errors="replace"))


@contextmanager
def own_group(
    command: Sequence[str], folder: Path, environ: Mapping[str, str], limits: Limits, *, stdin: IO[bytes] | int
) -> Generator[subprocess.Popen[bytes]]:
    """A program in a process group of its own, which ends with the block, or with us. Raises LearnerFailed."""
    try:
        process = subprocess.Popen(  # noqa: S603  the program that the person asked for, by its absolute path
            command,
            cwd=folder,
            env=dict(environ),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Raw: a pipe that somebody still reads in a thread can be closed.
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise LearnerFailed(f"{command[0]} cannot be started: {error.strerror}") from error
    try:
        with _watched(process.pid):
            try:
                yield process
            finally:
                _end(process, limits.grace_seconds)
    finally:
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            pipe.close()


@contextmanager
def _watched(group: int) -> Generator[None]:
    """Somebody ends the group if we are killed inside the block."""
    watcher = subprocess.Popen(  # noqa: S603  our own script
        [sys.executable, "-I", "-S", watch.__file__, str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        with suppress(subprocess.TimeoutExpired):
            watcher.communicate(b".", timeout=5)


def _end(process: subprocess.Popen[bytes], grace_seconds: float) -> None:
    if process.poll() is None:
        _signal(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(grace_seconds)
    # Also where the leader has ended by itself: what it started may have stayed behind.
    _signal(process.pid, signal.SIGKILL)
    process.wait()


def _signal(group: int, number: signal.Signals) -> None:
    # PermissionError: macOS says so of a group in which only the dead are left.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _collect(name: str, process: subprocess.Popen[bytes], limits: Limits) -> tuple[bytes, bytes]:
    """All that it prints until both pipes are closed, or it has ended and they are empty."""
    end = time.monotonic() + limits.seconds
    heard: dict[int, bytearray] = {}
    with selectors.DefaultSelector() as selector:
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            heard[pipe.fileno()] = bytearray()
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            if (left := end - time.monotonic()) <= 0:
                raise LearnerUnavailable(f"{name} was not done after {limits.seconds:.0f} seconds and was ended")
            has_ended = process.poll() is not None
            ready = selector.select(0 if has_ended else min(left, _LOOK_SECONDS))
            if has_ended and not ready:
                break
            for key, _ in ready:
                data = os.read(key.fd, _CHUNK_BYTES)
                heard[key.fd] += data
                if not data:
                    selector.unregister(key.fileobj)
            if sum(map(len, heard.values())) > limits.output_bytes:
                raise LearnerFailed(f"{name} printed more than {limits.output_bytes:,} bytes and was ended")
    output, errors = heard.values()
    return bytes(output), bytes(errors)


def excerpt(text: str) -> str:
    """The end of what a program printed, as one line that may be stored and shown: masked, without control signs."""
    lines = [line for line in text.splitlines() if line.strip()]
    return plain_line(mask("\n".join(lines[-3:])), _EXCERPT_CHARACTERS)
