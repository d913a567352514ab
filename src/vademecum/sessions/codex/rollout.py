"""One rollout file of Codex, taken line by line into a session.

Text comes from `response_item` lines only; the `event_msg` lines repeat it, but for a rollback, which counts. A forked
session's file holds a copy of its parent's history, which is learned from the parent's file and left out here: lines
under a foreign `session_meta`, until the file's own one or a turn of the host's that is younger than the session.
"""

import re
from collections import Counter
from collections.abc import Callable

from vademecum.sessions.assembly import Assembly, raw_text, span
from vademecum.sessions.clock import stored_time
from vademecum.sessions.codex.lines import (
    BARE,
    BARE_ITEM,
    BARE_META,
    EVENT,
    ITEM,
    META,
    SILENT_ITEMS,
    SILENT_LINES,
    TURN,
    Content,
    Event,
    Item,
    Meta,
    kind_of,
    source_name,
)
from vademecum.sessions.codex.talk import RolloutTalk
from vademecum.sessions.codex.words import Provenance
from vademecum.sessions.jsonl import Line, decode_line
from vademecum.sessions.marks import exclusion_of
from vademecum.sessions.model import Exclusion, Message, Role, Session, SessionRef
from vademecum.sessions.reasons import PassedOver

__all__ = ["Rollout"]

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_PARENT = re.compile(r'"parent_thread_id"\s*:\s*"([^"]{1,128})"')
#: Turn ids of a conversation that Codex took over from another host.
_IMPORT_TURN = "external-import-turn-"
_SUB_AGENT_SOURCES = frozenset({"subagent", "internal"})
_CONSOLIDATION = "memory_consolidation"
#: Events that are no twin of an item.
_EVENTS = frozenset({None, b"task_started", b"thread_rolled_back", b"user_message"})


