"""Claude Code session files (2.1): one tree of lines per session, noise lines between them."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from support.compose.ids import Ids
from support.compose.jsonl import write_jsonl
from support.compose.script import (
    Assistant,
    Clock,
    Compaction,
    HostKind,
    HostText,
    Human,
    Rewound,
    Script,
    SubAgent,
    Tool,
    Turn,
    iso,
    milliseconds,
)

__all__ = ["write_claude_code"]

VERSION = "2.1.332"
MODEL = "claude-opus-5-5"
USAGE = {"input_tokens": 900, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 40}
TOOL_NAMES = {"shell": "Bash", "read": "Read", "write": "Write", "edit": "Edit"}


def write_claude_code(folder: Path, script: Script) -> Path:
    """Writes `<folder>/projects/<key>/<session id>.jsonl` (and the files of its sub-agents beside it)."""
    ids = Ids("claude-code", script)
    session_id = ids.uuid4()
    project = folder / "projects" / re.sub(r"[^A-Za-z0-9]", "-", script.cwd)
    tree = _Tree(script, session_id, ids, Clock(script.started_at))
    tree.opening()
    tree.add_all(script.turns)
    tree.closing()
    for agent_id, lines in tree.agents.items():
        base = project / session_id / "subagents" / f"agent-{agent_id}"
        write_jsonl(base.with_suffix(".jsonl"), lines)
        base.with_suffix(".meta.json").write_text('{"agentType":"general-purpose"}', encoding="utf-8")
    return write_jsonl(project / f"{session_id}.jsonl", tree.lines)


class _Tree:
    """The lines of one session; `parent` is the uuid that the next line hangs on."""

    def __init__(self, script: Script, session_id: str, ids: Ids, clock: Clock, agent_id: str | None = None) -> None:
        self.script, self.session_id, self.ids, self.clock = script, session_id, ids, clock
        self.agent_id = agent_id
        self.lines: list[dict[str, object]] = []
        self.agents: dict[str, list[dict[str, object]]] = {}
        self.parent: str | None = None
        self.turn_index = 0
        self.message_id: str | None = None

    def opening(self) -> None:
        now = self.clock.tick(0)
        for operation in ("enqueue", "dequeue"):
            words = {"content": self.script.opening} if operation == "enqueue" else {}
            self.lines.append(
                {"type": "queue-operation", "operation": operation, "timestamp": iso(now), "sessionId": self.session_id}
                | words
            )
        self.lines.append({"type": "mode", "mode": "normal", "sessionId": self.session_id})
        self.attach({"type": "environment", "snapshot": {"workingDirectory": self.script.cwd, "platform": "linux"}})
        self.attach({"type": "date", "date": iso(now)[:10]})

    def closing(self) -> None:
        self.node("system", {"subtype": "turn_duration", "durationMs": 5120, "isMeta": False}, self.clock.tick(0.1))
        self.lines.append(
            {
                "type": "last-prompt",
                "lastPrompt": self.script.opening[:200],
                "leafUuid": self.parent,
                "sessionId": self.session_id,
            }
        )
        self.lines.append({"type": "ai-title", "aiTitle": self.script.title, "sessionId": self.session_id})
        self.lines.append({"type": "cost-state", "sessionId": self.session_id, "totalCostUSD": 0.04})

    def add_all(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            self.add(turn)

    def add(self, turn: Turn) -> None:
        now = self.clock.tick(turn.seconds)
        match turn:
            case Human():
                self.human(turn.text, now)
            case Assistant():
                self.assistant({"type": "text", "text": turn.text}, now, stop="end_turn" if turn.final else "tool_use")
            case Tool():
                self.tool(TOOL_NAMES.get(turn.tool) or "mcp__" + turn.tool.replace("/", "__"), _arguments(turn), turn)
            case HostText():
                self.host_text(turn, now)
            case Compaction():
                self.compaction(turn, now)
            case Rewound():
                branch_point = self.parent
                self.add_all(turn.turns)
                self.parent = branch_point
            case SubAgent():
                self.sub_agent(turn)

    def node(self, kind: str, fields: Mapping[str, object], now: datetime) -> None:
        """Appends one line of the tree and moves to it."""
        uuid = self.ids.uuid4()
        agent = {"agentId": self.agent_id} if self.agent_id else {}
        self.lines.append(
            {"parentUuid": self.parent, "isSidechain": self.agent_id is not None, "type": kind}
            | dict(fields)
            | agent
            | {
                "uuid": uuid,
                "timestamp": iso(now),
                "userType": "external",
                "entrypoint": "cli",
                "cwd": self.script.cwd,
                "sessionId": self.session_id,
                "version": VERSION,
                "gitBranch": self.script.branch,
            }
        )
        self.parent = uuid
        if kind != "assistant":
            self.message_id = None

    def attach(self, attachment: Mapping[str, object], rendered: str | None = None) -> None:
        shown = {"rendered": [{"content": rendered}], "renderedRole": "system"} if rendered else {}
        self.node("attachment", {"attachment": attachment} | shown, self.clock.tick(0.05))

    def user(self, content: object, now: datetime, **fields: object) -> None:
        self.node("user", {"promptId": self.ids.uuid4(), "message": {"role": "user", "content": content}} | fields, now)

    def human(self, text: str, now: datetime) -> None:
        position = {"promptIndex": self.turn_index, "turnIndex": self.turn_index + 1}
        self.turn_index += 1
        sent = milliseconds(now)
        self.user(text, now, permissionMode="default", sentAtMs=sent, rowSource="local", turnPosition=position)

    def assistant(self, block: Mapping[str, object], now: datetime, *, stop: str) -> None:
        """One block per line; the blocks of one answer share the message id."""
        self.message_id = self.message_id or f"msg_{self.ids.hex(24)}"
        message = {
            "id": self.message_id,
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [block],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": USAGE,
        }
        self.node("assistant", {"message": message, "requestId": f"req_{self.ids.hex(20)}", "effort": "medium"}, now)
        if stop == "end_turn":
            self.message_id = None

    def tool(self, name: str, arguments: Mapping[str, object], turn: Tool) -> None:
        call_id = f"toolu_{self.ids.hex(24)}"
        self.assistant(
            {"type": "tool_use", "id": call_id, "name": name, "input": arguments}, self.clock.now, stop="tool_use"
        )
        output = f"Exit code 1\n{turn.output}" if turn.failed and turn.tool == "shell" else turn.output
        result = {"tool_use_id": call_id, "type": "tool_result", "content": output, "is_error": turn.failed}
        stored: object = f"Error: {output}" if turn.failed else {"stdout": output, "stderr": "", "interrupted": False}
        self.user([result], self.clock.tick(1), toolUseResult=stored)

    def host_text(self, turn: HostText, now: datetime) -> None:
        if turn.kind is HostKind.HOOK:
            attachment = {"type": "hook_additional_context", "content": [turn.text], "hookName": "UserPromptSubmit"}
            self.attach(attachment, f"<system-reminder>\n{turn.text}\n</system-reminder>")
        elif turn.kind is HostKind.ENVIRONMENT:
            self.attach(
                {"type": "session_context", "context": {"gitStatus": turn.text}},
                f"<system-reminder>\n{turn.text}\n</system-reminder>",
            )
        else:
            self.user(f"<system-reminder>\n{turn.text}\n</system-reminder>", now, isMeta=True, rowSource="harness")

    def compaction(self, turn: Compaction, now: datetime) -> None:
        before, self.parent = self.parent, None
        fields = {
            "logicalParentUuid": before,
            "subtype": "compact_boundary",
            "content": "Conversation compacted",
            "isMeta": False,
            "level": "info",
            "compactMetadata": {"trigger": "auto", "preTokens": 150000, "postTokens": 2700},
        }
        self.node("system", fields, now)
        text = (
            f"This session is being continued from a previous conversation that ran out of context.\n\n{turn.summary}"
        )
        self.user(text, self.clock.tick(0.1), isVisibleInTranscriptOnly=True, isCompactSummary=True)

    def sub_agent(self, turn: SubAgent) -> None:
        agent_id = self.ids.hex(17)
        side = _Tree(self.script, self.session_id, self.ids, Clock(self.clock.now), agent_id)
        side.human(turn.prompt, side.clock.tick(0.1))
        side.add_all(turn.turns)
        side.add(Assistant(text=turn.result))
        self.agents[agent_id] = side.lines
        call = Tool(tool="agent", input={}, output=turn.result)
        self.tool("Agent", {"description": "Look into it", "prompt": turn.prompt}, call)


def _arguments(turn: Tool) -> dict[str, object]:
    match turn.tool:
        case "shell":
            return {"command": turn.input["command"], "description": "Run a command"}
        case "read":
            return {"file_path": turn.input["path"]}
        case "write":
            return {"file_path": turn.input["path"], "content": turn.input["content"]}
        case "edit":
            return {
                "file_path": turn.input["path"],
                "old_string": turn.input["old"],
                "new_string": turn.input["new"],
                "replace_all": False,
            }
        case _:
            return dict(turn.input)
