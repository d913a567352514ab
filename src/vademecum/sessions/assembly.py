"""The talk of one session while a reader gathers it in order: numbered, bounded, finals told from commentary.

For hosts that store a plain sequence of messages. Memory stays flat whatever the session holds: long texts are narrowed
to head and tail, then the oldest tool texts go, then the oldest messages after the first ones. What is narrowed here is
far more than `cleaning` keeps, so that masking still sees whole secrets at the final cuts.
"""

import sys
from collections import Counter, deque
from collections.abc import Iterable
from datetime import datetime

import msgspec

from vademecum.sessions.cleaning import strip_hidden
from vademecum.sessions.model import Message, Role, ToolCall
from vademecum.sessions.reasons import PassedOver

__all__ = ["Assembly", "PendingCall", "PendingMessage", "narrow", "question_and_answer", "raw_text", "span"]

MESSAGES_CAP = 20_000
#: How many messages from the beginning survive when there are more than the cap.
FIRST_KEPT = 200
#: Memory that the gathered texts may take, as Python counts it.
MEMORY_CAP_BYTES = 48 << 20
#: Texts longer than twice this keep this many characters of each end.
TEXT_END_CHARS = 96 << 10
TOOL_END_CHARS = 40 << 10
#: An input up to this length is kept when a call's other texts go.
COMMAND_CHARS = 2_000
#: Beyond this many calls a message is continued by another one.
CALLS_PER_MESSAGE = 500
#: What the objects themselves take, about.
_CALL_BYTES = 400
_MESSAGE_BYTES = 400


class PendingCall(msgspec.Struct, gc=False, eq=False):
    """A tool call whose output may still arrive."""

    id: str
    name: str
    input: str
    output: str = ""
    failed: bool | None = None
    #: Its message, and the queue of texts that can go; 0 before it is attached and after both let it go.
    holders: int = 0
    #: As in `ToolCall`, and so are the next.
    command: str = ""
    edited: tuple[str, ...] = ()
    is_external: bool = False

    def __post_init__(self) -> None:
        self.input = narrow(self.input, TOOL_END_CHARS)
        self.command = narrow(self.command, TOOL_END_CHARS)

    @property
    def size_bytes(self) -> int:
        """Memory that the texts take."""
        texts = (self.input, self.output, self.command, *self.edited)
        return sum(map(sys.getsizeof, texts))


class PendingMessage(msgspec.Struct, gc=False, eq=False):
    """A message on its way: `role` None means the assistant's, final or commentary decided by what follows."""

    role: Role | None
    text: str
    id: str
    at: datetime | None
    index: int
    #: Whether it is a prompt, which ends what came before; an answer to a question of the agent's is none.
    is_prompt: bool
    calls: list[PendingCall] = []

    @property
    def size_bytes(self) -> int:
        """Memory that it takes without its calls."""
        return sys.getsizeof(self.text) + _MESSAGE_BYTES


