"""Questions to the person at the client: what deletes or resets memory needs their yes.

Clients of a handshake are sent a request, and the call waits for the answer. Modern ones are told which question is
open and call again with its answer; what they bring back is held against a seal, so that a yes to one question is none
to another, and counts once.
"""

import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from secrets import token_bytes, token_hex
from threading import Event, Lock
from typing import Any

import msgspec

from vademecum.mcp.calls import Call
from vademecum.mcp.messages import Response, as_object

__all__ = ["ANSWER_SECONDS", "Asking", "InputRequired", "Seals"]

#: How long a person has for their answer; then it is a no.
ANSWER_SECONDS = 120.0
_FIELD = "confirm"
_ANSWERS = "inputResponses"
_STATE = "requestState"
_MAX_STATE_CHARACTERS = 200


class _Waiting:
    """A question that was sent."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.answered = Event()
        self.is_yes = False


class Asking:
    """Questions of calls that wait for their answer.

    Parameters
    ----------
    send: sends a message to the client.
    """

    def __init__(self, send: Callable[[Mapping[str, Any]], None], *, seconds: float = ANSWER_SECONDS) -> None:
        self._send, self._seconds = send, seconds
        self._waiting: dict[object, _Waiting] = {}
        self._lock = Lock()
        self._asked = 0
        self._is_closed = False

    def ask(self, call: Call, question: str) -> bool:
        """Whether the person said yes; no answer in time, a closed connection and a cancelled call are a no."""
        waiting = _Waiting(call)
        with self._lock:
            if self._is_closed:
                return False
            self._asked += 1
            identifier = f"vademecum-{self._asked}"
            self._waiting[identifier] = waiting
        self._send({"jsonrpc": "2.0", "id": identifier, **_question(question)})
        if not waiting.answered.wait(self._seconds):
            self._withdraw(identifier)
        self._waiting.pop(identifier, None)
        return waiting.is_yes and not call.is_cancelled

    def take(self, response: Response) -> None:
        """The client's answer; one to no question of ours is passed over."""
        waiting = self._waiting.get(response.id)
        if waiting is not None:
            waiting.is_yes = _says_yes(response.result)
            waiting.answered.set()

    def forget(self, call: Call) -> None:
        """Withdraw the questions of a call that was cancelled."""
        for identifier, waiting in list(self._waiting.items()):
            if waiting.call is call:
                self._withdraw(identifier)
                waiting.answered.set()

    def close(self) -> None:
        """Nobody can answer any more."""
        with self._lock:
            self._is_closed = True
        for waiting in list(self._waiting.values()):
            waiting.answered.set()

    def _withdraw(self, identifier: object) -> None:
        params = {"requestId": identifier, "reason": "the question is no longer open"}
        self._send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})


class InputRequired(Exception):
    """A question has to be answered before a call can go on; `result` tells the client so. Never leaves this room."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        super().__init__("a person has to be asked")
        self.result = result


class Seals:
    """Which question a modern client's answer belongs to; nothing about it is remembered but what was used up."""

    def __init__(self, *, seconds: float = ANSWER_SECONDS) -> None:
        self._seconds = seconds
        self._key = token_bytes(32)
        self._used: set[str] = set()

    def confirm(self, params: Mapping[str, Any], question: str) -> bool:
        """Whether these params hold the answer to this question, and it is yes. Raises InputRequired."""
        subject = msgspec.json.encode([params.get("name"), params.get("arguments"), question], order="sorted")
        state = params.get(_STATE)
        answers = as_object(params.get(_ANSWERS)) or {}
        if isinstance(state, str) and _FIELD in answers and self._fits(state, subject):
            self._used.add(state)
            return _says_yes(answers[_FIELD])
        sealed = self._seal(f"{time.monotonic() + self._seconds:.0f}.{token_hex(8)}", subject)
        raise InputRequired(
            {"resultType": "input_required", "inputRequests": {_FIELD: _question(question)}, _STATE: sealed}
        )

    def _seal(self, words: str, subject: bytes) -> str:
        seal = hmac.digest(self._key, words.encode() + b"\n" + subject, "sha256")
        return f"{words}.{urlsafe_b64encode(seal).decode()}"

    def _fits(self, state: str, subject: bytes) -> bool:
        words = state.rpartition(".")[0]
        if len(state) > _MAX_STATE_CHARACTERS or not state.isascii() or state in self._used:
            return False
        return hmac.compare_digest(self._seal(words, subject), state) and float(words.split(".")[0]) > time.monotonic()


def _question(question: str) -> dict[str, Any]:
    """The request for a yes, as every version since 2025-06-18 has it."""
    field = {"type": "boolean", "title": "Yes, do it", "description": question, "default": False}
    schema = {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]}
    return {"method": "elicitation/create", "params": {"message": question, "requestedSchema": schema}}


def _says_yes(answer: object) -> bool:
    """Only an accepted form with the box ticked."""
    given = as_object(answer) or {}
    content = as_object(given.get("content")) or {}
    return given.get("action") == "accept" and content.get(_FIELD) is True
