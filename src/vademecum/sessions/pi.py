"""pi session files: `<agent>/sessions/--<cwd>--/<time>_<id>.jsonl`, versions 1 (a plain list) to 3 (a tree).

The first line is a header. The live branch runs from the last entry to the root. What extensions put into the
conversation (`custom_message`, ours among them) is never the user's word.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from vademecum.sessions.assembly import TEXT_END_CHARS, PendingCall, narrow, raw_text, span
from vademecum.sessions.calls import Tools, pending_call
from vademecum.sessions.clock import stored_time
from vademecum.sessions.discovery import file_ref, walk_files
from vademecum.sessions.jsonl import Line, decode_line, outer_fields, read_lines
from vademecum.sessions.marks import exclusion_of
from vademecum.sessions.model import Role, Session, SessionRef
from vademecum.sessions.reasons import PassedOver
from vademecum.sessions.talk import Fragment, Result, Talk
from vademecum.sessions.tree import LiveBranch

__all__ = ["discover", "host", "read", "recognises", "roots"]

host = "pi"

#: Entries without talk; they have a place in the tree all the same.
_SILENT = frozenset({"custom", "label", "model_change", "session_info", "thinking_level_change"})
_TALKING = frozenset({"branch_summary", "compaction", "custom_message", "message"})

_TOOLS = Tools(shells=frozenset({"bash"}), editors=frozenset({"edit", "write"}), path_keys=("path",))


class _Block(msgspec.Struct, gc=False, rename="camel"):
    type: str = ""
    text: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw()


class _Message(msgspec.Struct, gc=False, rename="camel"):
    role: str = ""
    content: str | list[_Block] | None = None
    stop_reason: str | None = None
    tool_call_id: str | None = None
    is_error: bool | None = None
    #: Of a command that the user ran with `!`.
    command: str | None = None
    output: str | None = None
    exit_code: int | None = None
    exclude_from_context: bool | None = None
    #: Of a summary.
    summary: str | None = None


class _Entry(msgspec.Struct, gc=False, rename="camel"):
    type: str = ""
    id: str | None = None
    parent_id: str | None = None
    timestamp: str | float | None = None
    cwd: str | None = None
    #: Of the header: the file that this session was forked from.
    parent_session: str | None = None
    message: _Message | None = None
    content: str | list[_Block] | None = None
    summary: str | None = None
    #: Of a custom message: the extension's name for it.
    custom_type: str | None = None
    #: Of a session_info: the title that the user gave.
    name: str | None = None


_ENTRY = msgspec.json.Decoder(_Entry)


def roots(environ: Mapping[str, str], home: Path) -> list[Path]:
    """`$PI_CODING_AGENT_DIR/sessions`, else `~/.pi/agent/sessions`."""
    agent = environ.get("PI_CODING_AGENT_DIR")
    return [(Path(agent) if agent else home / ".pi" / "agent") / "sessions"]


def discover(root: Path, skipped: Counter[str]) -> Iterator[SessionRef]:
    """Every `.jsonl` file below the folder, or the one file that is named."""
    for path in walk_files(root, skipped, suffixes=(".jsonl",)):
        ref = file_ref(host, path, skipped)
        if ref is not None:
            yield ref


def recognises(head: bytes, path: Path) -> bool:
    """A first line `{"type":"session","id":...,"cwd":...}`."""
    del path
    line = Line(number=1, data=head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0])
    header = decode_line(_ENTRY, line, Counter())
    return header is not None and header.type == "session" and bool(header.id) and header.cwd is not None


def read(ref: SessionRef, skipped: Counter[str]) -> Session | None:
    """The live branch of the file, or None where it has no header. Raises OSError."""
    transcript = _Transcript(skipped)
    for line in read_lines(ref.path, skipped=skipped):
        entry = _outline(line) if line.capped else decode_line(_ENTRY, line, skipped)
        if entry is not None:
            transcript.add(entry, line.number)
    return transcript.session(ref)


def _outline(line: Line) -> _Entry | None:
    """The place of a capped line in the tree; its words are lost."""
    found = outer_fields(line, ("id", "parentId", "timestamp"))
    if "id" not in found:
        return None
    return _Entry(type="message", id=found["id"], parent_id=found.get("parentId"), timestamp=found.get("timestamp"))


class _Transcript:
    """What is known of the session while its entries pass by."""

    def __init__(self, skipped: Counter[str]) -> None:
        self._skipped = skipped
        self._talk = Talk(skipped)
        self._branch = LiveBranch[Fragment](
            settle=self._talk.settle, family=lambda fragment: fragment.family, skipped=skipped
        )
        self._header: _Entry | None = None
        self._started: datetime | None = None
        self._title = ""
        self._last: datetime | None = None

    def add(self, entry: _Entry, number: int) -> None:
        if entry.type == "session":
            if self._header is None:
                self._header, self._started = entry, stored_time(entry.timestamp)
            return
        if entry.type not in _TALKING:
            self._note(entry)
        at = stored_time(entry.timestamp)
        if self._is_inherited(at):
            self._skipped[PassedOver.FORKED_HISTORY] += entry.type in _TALKING
            return
        if at is not None and (self._last is None or at > self._last):
            self._last = at
        # Version 1 has no ids: each entry follows the one before.
        parent = entry.parent_id if entry.id else ""
        if self._branch.add(entry.id or f"line {number}", parent, talk=True):
            self._hang(entry, at)

    def _note(self, entry: _Entry) -> None:
        if entry.type == "session_info":
            self._title = entry.name or ""
        elif entry.type not in _SILENT:
            self._skipped[PassedOver.UNKNOWN_TYPE] += 1

    def _hang(self, entry: _Entry, at: datetime | None) -> None:
        result = _result(entry.message)
        if result is not None:
            self._talk.bring(result)
            self._branch.weigh(result.size_bytes)
            return
        fragment = _fragment(entry)
        if fragment is not None:
            fragment.at = at
            for call in fragment.calls:
                self._talk.expect(call)
            self._branch.hang(fragment, size_bytes=fragment.size_bytes)

    def _is_inherited(self, at: datetime | None) -> bool:
        """Whether an entry of this time was copied from the session that this one was forked from: learned there."""
        if self._header is None or not self._header.parent_session:
            return False
        return self._started is not None and at is not None and at < self._started

    def session(self, ref: SessionRef) -> Session | None:
        self._branch.finish()
        messages = self._talk.messages()
        header = self._header
        if header is None:
            return None
        started, updated = span(self._started, self._last, ref.modified_at)
        return Session(
            id=header.id or Path(ref.path).stem,
            host=host,
            cwd=header.cwd or "",
            branch=None,
            started_at=started,
            updated_at=updated,
            parent_id=None,
            messages=messages,
            title=self._title,
            exclusion=exclusion_of(self._title, messages),
        )


def _result(message: _Message | None) -> Result | None:
    if message is None or message.role != "toolResult":
        return None
    text = "\n".join(_texts(message.content))
    return Result(call_id=message.tool_call_id or "", text=text, failed=message.is_error)


def _fragment(entry: _Entry) -> Fragment | None:
    """The words of the entry, without their time; None where it has none that may be learned from."""
    message = entry.message
    if entry.type == "message" and message is not None:
        role, text = _words(message)
        calls = _calls(message)
        unfinished = message.stop_reason == "toolUse"
    elif entry.type in _TALKING and not _is_ours(entry):
        role, text, calls, unfinished = Role.HOST, entry.summary or "\n\n".join(_texts(entry.content)), (), False
    else:
        return None
    if not text.strip() and not calls:
        return None
    return Fragment(
        id=entry.id or "",
        role=role,
        text=narrow(text, TEXT_END_CHARS),
        calls=calls,
        unfinished=unfinished,
    )


def _is_ours(entry: _Entry) -> bool:
    return "vademecum" in (entry.custom_type or "")


#: What pi puts before the user's words: files named on the command line, a skill that was called. Greedy, for the
#: content may hold the closing tag.
_HOST_BLOCK = re.compile(r'\s*<(file|skill) name="[^"]{1,1000}"[^>]{0,1000}>(?:.*</\1>|.*)', re.DOTALL)


def _words(message: _Message) -> tuple[Role | None, str]:
    text = "\n\n".join(_texts(message.content))
    match message.role:
        case "assistant":
            return None, text
        case "user":
            words = _HOST_BLOCK.sub("", text, count=1) if _HOST_BLOCK.match(text) else text
            return (Role.HUMAN, words) if words.strip() else (Role.HOST, text)
        case "bashExecution":
            # `!!` keeps a command from the model; it is kept from the memory too.
            ran = f"$ {message.command or ''}\n{message.output or ''}"
            return Role.TOOL, "" if message.exclude_from_context else ran
        case _:
            return Role.HOST, text or message.summary or ""


def _texts(content: str | list[_Block] | None) -> list[str]:
    if not isinstance(content, list):
        return [content] if content else []
    texts: list[str] = []
    for block in content:
        if block.type == "text":
            texts.append(block.text or "")
        elif block.type == "image":
            texts.append("[image]")
    return texts


def _calls(message: _Message) -> tuple[PendingCall, ...]:
    if message.role != "assistant" or not isinstance(message.content, list):
        return ()
    calls = [block for block in message.content if block.type == "toolCall" and block.id]
    return tuple([pending_call(_TOOLS, block.id or "", block.name or "", raw_text(block.arguments)) for block in calls])