class Rollout:
    """Takes the lines of one file in order; `session` gives the result.

    `own_id` is the id in the file's name, or empty: then the first `session_meta` is the file's own. `from_events`
    takes human words from `user_message` events, for files that hold them nowhere else.
    """

    def __init__(self, own_id: str, skipped: Counter[str], *, from_events: bool = False) -> None:
        self._own_id = own_id
        self._skipped = skipped
        self._from_events = from_events
        self._assembly = Assembly(skipped)
        self._talk = RolloutTalk(self._assembly, skipped)
        self._meta: Meta | None = None
        self._forked = False
        self._imported = False
        self._turn_cwd = ""
        self._started = ""
        self._first_timestamp = self._last_timestamp = b""
        #: The id of the first foreign `session_meta`.
        self.foreign_id = ""
        #: Whether human words stand in events while no item holds any.
        self.humans_in_events = False
        self._handlers: dict[bytes, Callable[[Line, bytes, bytes | None], None]] = {
            b"session_meta": self._on_meta,
            b"turn_context": self._on_turn,
            b"response_item": self._on_item,
            b"event_msg": self._on_event,
            b"compacted": self._on_compaction,
            b"inter_agent_communication": self._on_other_agent,
        }

    @property
    def is_known(self) -> bool:
        """Whether the file's own `session_meta` was met."""
        return self._meta is not None

    @property
    def has_human_words(self) -> bool:
        """Whether a person spoke."""
        return self._talk.human

    def feed(self, line: Line) -> None:
        """Take the next line."""
        if line.capped:
            return
        kind = kind_of(line.data)
        if kind is None:
            self._feed_bare(line)
        else:
            self._feed_kind(line, *kind)

    def _feed_kind(self, line: Line, timestamp: bytes, line_type: bytes, item_type: bytes | None) -> None:
        self._note_time(timestamp)
        handler = self._handlers.get(line_type)
        if handler is not None:
            handler(line, timestamp, item_type)
        elif line_type not in SILENT_LINES:
            self._skipped[PassedOver.UNKNOWN_TYPE] += 1

    def _feed_bare(self, line: Line) -> None:
        bare = decode_line(BARE, line, self._skipped)
        if bare is None:
            return
        if bare.payload:
            self._feed_kind(line, (bare.timestamp or "").encode(), bare.type.encode(), None)
        elif bare.type:
            self.take_item(decode_line(BARE_ITEM, line, self._skipped), (bare.timestamp or "").encode())
        elif bare.record_type is None and bare.id:
            self.take_meta(decode_line(BARE_META, line, self._skipped))

    def _note_time(self, timestamp: bytes) -> None:
        if timestamp:
            self._first_timestamp = self._first_timestamp or timestamp
            self._last_timestamp = timestamp

    def _on_meta(self, line: Line, _timestamp: bytes, _item_type: bytes | None) -> None:
        record = decode_line(META, line, self._skipped)
        self.take_meta(record.payload if record else None)

    def take_meta(self, meta: Meta | None) -> None:
        """Take what a session says of itself: this one, or the one it was forked from."""
        if meta is None:
            return
        ids = {meta.id, meta.session_id} - {None}
        own_id = self._own_id or (self._meta_id(self._meta) if self._meta else "")
        if not own_id or own_id in ids:
            self._note_time((meta.timestamp or "").encode())
            self._started = self._started or meta.timestamp or ""
            self._meta = meta
            self._forked = False
        else:
            self.foreign_id = self.foreign_id or self._meta_id(meta)
            self._forked = True

    @staticmethod
    def _meta_id(meta: Meta) -> str:
        return meta.id or meta.session_id or ""

    def _on_turn(self, line: Line, _timestamp: bytes, _item_type: bytes | None) -> None:
        record = decode_line(TURN, line, self._skipped)
        if record is None:
            return
        self._begin_turn(record.payload.turn_id or "")
        if record.payload.cwd and not self._forked:
            self._turn_cwd = record.payload.cwd

    def _begin_turn(self, turn_id: str) -> None:
        self._imported = self._imported or turn_id.startswith(_IMPORT_TURN)
        if self._forked and self._meta is not None and turn_id:
            # Version 7 ids begin with their time, so the order of the text is the order of time. Ids of another form
            # tell nothing: then the turn is read, because new talk lost is worse than old talk read twice.
            own_id = self._meta_id(self._meta)
            comparable = _UUID.fullmatch(turn_id) and _UUID.fullmatch(own_id)
            self._forked = bool(comparable) and turn_id < own_id

    def _on_item(self, line: Line, timestamp: bytes, item_type: bytes | None) -> None:
        if item_type in SILENT_ITEMS:
            return
        if self._forked:
            self._skipped[PassedOver.FORKED_HISTORY] += 1
            return
        record = decode_line(ITEM, line, self._skipped)
        self.take_item(record.payload if record else None, timestamp)

    def take_item(self, item: Item | None, timestamp: bytes) -> None:
        """Take a response item."""
        if item is not None:
            self._note_time(timestamp)
            self._talk.add(item, stored_time(raw_text(timestamp)))

    def _on_event(self, line: Line, timestamp: bytes, item_type: bytes | None) -> None:
        if item_type not in _EVENTS:
            return
        record = decode_line(EVENT, line, self._skipped)
        if record is None:
            return
        event = record.payload
        if event.type == "task_started":
            self._begin_turn(event.turn_id or "")
        elif event.type == "thread_rolled_back" and not self._forked:
            self._talk.rewind(event.num_turns or 0)
        elif event.type == "user_message" and not self._forked:
            self._on_user_event(event, timestamp)

    def _on_user_event(self, event: Event, timestamp: bytes) -> None:
        self.humans_in_events = True
        if self._from_events:
            self._talk.say_as_user([Content(text=event.message)], Provenance(), stored_time(raw_text(timestamp)), "")

    def _on_compaction(self, line: Line, timestamp: bytes, _item_type: bytes | None) -> None:
        self._on_summary(Role.HOST, line, timestamp)

    def _on_other_agent(self, line: Line, timestamp: bytes, _item_type: bytes | None) -> None:
        self._on_summary(Role.OTHER_AGENT, line, timestamp)

    def _on_summary(self, role: Role, line: Line, timestamp: bytes) -> None:
        record = None if self._forked else decode_line(EVENT, line, self._skipped)
        if record is not None:
            self._talk.say(
                role, record.payload.message or record.payload.content or "", stored_time(raw_text(timestamp))
            )

    def session(self, ref: SessionRef) -> Session | None:
        """The session, or None where the file held none."""
        messages = self._assembly.messages()
        meta = self._meta or Meta()
        session_id = self._meta_id(meta) or self._own_id
        if not session_id or (self._meta is None and not messages):
            return None
        last = max((message.at for message in messages if message.at), default=None)
        started_at, updated_at = span(
            stored_time(self._started) or stored_time(raw_text(self._first_timestamp)),
            stored_time(raw_text(self._last_timestamp)) or last,
            ref.modified_at,
        )
        source = raw_text(meta.source)
        parent = _PARENT.search(source)
        return Session(
            id=session_id,
            host=ref.host,
            cwd=self._turn_cwd or meta.cwd or self._talk.cwd,
            branch=(meta.git.branch or None) if meta.git else None,
            started_at=started_at,
            updated_at=updated_at,
            parent_id=parent[1] if parent else None,
            messages=messages,
            exclusion=self._exclusion(meta, messages),
        )

    def _exclusion(self, meta: Meta, messages: tuple[Message, ...]) -> Exclusion | None:
        sources = {source_name(meta.source), source_name(meta.thread_source)}
        if _CONSOLIDATION in sources or (sources & _SUB_AGENT_SOURCES and _CONSOLIDATION in raw_text(meta.source)):
            return Exclusion.LEARNER
        if sources & _SUB_AGENT_SOURCES:
            return Exclusion.SUB_AGENT
        if self._imported or self._talk.turn_id.startswith(_IMPORT_TURN):
            return Exclusion.IMPORT
        switched_off = meta.memory_mode not in {None, "enabled"}
        return exclusion_of("", messages) or (Exclusion.MODE_OFF if switched_off else None)
