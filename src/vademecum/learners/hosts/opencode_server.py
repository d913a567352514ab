"""A server of opencode that lives for one errand: started on 127.0.0.1, spoken to over HTTP, ended with its group.

Its password is made for it, so that nobody else on the machine can use it. Source: the API of 1.18.33 (`GET /doc`).
"""

import http.client
import json
import re
import secrets
import time
from base64 import b64encode
from collections import deque
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from subprocess import DEVNULL
from threading import Thread
from typing import IO, TypeVar

import msgspec

from vademecum.errors import LearnerFailed, LearnerUnavailable
from vademecum.learners.hosts.processes import Limits, own_group
from vademecum.learners.hosts.troubles import trouble

__all__ = ["Server", "serving"]

_NAME = "opencode"
_LISTENS = re.compile(rb"listening on http://127\.0\.0\.1:(?P<port>[0-9]{1,5})")
#: It starts in 2 s; the rest is for slow machines, and for what a new version does at its first start.
_START_SECONDS = 120
_KEPT_LINES = 20
_MOST_BYTES = 64 * 1024 * 1024

Shape = TypeVar("Shape")


class Server:
    """A running server."""

    def __init__(self, port: int, password: str) -> None:
        self._port = port
        login = b64encode(f"{_NAME}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {login}", "Content-Type": "application/json"}

    def call(self, shape: type[Shape], method: str, path: str, body: object = None, *, seconds: float = 30) -> Shape:
        """What it answers. Raises LearnerFailed for an error, LearnerUnavailable where no answer comes in time."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=seconds)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), self._headers)
            answer = connection.getresponse()
            data = answer.read(_MOST_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise LearnerUnavailable(f"the server of {_NAME} does not answer: {type(error).__name__}") from error
        finally:
            connection.close()
        if answer.status >= 400:
            raise trouble(_NAME, data.decode(errors="replace"))
        try:
            return msgspec.json.decode(data, type=shape)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise LearnerFailed(f"the server of {_NAME} answered in a form that is not known") from error


@contextmanager
def serving(program: str, *, folder: Path, environ: Mapping[str, str], limits: Limits) -> Generator[Server]:
    """A server inside the block, with no plugins of the user. Raises LearnerFailed where it does not start."""
    password = secrets.token_urlsafe(24)
    command = [program, "serve", "--hostname", "127.0.0.1", "--port", "0", "--pure"]
    variables = {**environ, "OPENCODE_SERVER_USERNAME": _NAME, "OPENCODE_SERVER_PASSWORD": password}
    with own_group(command, folder, variables, limits, stdin=DEVNULL) as process:
        said = _Said(process.stdout, process.stderr)
        yield Server(said.port(min(limits.seconds, _START_SECONDS)), password)


class _Said:
    """What the server prints: read all the time, so that it never waits for us, and mostly thrown away."""

    def __init__(self, *pipes: IO[bytes] | None) -> None:
        #: None: a pipe came to its end.
        self._ports: Queue[int | None] = Queue()
        self._pipes = len(pipes)
        self._kept: deque[bytes] = deque(maxlen=_KEPT_LINES)
        for pipe in pipes:
            Thread(target=self._listen, args=(pipe,), daemon=True).start()

    def _listen(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError):  # closed: the server was ended
            while line := pipe.readline(64 * 1024):
                self._kept.append(line)
                if match := _LISTENS.search(line):
                    self._ports.put(int(match["port"]))
        self._ports.put(None)

    def port(self, seconds: float) -> int:
        """Where it listens, once it does."""
        end = time.monotonic() + seconds
        for _ in range(self._pipes):
            try:
                port = self._ports.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                raise LearnerUnavailable(f"{_NAME} did not start within {seconds:.0f} seconds") from None
            if port is not None:
                return port
        raise trouble(_NAME, b"".join(self._kept).decode(errors="replace"))
