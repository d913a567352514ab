"""The entries of opencode's second schema turned into talk.

Entries are `user`, `assistant`, `shell` (a command that the user ran), `synthetic`, `system`, `skill`, `compaction`,
and marks without talk. A fork holds the entries of the session that it was forked from, with their own times.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from vademecum.sessions.assembly import TOOL_END_CHARS, Assembly, PendingCall, narrow, raw_text
from vademecum.sessions.calls import pending_call
from vademecum.sessions.clock import stored_seconds
from vademecum.sessions.jsonl import Line, decode_line
from vademecum.sessions.model import Role, Session, SessionRef
from vademecum.sessions.opencode.records import ENTRY, Content, File, Heading, StoredEntry, ToolState
from vademecum.sessions.opencode.talk import TOOLS, Target, session_of, unquoted
from vademecum.sessions.reasons import PassedOver

__all__ = ["build_session_of_entries"]

_SILENT = frozenset({"agent-switched", "model-switched", "location-switched", "idle"})
_HOST = frozenset({"synthetic", "system", "skill", "compaction"})
_FAILED = {"completed": False, "error": True}
#: What a shell tool says at the end of its output of a command that failed.
_EXIT_CODE = re.compile(r"(?:exit(?:ed with)? code|exit status)[ :]+(\d+)", re.IGNORECASE)
_END_CHARS = 300


def build_session_of_entries(
    heading: Heading, stored: Iterable[StoredEntry], ref: SessionRef, skipped: Counter[str]
) -> Session:
    """The session as a record with raw text; `stored` is consumed in order."""
    assembly = Assembly(skipped)
    for entry in _own(heading, stored, skipped):
        if entry.type not in _SILENT:
            _add(entry, assembly, skipped)
    return session_of(heading, assembly.messages(), ref)


def _own(heading: Heading, stored: Iterable[StoredEntry], skipped: Counter[str]) -> Iterator[StoredEntry]:
    """The entries that were made here and not taken back."""
    begun_ms = heading.created_at.timestamp() * 1000 if heading.fork_of and heading.created_at else 0.0
    reverted = False
    for entry in stored:
        reverted = reverted or entry.id == heading.revert_message_id
        if reverted:
            skipped[PassedOver.REWOUND] += 1
        elif entry.created_ms < begun_ms:
            skipped[PassedOver.FORKED_HISTORY] += entry.type not in _SILENT
        else:
            yield entry


def _add(stored: StoredEntry, assembly: Assembly, skipped: Counter[str]) -> None:
    entry = decode_line(ENTRY, Line(number=0, data=stored.data), skipped)
    if entry is None:
        return
    at = stored_seconds(stored.created_ms / 1000) if stored.created_ms else None
    target = Target(stored.id, at, assembly, skipped)
    match stored.type:
        case "user":
            _say(target, Role.HUMAN, unquoted(entry.text or ""))
            _say(target, Role.HOST, "\n\n".join(map(_file_mark, entry.files or ())))
        case "assistant":
            _say_answer(target, entry.content or [])
        case "shell":
            _say(target, Role.TOOL, f"$ {entry.command or ''}\n{entry.output or ''}")
        case kind if kind in _HOST:
            _say(target, Role.HOST, entry.text or entry.summary or "")
        case _:
            skipped[PassedOver.UNKNOWN_TYPE] += 1


def _say(target: Target, role: Role | None, text: str) -> None:
    if text.strip():
        target.say(role, text)


def _file_mark(file: File) -> str:
    return f"[file: {file.name or file.mime or 'unnamed'}]"


def _say_answer(target: Target, content: list[Content]) -> None:
    """One answer: its words, then its calls."""
    text = "\n\n".join(piece.text for piece in content if piece.type == "text" and piece.text)
    calls = [piece for piece in content if piece.type == "tool"]
    if not calls:
        _say(target, None, text)
        return
    message = target.say(None, text)
    for call in calls:
        message = target.assembly.attach(message, _answered(call))


def _answered(piece: Content) -> PendingCall:
    state = piece.state or ToolState()
    call = pending_call(TOOLS, piece.id or "", piece.name or "unnamed", raw_text(state.input))
    output = "\n".join(given.text for given in state.content if given.text)
    call.output = narrow(state.error.message if state.error else output, TOOL_END_CHARS)
    exit_codes: list[str] = _EXIT_CODE.findall(output[-_END_CHARS:]) if call.command else []
    call.failed = exit_codes[-1] != "0" if exit_codes and state.status == "completed" else _FAILED.get(state.status)
    return call