class Assembly:
    """Gathers messages and calls in order; `messages` gives the result."""

    def __init__(self, skipped: Counter[str]) -> None:
        self._skipped = skipped
        self._first: list[PendingMessage] = []
        self._recent: deque[PendingMessage] = deque()
        #: Calls whose texts have not been given up, oldest first: those of the first messages, those of the others.
        self._first_calls: deque[PendingCall] = deque()
        self._recent_calls: deque[PendingCall] = deque()
        self._count = 0
        self._size_bytes = 0

    def add(
        self, role: Role | None, text: str, *, message_id: str, at: datetime | None, is_prompt: bool = True
    ) -> PendingMessage:
        """Append a message. `is_prompt=False` marks human words that answer a question of the agent's at work."""
        self._count += 1
        prompts = is_prompt and role is Role.HUMAN
        message = PendingMessage(role, narrow(text, TEXT_END_CHARS), message_id, at, self._count, prompts)
        self._size_bytes += message.size_bytes
        if len(self._first) < FIRST_KEPT:
            self._first.append(message)
        else:
            self._recent.append(message)
            if len(self._recent) > MESSAGES_CAP - FIRST_KEPT:
                self._drop(self._recent.popleft())
        if self._size_bytes > MEMORY_CAP_BYTES:
            self._shed()
        return message

    def fill(self, message: PendingMessage, text: str) -> None:
        """Give a message that was added without words its words."""
        message.text = narrow(text, TEXT_END_CHARS)
        self._size_bytes += sys.getsizeof(message.text) - sys.getsizeof("")
        if self._size_bytes > MEMORY_CAP_BYTES:
            self._shed()

    def attach(self, message: PendingMessage, call: PendingCall) -> PendingMessage:
        """Append a call to the message; returns the message that holds it: another one where this one is full."""
        if len(message.calls) >= CALLS_PER_MESSAGE:
            message = self.add(None, "", message_id=message.id, at=message.at)
        call.holders = 2
        message.calls.append(call)
        (self._first_calls if message.index <= FIRST_KEPT else self._recent_calls).append(call)
        self._size_bytes += call.size_bytes + _CALL_BYTES
        if self._size_bytes > MEMORY_CAP_BYTES:
            self._shed()
        return message

    def answer(self, call: PendingCall, output: str, *, failed: bool | None) -> None:
        """Say what came back from the call."""
        shown = narrow(output, TOOL_END_CHARS)
        growth_bytes = sys.getsizeof(shown) - sys.getsizeof(call.output)
        call.output = shown
        call.failed = failed
        if call.holders:
            self._size_bytes += growth_bytes
            if self._size_bytes > MEMORY_CAP_BYTES:
                self._shed()

    def rewind(self, prompts: int) -> None:
        """Take back the last `prompts` prompts with all that followed them."""
        while prompts > 0 and (self._recent or self._first):
            pending = self._recent or self._first
            message = pending.pop()
            self._forget(message)
            self._count = message.index - 1
            self._skipped[PassedOver.REWOUND] += 1
            prompts -= message.is_prompt

    def messages(self) -> tuple[Message, ...]:
        """The messages as records, in order, finals and commentary told apart."""
        pending = [*self._first, *self._recent]
        _settle(pending)
        return tuple(_message(message) for message in pending)

    def _shed(self) -> None:
        while self._size_bytes > MEMORY_CAP_BYTES:
            if self._recent_calls or self._first_calls:
                self._give_up_texts((self._recent_calls or self._first_calls).popleft())
            elif self._recent:
                self._drop(self._recent.popleft())
            elif len(self._first) > 1:
                self._drop(self._first.pop())
            else:
                return

    def _give_up_texts(self, call: PendingCall) -> None:
        before = call.size_bytes
        call.output = ""
        # A short command stays whole; to cut a long one here could cut a secret in two.
        call.input = call.input if len(call.input) <= COMMAND_CHARS else ""
        call.command = call.command if len(call.command) <= COMMAND_CHARS else ""
        self._size_bytes -= before - call.size_bytes
        self._skipped[PassedOver.CAPPED_SESSION] += 1
        self._release(call)

    def _drop(self, message: PendingMessage) -> None:
        self._forget(message)
        self._skipped[PassedOver.TOO_MANY_MESSAGES] += 1
        # Its calls stand first in the queue, where nothing else holds them now.
        while self._recent_calls and self._recent_calls[0].holders == 1:
            self._release(self._recent_calls.popleft())

    def _forget(self, message: PendingMessage) -> None:
        self._size_bytes -= message.size_bytes
        for call in message.calls:
            before = call.size_bytes
            call.input = call.output = call.command = ""
            call.edited = ()
            self._size_bytes -= before - call.size_bytes
            self._release(call)

    def _release(self, call: PendingCall) -> None:
        call.holders -= 1
        if not call.holders:
            self._size_bytes -= call.size_bytes + _CALL_BYTES


def _settle(pending: Iterable[PendingMessage]) -> None:
    """Give undecided messages their role: final is the last text before the next prompt with no tool call after it."""
    at_end = True
    for message in reversed(list(pending)):
        if message.is_prompt:
            at_end = True
        elif message.role is None and message.text:
            message.role = Role.FINAL if at_end and not message.calls else Role.COMMENTARY
            at_end = False
        elif message.role in {Role.FINAL, Role.COMMENTARY} or message.calls:
            at_end = False


def _message(message: PendingMessage) -> Message:
    return Message(
        id=message.id,
        index=message.index,
        role=message.role or Role.TOOL,
        text=message.text,
        tool_calls=tuple([_tool_call(call) for call in message.calls]) if message.calls else (),
        at=message.at,
    )


def _tool_call(call: PendingCall) -> ToolCall:
    return ToolCall(
        id=call.id,
        name=call.name,
        input=call.input,
        output=call.output,
        failed=call.failed,
        command=call.command,
        edited=call.edited,
        is_external=call.is_external,
    )


def narrow(text: str, end_chars: int) -> str:
    """The text, or where it is longer than two ends of `end_chars` characters: both ends and a mark between.

    Private parts and our own blocks are taken out first: the cut could take the beginning of one and leave its end.
    """
    if len(text) <= 2 * end_chars:
        return text
    shown = strip_hidden(text)
    left_out = len(shown) - 2 * end_chars
    if left_out <= 0:
        return shown
    return f"{shown[:end_chars]}\n[... {left_out} characters left out ...]\n{shown[-end_chars:]}"


def question_and_answer(question: str, answer: str) -> str:
    """A human answer joined with the agent's question, which is quoted because it is not the human's word."""
    quoted = "\n".join(f"> {line}" for line in question.splitlines())
    return f"{quoted}\n\n{answer}" if quoted else answer


def raw_text(raw: bytes | msgspec.Raw) -> str:
    """JSON text as it was stored; bytes that are no UTF-8 become U+FFFD."""
    return bytes(raw).decode("utf-8", "replace")


def span(started: datetime | None, updated: datetime | None, fallback: datetime) -> tuple[datetime, datetime]:
    """First and last moment of a session, in order whatever its clock did; `fallback` where it knows neither."""
    first = started or updated or fallback
    return first, max(first, updated or first)
