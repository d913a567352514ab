"""From the fragments of a live branch to messages: parts of one answer joined, outputs brought to their calls."""

import sys
from collections import Counter
from datetime import datetime

import msgspec

from vademecum.sessions.assembly import TEXT_END_CHARS, TOOL_END_CHARS, Assembly, PendingCall, narrow
from vademecum.sessions.model import Message, Role
from vademecum.sessions.reasons import PassedOver

__all__ = ["Fragment", "Result", "Talk"]

#: Answers may be outstanding for this many calls.
_OPEN_CALLS = 1_000
#: The same words of the user may come by several carriers within this many of their messages.
_REPEAT_WINDOW = 8
_FRAGMENT_BYTES = 400
#: A character takes four bytes at most.
_CHAR_BYTES = 4


class Fragment(msgspec.Struct, kw_only=True, gc=False):
    """A message, or the part of one that stands on one line."""

    id: str
    #: None: the assistant's, final or commentary decided by what follows.
    role: Role | None
    text: str
    at: datetime | None = None
    calls: tuple[PendingCall, ...] = ()
    #: The id that all lines of one answer share; empty for other lines.
    family: str = ""
    #: True where the answer broke off for a tool call.
    unfinished: bool = False
    #: False for human words that answer a question of the agent's while it is at work.
    is_prompt: bool = True
    #: The way by which the words came; the same words may come by several.
    carrier: str = "line"

    @property
    def size_bytes(self) -> int:
        """What it takes in memory, about."""
        size_bytes = _FRAGMENT_BYTES + sys.getsizeof(self.text)
        for call in self.calls:
            size_bytes += call.size_bytes
        return size_bytes

    def join(self, other: "Fragment") -> None:
        """Take up the next part of the same answer."""
        self.text = narrow("\n\n".join(filter(None, (self.text, other.text))), TEXT_END_CHARS)
        self.calls += other.calls
        self.unfinished = other.unfinished


class Result(msgspec.Struct, kw_only=True, gc=False):
    """What came back from a tool call."""

    call_id: str
    text: str
    #: As in `ToolCall.failed`.
    failed: bool | None

    @property
    def size_bytes(self) -> int:
        """What is kept of it takes so much memory, at most."""
        return min(sys.getsizeof(self.text), 2 * _CHAR_BYTES * TOOL_END_CHARS)


class Talk:
    """Takes the fragments of the live branch in order, and the outputs whenever they pass by."""

    def __init__(self, skipped: Counter[str]) -> None:
        self._assembly = Assembly(skipped)
        self._skipped = skipped
        self._open: dict[str, PendingCall] = {}
        self._answer: Fragment | None = None
        self._said: dict[str, set[str]] = {}

    def expect(self, call: PendingCall) -> None:
        """A call whose output is still to come; it may stand on any branch."""
        self._open[call.id] = call
        if len(self._open) > _OPEN_CALLS:
            del self._open[next(iter(self._open))]

    def bring(self, result: Result) -> str:
        """Bring the output to its call, wherever the two hang in the tree; returns the tool's name.

        An output without a call is counted, and its tool's name is empty.
        """
        call = self._open.pop(result.call_id, None)
        if call is None:
            self._skipped[PassedOver.ORPHAN_OUTPUT] += 1
            return ""
        self._assembly.answer(call, result.text, failed=result.failed)
        return call.name

    def settle(self, fragment: Fragment) -> None:
        """Append the next fragment of the live branch."""
        answer = self._answer
        if answer is not None and fragment.family and fragment.family == answer.family:
            answer.join(fragment)
            return
        self._close_answer()
        if fragment.family:
            self._answer = fragment
        elif fragment.role is not Role.HUMAN or not self._is_repeat(fragment):
            self._emit(fragment)

    def messages(self) -> tuple[Message, ...]:
        """All that was settled."""
        self._close_answer()
        return self._assembly.messages()

    def _close_answer(self) -> None:
        if self._answer is not None:
            self._emit(self._answer)
            self._answer = None

    def _emit(self, fragment: Fragment) -> None:
        role = Role.COMMENTARY if fragment.role is None and fragment.unfinished else fragment.role
        message = self._assembly.add(
            role, fragment.text, message_id=fragment.id, at=fragment.at, is_prompt=fragment.is_prompt
        )
        for call in fragment.calls:
            message = self._assembly.attach(message, call)

    def _is_repeat(self, fragment: Fragment) -> bool:
        """Whether the same words have come already by another carrier."""
        words = fragment.text.strip()
        carriers = self._said.pop(words, set[str]())
        self._said[words] = carriers | {fragment.carrier}
        if len(self._said) > _REPEAT_WINDOW:
            del self._said[next(iter(self._said))]
        return bool(carriers) and fragment.carrier not in carriers
