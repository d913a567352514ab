"""The server: takes one line after the other, answers what it can at once, and lets calls run beside."""

import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, cast

from vademecum.errors import VademecumError
from vademecum.mcp.asked import Asked, Method
from vademecum.mcp.batches import MAX_BATCH, Batch
from vademecum.mcp.callers import Options
from vademecum.mcp.calls import Call, Calls
from vademecum.mcp.channel import MAX_LINE_BYTES, TooLong
from vademecum.mcp.confirming import ANSWER_SECONDS, Asking, InputRequired, Seals
from vademecum.mcp.messages import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Invalid,
    Message,
    Notification,
    Request,
    Response,
    RpcError,
    as_error,
    as_line,
    as_result,
    read_line,
    read_message,
)
from vademecum.mcp.methods import QUICK, SLOW, greeting
from vademecum.mcp.standing import StandingHome
from vademecum.mcp.versions import Dialect, agree, dialect_of, first_dialect

__all__ = ["Server"]

_Answer = Mapping[str, Any]
_Reply = Callable[[_Answer | None], None]


class Server:
    """One connection.

    Parameters
    ----------
    put: takes the lines that go out, from any thread.
    answer_seconds: how long a person has to answer a question.
    """

    def __init__(
        self,
        put: Callable[[bytes], None],
        options: Options,
        environ: Mapping[str, str],
        *,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._put, self._options, self._environ = put, options, environ
        self._standing = StandingHome(environ, is_installed=options.host is not None)
        self._dialect = first_dialect()
        self._calls = Calls()
        self._asking = Asking(self._send, seconds=answer_seconds)
        self._seals = Seals(seconds=answer_seconds)

    def take(self, line: bytes | TooLong) -> None:
        """Do what a line says."""
        if isinstance(line, TooLong):
            self._send(as_error(None, INVALID_REQUEST, f"a message may have {MAX_LINE_BYTES:,} bytes"))
            return
        try:
            value = read_line(line)
        except RpcError as error:
            self._send(as_error(None, error.code, str(error)))
            return
        if isinstance(value, list):
            self._take_batch(cast("list[object]", value))
        else:
            self._take(read_message(value), self._send_any)

    def finish(self, seconds: float) -> None:
        """No message will come any more: let the calls come to their end, for so long at most."""
        self._asking.close()
        self._calls.finish(seconds)

    def _take_batch(self, values: list[object]) -> None:
        if not self._dialect.takes_batches or not 0 < len(values) <= MAX_BATCH:
            why = f"an array of 1 to {MAX_BATCH} messages is known to version 2025-03-26 of the protocol only"
            self._send(as_error(None, INVALID_REQUEST, why))
            return
        batch = Batch(len(values), self._send)
        for value in values:
            self._take(read_message(value), batch.add)

    def _take(self, message: Message, reply: _Reply) -> None:
        """`reply` is called once, with None where there is no answer."""
        match message:
            case Request():
                self._answer(message, reply)
            case Invalid():
                reply(as_error(message.id, INVALID_REQUEST, message.why))
            case Response():
                self._asking.take(message)
                reply(None)
            case Notification():
                self._note(message)
                reply(None)

    def _note(self, notification: Notification) -> None:
        if notification.method == "notifications/cancelled":
            call = self._calls.cancel(notification.params.get("requestId"))
            if call is not None:
                self._asking.forget(call)

    def _answer(self, request: Request, reply: _Reply) -> None:
        try:
            self._serve(request, dialect_of(request.params) or self._dialect, reply)
        except RpcError as error:
            reply(as_error(request.id, error.code, str(error), error.data))

    def _serve(self, request: Request, dialect: Dialect, reply: _Reply) -> None:
        if request.id in self._calls:
            raise RpcError(INVALID_REQUEST, f"the request {request.id!r} was not answered yet")
        if request.method == "initialize":
            self._dialect = agree(request.params)
            reply(as_result(request.id, greeting(self._dialect, self._environ)))
        elif quick := QUICK.get(request.method):
            reply(_outcome(request, quick, self._asked(request, dialect)))
        elif slow := SLOW.get(request.method):
            self._start(request, slow, dialect, reply)
        else:
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {request.method!r}")

    def _start(self, request: Request, method: Method, dialect: Dialect, reply: _Reply) -> None:
        def work(call: Call) -> None:
            answer = None if call.is_cancelled else _outcome(request, method, self._asked(request, dialect, call))
            call.is_answered = True
            reply(None if call.is_cancelled else answer)

        self._calls.start(Call(request.id, work))

    def _asked(self, request: Request, dialect: Dialect, call: Call | None = None) -> Asked:
        return Asked(
            params=request.params,
            dialect=dialect,
            options=self._options,
            environ=self._environ,
            standing=self._standing,
            confirm=self._confirm(request, dialect, call) if call else None,
        )

    def _confirm(self, request: Request, dialect: Dialect, call: Call) -> Callable[[str], bool] | None:
        if not dialect.can_ask_person:
            return None
        if dialect.is_modern:
            return lambda question: self._seals.confirm(request.params, question)
        return lambda question: self._asking.ask(call, question)

    def _send_any(self, answer: _Answer | None) -> None:
        if answer is not None:
            self._send(answer)

    def _send(self, message: object) -> None:
        self._put(as_line(message))


def _outcome(request: Request, method: Method, asked: Asked) -> _Answer:
    """The answer of a method, whatever becomes of it."""
    try:
        return as_result(request.id, method(asked))
    except InputRequired as wanted:
        return as_result(request.id, wanted.result)
    except RpcError as error:
        return as_error(request.id, error.code, str(error), error.data)
    except VademecumError as error:
        return as_error(request.id, error.exit_code, str(error), error.shape())
    except Exception as error:  # noqa: BLE001  a bug in one call must not end the others, nor stay unseen
        frames = "".join(traceback.format_tb(error.__traceback__))  # without the message, which may tell of memory
        sys.stderr.write(f"{frames}{type(error).__name__} in {request.method}\n")
        return as_error(request.id, INTERNAL_ERROR, f"internal error: {type(error).__name__}")
