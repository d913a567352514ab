"""Questions to a running server of opencode: on this machine only, each with an end in time and size.

No redirect is followed and no proxy asked. The password goes to a server that has said that it is one of opencode's.
"""

import http.client
import os
import time
from base64 import b64encode
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from socket import SHUT_RDWR, socket
from threading import Event, Timer
from urllib.parse import urlsplit

import msgspec

from vademecum.errors import SessionUnreadable
from vademecum.sessions.addresses import loopback_address
from vademecum.sessions.json_stream import JsonStream

__all__ = ["answers", "asked"]

_NAME = "opencode"
_HEALTH_SECONDS = 1
_HEALTH_BYTES = 64 * 1024
_PIECE_BYTES = 64 * 1024
#: Of one answer. A session as large as that does not fit into a model a thousand times over.
_MOST_BYTES = 1024 * 1024 * 1024
#: A server that hangs would hold up a pass for as many minutes as it has sessions.
_REST_SECONDS = 300
_AGAIN = "Nothing to do: a later `vade learn` tries it again."

#: Address -> when it may be asked again, by the monotonic clock.
_resting: dict[str, float] = {}


class _Health(msgspec.Struct, frozen=True):
    healthy: bool = False


def answers(address: str) -> bool:
    """Whether a server of opencode listens there, with a password or without one."""
    try:
        with _response(address, "/global/health", {}, _HEALTH_SECONDS) as (status, read):
            if status == HTTPStatus.UNAUTHORIZED:
                return True
            data = JsonStream(read, source=address).value(_HEALTH_BYTES)
        return status == HTTPStatus.OK and msgspec.json.decode(data or b"null", type=_Health).healthy
    except (SessionUnreadable, msgspec.MsgspecError):
        return False


@contextmanager
def asked(address: str, path: str, *, seconds: float) -> Generator[JsonStream]:
    """The answer to one question, read inside of the block. Raises SessionUnreadable, also where it takes too long."""
    if time.monotonic() < _resting.get(address, 0):
        raise SessionUnreadable(f"the server at {address} did not answer in time just now", next_step=_AGAIN)
    with _response(address, path, _login(), seconds, rests=True) as (status, read):
        if status != HTTPStatus.OK:
            raise _trouble(address, status)
        yield JsonStream(read, source=f"what the server at {address} answers")


def _login() -> dict[str, str]:
    """A reference of a session carries no environment, so that of the process is looked at."""
    password = os.environ.get("OPENCODE_SERVER_PASSWORD")
    if not password:
        return {}
    user = os.environ.get("OPENCODE_SERVER_USERNAME") or _NAME
    return {"Authorization": f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"}


@contextmanager
def _response(
    address: str, path: str, headers: dict[str, str], seconds: float, *, rests: bool = False
) -> Generator[tuple[int, Callable[[], bytes]]]:
    """Status and body of an answer."""
    parts = urlsplit(loopback_address(address))
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=seconds)
    late = Event()
    try:
        connection.connect()
        with _ends_in(seconds, connection.sock, late):
            connection.request("GET", path, headers={"Accept": "application/json", **headers})
            with connection.getresponse() as answer:
                pieces = _body(answer)
                yield answer.status, lambda: next(pieces, b"")
    except (OSError, http.client.HTTPException) as error:
        if late.is_set() or isinstance(error, TimeoutError):
            raise _too_late(address, seconds, rests=rests) from error
        raise _silent(address, error) from error
    except SessionUnreadable as error:
        if late.is_set():  # the body was cut off by us
            raise _too_late(address, seconds, rests=rests) from error
        raise
    finally:
        connection.close()


def _body(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    left_bytes = _MOST_BYTES
    while piece := answer.read1(_PIECE_BYTES):
        left_bytes -= len(piece)
        if left_bytes < 0:
            raise SessionUnreadable("the server's answer has no end", next_step="Other sessions are not concerned.")
        yield piece


@contextmanager
def _ends_in(seconds: float, connected: socket, late: Event) -> Generator[None]:
    """Cut the connection off at that time, whatever comes: each byte of a slow one would begin a time-out anew."""

    def cut() -> None:
        late.set()
        with suppress(OSError):  # it is closed already
            connected.shutdown(SHUT_RDWR)

    timer = Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _too_late(address: str, seconds: float, *, rests: bool) -> SessionUnreadable:
    if rests:
        _resting[address] = time.monotonic() + _REST_SECONDS
    return SessionUnreadable(
        f"the server at {address} did not answer in full within {seconds:.0f} seconds", next_step=_AGAIN
    )


def _silent(address: str, error: Exception) -> SessionUnreadable:
    reason = getattr(error, "strerror", None) or type(error).__name__
    return SessionUnreadable(
        f"no server answers at {address}: {reason}",
        next_step=f"Start it (`{_NAME} serve`), or learn from its database: vade learn --from PATH.",
    )


def _trouble(address: str, status: int) -> SessionUnreadable:
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return SessionUnreadable(
            f"the server at {address} wants another password",
            next_step="Set OPENCODE_SERVER_PASSWORD to the one that it was started with.",
        )
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return SessionUnreadable(f"the server at {address} leads elsewhere ({status}), which is not followed")
    if status == HTTPStatus.NOT_FOUND:
        return SessionUnreadable(f"the server at {address} does not have this session (404)")
    return SessionUnreadable(
        f"the server at {address} cannot give this now (it answers {status})",
        next_step="Nothing to do: a later `vade learn` tries it again; from its database it can be read at any time.",
    )
