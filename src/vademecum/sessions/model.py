"""One model for what happened, whatever the host: Session, Message, ToolCall.

Text in these records is already clean: masked, without `<private>` parts, without our own injected block
(`sessions.cleaning` is the only door through which readers let text out).
"""

from datetime import datetime
from enum import StrEnum

import msgspec

from vademecum.artifacts import Citations

__all__ = ["Exclusion", "Message", "Origin", "Role", "Session", "SessionRef", "ToolCall"]


class Origin(StrEnum):
    """Who said it."""

    HUMAN = "human"  #: a person's own words
    MODEL = "model"  #: an agent's words
    TOOL = "tool"  #: the output of a program
    HOST = "host"  #: text that the host program added
    IMPORT = "import"  #: taken over from another memory
    REPOSITORY = "repository"  #: adopted from the memory repository


class Role(StrEnum):
    """The kinds of text that learning rests on. A host's "user" role is often not the user."""

    HUMAN = "human"  #: the user's own words: the only ground for a rule
    FINAL = "final"  #: what the assistant said last, before the user spoke again
    COMMENTARY = "commentary"  #: what the assistant said between tool calls
    OTHER_AGENT = "other_agent"  #: sub-agents and delegated tasks
    HOST = "host"  #: injected, synthetic, meta, hook text, compaction summaries
    TOOL = "tool"  #: a tool call or its output that belongs to no assistant message


_ORIGIN_OF_ROLE = {
    Role.HUMAN: Origin.HUMAN,
    Role.FINAL: Origin.MODEL,
    Role.COMMENTARY: Origin.MODEL,
    Role.OTHER_AGENT: Origin.MODEL,
    Role.HOST: Origin.HOST,
    Role.TOOL: Origin.TOOL,
}


class Exclusion(StrEnum):
    """Why learning must leave a session alone."""

    SUB_AGENT = "sub_agent"  #: an agent's helper: its parent tells the story
    LEARNER = "learner"  #: a session of a learner, ours or a host's own
    IMPORT = "import"  #: a host's copy of another host's session
    MODE_OFF = "mode_off"  #: switched off for memory in the host


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a tool by the assistant, with what came back."""

    id: str
    #: The host's own name of the tool ("Bash", "exec_command", "apply_patch").
    name: str
    #: The arguments as the host stored them: JSON text, or raw text for free-form tools. Capped, head and tail kept.
    input: str
    #: What came back; empty while running. Capped, head and tail kept.
    output: str = ""
    #: True: the host or the exit code says it failed. False: it says it worked. None: not known.
    failed: bool | None = None
    #: The shell command that ran, as it was given to the shell; empty for every other tool. Capped like `input`.
    command: str = ""
    #: Files that the call wrote, as the host named them.
    edited: tuple[str, ...] = ()
    #: Whether it brought in text from outside: the web, or the tool of a server that is not ours.
    is_external: bool = False


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One message on the live branch of a session."""

    id: str
    #: Turn number, counted from 1 over the live branch; evidence cites it as `[t<index>]`.
    index: int
    role: Role
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    #: Aware UTC, or None where the host stored no time.
    at: datetime | None = None
    #: The memories that a final answer says it used; the text does not hold the block any more.
    cited: Citations = Citations()

    @property
    def origin(self) -> Origin:
        """Who said it; follows from the role."""
        return _ORIGIN_OF_ROLE[self.role]


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation of a host, resolved to its live branch."""

    id: str
    host: str
    #: Absolute working directory as the host recorded it; empty where it recorded none.
    cwd: str
    branch: str | None
    #: Aware UTC; the first and the last moment that the session itself knows.
    started_at: datetime
    updated_at: datetime
    #: Set for sub-agent sessions; they are never learned from.
    parent_id: str | None
    messages: tuple[Message, ...]
    #: What was left out while reading: reason (`reasons.PassedOver`) -> count.
    skipped: dict[str, int] = {}
    #: The title under which the host lists the session (some are made by a model), else empty.
    title: str = ""
    #: Why learning must leave this session alone, else None.
    exclusion: Exclusion | None = None
    #: Whether text from outside came into a part of it that is not among its messages (a helper's talk).
    is_polluted_inside: bool = False

    @property
    def is_polluted(self) -> bool:
        """Whether text from outside came into it."""
        return self.is_polluted_inside or any(
            call.is_external for message in self.messages for call in message.tool_calls
        )


class SessionRef(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session lies, without having read it."""

    host: str
    #: File that holds it (for a database: the database file).
    path: str
    #: The session's id inside `path` where that is known without reading, else empty.
    session_id: str = ""
    #: Opaque per reader: changes whenever the session may have changed. Never parsed by others.
    fingerprint: str
    #: Raw bytes that reading it would touch; of a database, the session's share by its number of records.
    size_bytes: int = 0
    #: Modification time of the file or row, aware UTC.
    modified_at: datetime
