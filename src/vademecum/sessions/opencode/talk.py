"""opencode's messages and parts (V1, also in the old JSON tree) turned into talk.

Parts are `text`, `tool`, `file`, `agent` and `subtask`, and many that carry no talk.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TypeVar

import msgspec

from vademecum.sessions.assembly import Assembly, PendingMessage, question_and_answer, raw_text, span
from vademecum.sessions.calls import Tools, pending_call
from vademecum.sessions.clock import stored_seconds
from vademecum.sessions.jsonl import LINE_CAP_BYTES, Line, decode_line
from vademecum.sessions.marks import exclusion_of
from vademecum.sessions.model import Exclusion, Message, Role, Session, SessionRef
from vademecum.sessions.opencode.records import (
    HEAD,
    METADATA,
    PART,
    QUESTIONS,
    Heading,
    Part,
    Questions,
    State,
    Stored,
    ToolMetadata,
)
from vademecum.sessions.reasons import PassedOver

__all__ = ["TOOLS", "Target", "build_session", "session_of", "unquoted"]

T = TypeVar("T")

#: Part types that carry no talk.
_SILENT = frozenset({"reasoning", "step-start", "step-finish", "snapshot", "patch", "retry", "compaction"})
_TALK = frozenset({"text", "tool", "file", "agent", "subtask"})
#: The tools that memory asks about, in all versions.
TOOLS = Tools(
    shells=frozenset({"bash"}),
    editors=frozenset({"apply_patch", "edit", "multiedit", "patch", "write"}),
    path_keys=("filePath",),
    outside=frozenset({"codesearch", "webfetch", "websearch"}),
    underscored=frozenset({"apply_patch", "lsp_diagnostics", "lsp_hover", "plan_enter", "plan_exit"}),
)
#: The title that stands until a model has made one.
_PLACEHOLDER_TITLE = re.compile(r"(?:New|Child) session - \d{4}-")
#: `opencode run "fix it"` stores the argument with quotes around it and inner quotes escaped, newlines as they are.
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def build_session(heading: Heading, stored: Iterable[Stored], ref: SessionRef, skipped: Counter[str]) -> Session:
    """The session as a record with raw text; `stored` is consumed in order."""
    assembly = Assembly(skipped)
    for message in _live(heading, stored, skipped):
        _add(message, assembly, skipped)
    return session_of(heading, assembly.messages(), ref)


def session_of(heading: Heading, messages: tuple[Message, ...], ref: SessionRef) -> Session:
    """The session of these messages, with what its heading says."""
    marked = exclusion_of(heading.title + heading.metadata, messages)
    last = max((message.at for message in messages if message.at), default=None)
    started_at, updated_at = span(heading.created_at, heading.updated_at or last, ref.modified_at)
    return Session(
        id=heading.id,
        host=ref.host,
        cwd=heading.directory,
        branch=None,
        started_at=started_at,
        updated_at=updated_at,
        parent_id=heading.parent_id or None,
        messages=messages,
        title="" if _PLACEHOLDER_TITLE.match(heading.title) else heading.title,
        exclusion=Exclusion.SUB_AGENT if heading.parent_id else marked,
    )


def _live(heading: Heading, stored: Iterable[Stored], skipped: Counter[str]) -> Iterator[Stored]:
    """The messages that the user did not take back."""
    reverted = False
    for message in stored:
        if not reverted and heading.revert_message_id == message.id:
            reverted = True
            if heading.revert_part_id:
                kept = (part for part in message.parts if part.id < heading.revert_part_id)
                yield Stored(message.id, message.data, kept)
                continue
        if reverted:
            skipped[PassedOver.REWOUND] += 1
        else:
            yield message


def _add(message: Stored, assembly: Assembly, skipped: Counter[str]) -> None:
    head = decode_line(HEAD, Line(number=0, data=message.data), skipped)
    if head is None:
        return
    at = stored_seconds(head.time.created / 1000) if head.time and head.time.created else None
    parts = _parts(message, skipped)
    target = Target(message.id, at, assembly, skipped)
    if head.role == "user":
        _add_user(target, parts)
    elif head.role == "assistant":
        _add_assistant(target, Role.HOST if bytes(head.summary).strip() == b"true" else None, parts)
    else:
        skipped[PassedOver.UNKNOWN_TYPE] += 1


def _parts(message: Stored, skipped: Counter[str]) -> Iterator[Part]:
    for stored in message.parts:
        part = decode_line(PART, Line(number=0, data=stored.data), skipped)
        if part is not None and not part.ignored and part.type not in _SILENT:
            if part.type not in _TALK:
                skipped[PassedOver.UNKNOWN_TYPE] += 1
            else:
                yield part


class _Words:
    """The paragraphs of one message, joined only when all are there: a `<private>` part may reach over several."""

    def __init__(self, skipped: Counter[str]) -> None:
        self._skipped = skipped
        self._paragraphs: list[str] = []
        self._left_chars = LINE_CAP_BYTES

    def add(self, text: str) -> None:
        """Append a paragraph; beyond the cap of one line it is left out and counted."""
        self._left_chars -= len(text)
        if self._left_chars < 0:
            self._skipped[PassedOver.CAPPED_LINE] += 1
        elif text.strip():
            self._paragraphs.append(text)

    def joined(self) -> str:
        """All of them, with a blank line between."""
        return "\n\n".join(self._paragraphs)


class Target(msgspec.Struct):
    """Where the pieces of one message go."""

    message_id: str
    at: datetime | None
    assembly: Assembly
    skipped: Counter[str]

    def say(self, role: Role | None, text: str, *, is_prompt: bool = True) -> PendingMessage:
        """Append a message of these words."""
        return self.assembly.add(role, text, message_id=self.message_id, at=self.at, is_prompt=is_prompt)


def _add_user(target: Target, parts: Iterable[Part]) -> None:
    """A user message is up to three: the human's own words, what the host put beside them, what goes to an agent."""
    words = {role: _Words(target.skipped) for role in (Role.HUMAN, Role.HOST, Role.OTHER_AGENT)}
    for part in parts:
        if part.type == "text":
            own = not part.synthetic
            words[Role.HUMAN if own else Role.HOST].add(unquoted(part.text or "") if own else part.text or "")
        elif part.type == "file":
            words[Role.HOST].add(_file_mark(part))
        elif part.type == "agent":
            words[Role.OTHER_AGENT].add(f"[agent: {part.name or 'unnamed'}]")
        elif part.type == "subtask":
            words[Role.OTHER_AGENT].add(part.prompt or "")
    for role, found in words.items():
        text = found.joined()
        if text:
            target.say(role, text)


