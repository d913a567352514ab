"""Reader for Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl`, and `.json` of versions before.

The log is read line by line; the older file is one object, of a size that is read whole or not at all. What the model
is shown later in place of the talk (`$set` with `messages`: a compression, masked outputs) is the host's doing; the
talk stays as it was written. Helpers' sessions lie in `chats/<session>/`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from vademecum.errors import SessionUnreadable
from vademecum.sessions.assembly import Assembly, span
from vademecum.sessions.clock import stored_time
from vademecum.sessions.discovery import file_ref, walk_files
from vademecum.sessions.gemini.log import RewrittenLog
from vademecum.sessions.gemini.place import directories_told, working_directory
from vademecum.sessions.gemini.records import FACTS, LINE, Facts, LogLine, Message
from vademecum.sessions.gemini.talk import SPEAKERS, fragment_of, say, texts_of
from vademecum.sessions.jsonl import Line, decode_line, first_bytes, open_regular, outer_fields, read_lines
from vademecum.sessions.marks import exclusion_of
from vademecum.sessions.model import Exclusion, Session, SessionRef
from vademecum.sessions.reasons import PassedOver
from vademecum.sessions.talk import Fragment

__all__ = ["discover", "host", "read", "recognises", "roots"]

host = "gemini"

#: A whole file above this is left alone: it would have to be held in memory.
WHOLE_CAP_BYTES = 64 << 20
#: How much of a file tells which of the two it is.
_HEAD_BYTES = 4096
_SILENT = frozenset({"info", "error", "warning"})


def roots(environ: Mapping[str, str], home: Path) -> list[Path]:
    """`$GEMINI_CLI_HOME/.gemini/tmp`, else `~/.gemini/tmp`."""
    chosen = environ.get("GEMINI_CLI_HOME", "").strip()
    return [(Path(chosen) if chosen else home) / ".gemini" / "tmp"]


def discover(root: Path, skipped: Counter[str]) -> Iterator[SessionRef]:
    """Every log and every older file below a `chats` folder, or the one file that is named."""
    for path in map(Path, walk_files(root, skipped, suffixes=(".json", ".jsonl"))):
        if path != root and "chats" not in path.parts[len(root.parts) :]:
            continue  # logs, checkpoints, outputs of tools
        ref = file_ref(host, path, skipped)
        if ref is not None:
            yield ref


def recognises(head: bytes, path: Path) -> bool:
    """Whether it begins with an object that names a session and the hash of a project."""
    del path
    found = outer_fields(Line(number=1, data=head[:_HEAD_BYTES]), ("sessionId", "projectHash"))
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and len(found) == 2


def read(ref: SessionRef, skipped: Counter[str]) -> Session | None:
    """The session, or None where the file says of none. Raises OSError; SessionUnreadable where it is too large."""
    transcript = _Transcript(skipped)
    if _is_whole(Path(ref.path), skipped):
        transcript.take_whole(_content(ref.path, skipped))
    else:
        for line in read_lines(ref.path, skipped=skipped):
            transcript.take(line)
    return transcript.session(ref)


def _is_whole(path: Path, skipped: Counter[str]) -> bool:
    """Whether the file is one object, whatever its name."""
    first = (first_bytes(path, _HEAD_BYTES, skipped) or b"").partition(b"\n")[0].strip()
    return path.suffix == ".json" or first == b"{" or (b'"messages"' in first and b'"$set"' not in first)


def _content(path: str, skipped: Counter[str]) -> bytes:
    stream = open_regular(path, skipped)
    if stream is None:
        return b""
    with stream:
        data = stream.read(WHOLE_CAP_BYTES + 1)
    if len(data) > WHOLE_CAP_BYTES:
        raise SessionUnreadable(f"{path} is one JSON object of more than {WHOLE_CAP_BYTES >> 20} MB")
    return data


class _Transcript:
    """What is known of the session while its records pass by."""

    def __init__(self, skipped: Counter[str]) -> None:
        self._skipped = skipped
        self._assembly = Assembly(skipped)
        self._log = RewrittenLog[Fragment](settle=lambda fragment: say(self._assembly, fragment), skipped=skipped)
        self._facts = Facts()
        self._told: tuple[str, ...] = ()
        self._first: datetime | None = None
        self._last: datetime | None = None

    def take(self, line: Line) -> None:
        """A line of the log."""
        record = _outline(line) if line.capped else decode_line(LINE, line, self._skipped)
        if record is None:
            return
        if record.rewind_to is not None:
            self._log.rewind(record.rewind_to)
        elif record.set is not None:
            self._learn(record.set)
        elif record.id:
            self._write(record.id, record)
        else:
            self._learn(decode_line(FACTS, line, self._skipped) or Facts())

    def take_whole(self, data: bytes) -> None:
        """All of an older file."""
        facts = decode_line(FACTS, Line(number=1, data=data), self._skipped) or Facts()
        self._learn(facts)
        for number, message in enumerate(facts.messages or (), 1):
            self._write(message.id or f"message {number}", message)

    def _learn(self, facts: Facts) -> None:
        for message in facts.messages or ():
            self._told = self._told or directories_told("\n".join(texts_of(message.content)))
        known = {name: value for name in Facts.__struct_fields__ if (value := getattr(facts, name)) is not None}
        self._facts = msgspec.structs.replace(self._facts, **(known | {"messages": None}))

    def _write(self, message_id: str, message: Message) -> None:
        if message.type not in SPEAKERS:
            self._skipped[PassedOver.UNKNOWN_TYPE] += message.type not in _SILENT
            return
        fragment = fragment_of(message)
        if fragment is None:
            return
        if fragment.at is not None:
            self._first, self._last = self._first or fragment.at, fragment.at
        self._log.write(message_id, fragment, size_bytes=fragment.size_bytes)

    def session(self, ref: SessionRef) -> Session | None:
        self._log.finish()
        facts, messages = self._facts, self._assembly.messages()
        if not facts.session_id or facts.project_hash is None:
            return None
        path = Path(ref.path)
        started = stored_time(facts.start_time) or self._first
        started_at, updated_at = span(started, self._last or stored_time(facts.last_updated), ref.modified_at)
        is_helper = facts.kind == "subagent" or path.parent.parent.name == "chats"
        title = facts.summary or ""
        return Session(
            id=facts.session_id,
            host=host,
            cwd=working_directory(path, facts.project_hash, (*self._told, *(facts.directories or ()))),
            branch=None,
            started_at=started_at,
            updated_at=updated_at,
            parent_id=path.parent.name if is_helper else None,
            messages=messages,
            title=title,
            exclusion=Exclusion.SUB_AGENT if is_helper else exclusion_of(title, messages),
        )


def _outline(line: Line) -> LogLine | None:
    """The place of a capped line in the log; its words are lost."""
    found = outer_fields(line, ("id", "timestamp", "type"))
    return LogLine(id=found["id"], type=found.get("type", "")) if line.data.startswith(b'{"id"') and found else None
