"""Codex response items turned into talk: messages, the calls of a step, what came back, answers to questions.

Items come in the order in which the model saw them: text, then the calls of that step, then their outputs, then the
next step. Calls belong to the text before them; without such text a message without words holds them.
"""

import re
from collections import Counter
from datetime import datetime

import msgspec

from vademecum.sessions.assembly import Assembly, PendingCall, PendingMessage, raw_text
from vademecum.sessions.calls import Tools, pending_call
from vademecum.sessions.codex.lines import SILENT_ITEMS, Content, Item
from vademecum.sessions.codex.outputs import outcome
from vademecum.sessions.codex.words import (
    Provenance,
    answers_to_questions,
    is_of_other_agent,
    role_of_user_text,
    split_ide_context,
)
from vademecum.sessions.model import Role
from vademecum.sessions.reasons import PassedOver

__all__ = ["RolloutTalk"]

_ASK_USER = "request_user_input"
#: Over the versions of the host: what runs a command line, and what patches files.
_TOOLS = Tools(
    shells=frozenset({"container.exec", "exec_command", "local_shell", "shell", "shell_command"}),
    editors=frozenset({"apply_patch"}),
    outside=frozenset({"read_mcp_resource", "web_search"}),
)
#: Calls that may wait for their output at one time; the oldest is given up.
_WAITING_CAP = 1_000
_PHASES = {"commentary": Role.COMMENTARY, "final_answer": Role.FINAL}
#: Files of 2025 name the folder in the text that the host gives to the model.
_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>|^Current working directory: (\S.*)$", re.MULTILINE)
_STRING = msgspec.json.Decoder(str)
_PROVENANCE = msgspec.json.Decoder(Provenance)


class RolloutTalk:
    """Puts items into an assembly."""

    def __init__(self, assembly: Assembly, skipped: Counter[str]) -> None:
        self._assembly = assembly
        self._skipped = skipped
        self._step: PendingMessage | None = None
        self._waiting: dict[str, PendingCall] = {}
        #: Whether a person spoke.
        self.human = False
        #: The folder that the host named in a text, for files that name it nowhere else.
        self.cwd = ""
        #: The host's turn (a prompt and all that follows) that the last message with provenance belongs to.
        self.turn_id = ""

    def add(self, item: Item, at: datetime | None) -> None:
        """Take the next item."""
        if item.type == "message":
            self._add_message(item, at)
        elif item.type == "agent_message":
            self.say(Role.OTHER_AGENT, _text(item.content), at, item.id)
        elif item.type.endswith("_call"):
            self._add_call(item, at)
        elif item.type.endswith("_output"):
            self._add_output(item, at)
        elif item.type.encode() not in SILENT_ITEMS:
            self._skipped[PassedOver.UNKNOWN_TYPE] += 1

    def rewind(self, prompts: int) -> None:
        """Take back the last human prompts."""
        self._assembly.rewind(prompts)
        self._step = None

    def say(self, role: Role | None, text: str, at: datetime | None, message_id: str | None = None) -> None:
        """Append words; calls that follow belong to them if they are the assistant's."""
        if not text.strip():
            return
        message = self._assembly.add(role, text, message_id=message_id or "", at=at)
        self._step = message if role in {None, Role.COMMENTARY, Role.FINAL} else None
        self.human = self.human or role is Role.HUMAN

    def say_as_user(self, pieces: list[Content], provenance: Provenance, at: datetime | None, item_id: str) -> None:
        """Append a message with the role `user`, its pieces sorted by whose words they are."""
        texts: dict[Role, list[str]] = {}
        for place, piece in enumerate(pieces):
            if piece.text is None:
                texts.setdefault(Role.HOST, []).append(f"[{piece.type}]")
                continue
            context, text = split_ide_context(piece.text)
            if context:
                texts.setdefault(Role.HOST, []).append(context)
            texts.setdefault(role_of_user_text(text, provenance.of_user(place)), []).append(text)
        self._note_cwd(texts.get(Role.HOST, []))
        for role, found in texts.items():
            self.say(role, "\n\n".join(found), at, item_id)

    def _note_cwd(self, host_texts: list[str]) -> None:
        match = next(filter(None, map(_CWD.search, host_texts)), None)
        if match:
            self.cwd = (match[1] or match[2]).strip()

    def _add_message(self, item: Item, at: datetime | None) -> None:
        if item.role == "assistant":
            text = _text(item.content)
            role = Role.OTHER_AGENT if is_of_other_agent(text) else _PHASES.get(item.phase or "")
            self.say(role, text, at, item.id)
        elif item.role == "user":
            pieces = [Content(text=item.content)] if isinstance(item.content, str) else item.content or []
            provenance = self._provenance(item)
            self.say_as_user(pieces, provenance, at, item.id or "")

    def _provenance(self, item: Item) -> Provenance:
        if not item.provenance:
            return Provenance()
        try:
            provenance = _PROVENANCE.decode(item.provenance)
        except (msgspec.DecodeError, RecursionError):
            return Provenance()
        self.turn_id = provenance.turn_id or self.turn_id
        return provenance

    def _add_call(self, item: Item, at: datetime | None) -> None:
        name = item.name or item.type.removesuffix("_call")
        # The name that other hosts give to a tool of an MCP server.
        name = f"{item.namespace}__{name}" if item.namespace else name
        call = pending_call(_TOOLS, item.call_id or item.id or "", name, _input(item))
        step = self._step or self._assembly.add(None, "", message_id=item.id or "", at=at)
        self._step = self._assembly.attach(step, call)
        self._waiting[call.id] = call
        if len(self._waiting) > _WAITING_CAP:
            del self._waiting[next(iter(self._waiting))]

    def _add_output(self, item: Item, at: datetime | None) -> None:
        call = self._waiting.pop(item.call_id or "", None)
        if call is None:
            self._skipped[PassedOver.ORPHAN_OUTPUT] += 1
            return
        text, failed = outcome(item.output)
        self._assembly.answer(call, text, failed=failed)
        self._step = None
        if call.name == _ASK_USER:
            answer = answers_to_questions(call.input, text)
            if answer:
                self._assembly.add(Role.HUMAN, answer, message_id=call.id, at=at, is_prompt=False)


def _text(content: str | list[Content] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(piece.text for piece in content or [] if piece.text)


def _input(item: Item) -> str:
    if item.action is not None:
        command = item.action.command
        return msgspec.json.encode({"command": command}).decode() if command else item.action.query or ""
    return _arguments(item.arguments) or item.input or ""


def _arguments(raw: msgspec.Raw) -> str:
    try:
        return _STRING.decode(raw) if raw else ""
    except msgspec.DecodeError:
        return raw_text(raw)