def _file_mark(part: Part) -> str:
    return f"[file: {part.filename or part.mime or 'unnamed'}]"


def unquoted(text: str) -> str:
    """A prompt without the quotes that a headless run puts around it."""
    match = _QUOTED.fullmatch(text.strip())
    return match[1].replace('\\"', '"') if match else text


def _add_assistant(target: Target, role: Role | None, parts: Iterable[Part]) -> None:
    words = _Words(target.skipped)
    first = last = None
    for part in parts:
        if part.type == "text":
            words.add(part.text or "")
        elif part.type == "file":
            words.add(_file_mark(part))
        elif part.type == "tool":
            first = first or target.say(role, "")
            last = _add_call(target, last or first, part)
        elif part.type == "subtask" and part.prompt:
            target.say(Role.OTHER_AGENT, part.prompt)
    text = words.joined()
    if first is not None:
        target.assembly.fill(first, text)
    elif text:
        target.say(role, text)


def _add_call(target: Target, message: PendingMessage, part: Part) -> PendingMessage:
    state = part.state or State()
    call = pending_call(TOOLS, part.callID or "", part.tool or "unnamed", raw_text(state.input))
    message = target.assembly.attach(message, call)
    metadata = _peek(METADATA, state.metadata) or ToolMetadata()
    target.assembly.answer(call, state.error or state.output or "", failed=_failed(state, metadata))
    if part.tool == "question" and state.status == "completed":
        answer = _answer(state, metadata)
        if answer:
            target.say(Role.HUMAN, answer, is_prompt=False)
    return message


def _failed(state: State, metadata: ToolMetadata) -> bool | None:
    if state.status == "error":
        return True
    if state.status != "completed":
        return None
    return bool(metadata.exit)


def _answer(state: State, metadata: ToolMetadata) -> str:
    """What the user answered to the agent's questions, joined with them."""
    asked = _peek(QUESTIONS, state.input) or Questions()
    pairs = zip(asked.questions, metadata.answers or [], strict=False)
    return "\n\n".join(question_and_answer(asked.question, ", ".join(given)) for asked, given in pairs if any(given))


def _peek(decoder: "msgspec.json.Decoder[T]", raw: msgspec.Raw) -> T | None:
    """A side piece of a record, where it has the known shape; tools of other programs put anything there."""
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None
