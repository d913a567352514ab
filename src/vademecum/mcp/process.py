"""The process that hosts start: its streams, its signals and its end."""

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from vademecum.errors import UsageError
from vademecum.mcp.callers import read_options
from vademecum.mcp.channel import Outbox, claim_standard_streams, lines
from vademecum.mcp.guardian import Guardian
from vademecum.mcp.server import Server

__all__ = ["run"]

#: A client that closed its end waits a while before it kills us: so long calls may take to come to their end.
_FINISH_SECONDS = 0.7
_DRAIN_SECONDS = 0.2

_USAGE = 2
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def run(words: Sequence[str], environ: Mapping[str, str]) -> NoReturn:
    """Serve until the client closes its end, or somebody ends this process; it never returns."""
    try:
        options = read_options(words)
    except UsageError as error:
        sys.stderr.write(f"error[{error.code}]: {error}\nnext: {error.next_step}\n")
        sys.exit(_USAGE)
    incoming, outgoing = claim_standard_streams()
    guardian = Guardian(incoming, outgoing)
    outbox = Outbox(outgoing)
    server = Server(outbox.put, options, environ)
    code = _serve(server, outbox, incoming, outgoing)
    server.finish(_FINISH_SECONDS)
    outbox.drain(_DRAIN_SECONDS)
    guardian.dismiss()
    # A call that still runs is left where it is, as if the power had failed, which memory survives at any point; the
    # interpreter would take its time to say goodbye to the thread.
    os._exit(code)


def _serve(server: Server, outbox: Outbox, incoming: int, outgoing: int) -> int:
    """Take every line; the exit code."""
    alarm = _signals_as_input()
    try:
        for line in lines(incoming, outgoing, alarm):
            server.take(line)
            if outbox.is_gone:
                break
    except OSError:  # the pipe broke, which is an end like any other
        return 0
    finally:
        for number in _SIGNALS:  # a second one ends the process at once
            signal.signal(number, signal.SIG_DFL)
    with suppress(BlockingIOError):
        return 128 + os.read(alarm, 1)[0]
    return 0


def _signals_as_input() -> int:
    """A descriptor at which the number of every signal that asks for the end can be read.

    A handler that raises would not do: one that is called between the last look at signals and the wait for a message
    leaves the wait as it is.
    """
    reading, writing = os.pipe()
    for descriptor in (reading, writing):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in _SIGNALS:
        signal.signal(number, _do_nothing)
    return reading


def _do_nothing(_number: int, _frame: FrameType | None) -> None:
    """The handler that a signal needs to be told of at all."""
