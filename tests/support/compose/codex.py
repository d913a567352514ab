"""Codex CLI rollouts (0.171): an append-only log of envelopes, in which event lines repeat the talk."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from support.compose.ids import Ids
from support.compose.jsonl import dumps, write_jsonl
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
from support.compose.zstd import compress

__all__ = ["write_codex"]

VERSION = "0.171.0"
MODEL = "gpt-5.5"
_USAGE = {"input_tokens": 900, "cached_input_tokens": 0, "output_tokens": 40, "total_tokens": 940}


def write_codex(folder: Path, script: Script, *, compressed: bool = False) -> Path:
    """Writes `<folder>/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl` (compressed: `.jsonl.zst`), sub-agents beside."""
    ids = Ids("codex", script)
    log = _Log(script, ids.uuid7(script.started_at), ids, Clock(script.started_at))
    log.opening()
    log.add_all(script.turns)
    for child in log.children:
        _write(folder, child, compressed=compressed)
    return _write(folder, log, compressed=compressed)


def _write(folder: Path, log: "_Log", *, compressed: bool) -> Path:
    start = log.clock.start
    name = f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{log.thread_id}.jsonl"
    path = write_jsonl(folder / "sessions" / f"{start:%Y/%m/%d}" / name, log.lines)
    if not compressed:
        return path
    packed = path.with_name(name + ".zst")
    packed.write_bytes(compress(path.read_bytes()))
    path.unlink()
    return packed


class _Log:
    """The lines of one rollout."""

    def __init__(self, script: Script, thread_id: str, ids: Ids, clock: Clock, parent_id: str | None = None) -> None:
        self.script, self.thread_id, self.ids, self.clock, self.parent_id = script, thread_id, ids, clock, parent_id
        self.lines: list[dict[str, object]] = []
        self.children: list[_Log] = []
        self.turn_id = ids.uuid7(clock.now)
        self.turn_open = False

    def line(self, kind: str, payload: Mapping[str, object], now: datetime | None = None) -> None:
        envelope = {"timestamp": iso(now or self.clock.now), "ordinal": len(self.lines), "type": kind}
        self.lines.append(envelope | {"payload": dict(payload)})

    def event(self, kind: str, **fields: object) -> None:
        self.line("event_msg", {"type": kind} | fields)

    def opening(self) -> None:
        spawned = {"subagent": {"thread_spawn": {"parent_thread_id": self.parent_id, "depth": 1}}}
        self.line(
            "session_meta",
            {
                "session_id": self.thread_id,
                "id": self.thread_id,
                "timestamp": iso(self.clock.now),
                "cwd": self.script.cwd,
                "runtime_workspace_roots": [self.script.cwd],
                "originator": "codex-tui",
                "cli_version": VERSION,
                "source": spawned if self.parent_id else "cli",
                "thread_source": "subagent" if self.parent_id else "user",
                "model_provider": "openai",
                "memory_mode": "disabled" if self.script.memory_off else "enabled",
                "base_instructions": {"text": "(base instructions of the client)"},
                "history_mode": "paginated",
                "git": {"commit_hash": self.ids.hex(40), "branch": self.script.branch},
            },
        )
        self.message("developer", ["<permissions instructions>\nThe sandbox is on.\n</permissions instructions>"])
        self.message(
            "user",
            [f"<environment_context>\n  <cwd>{self.script.cwd}</cwd>\n  <shell>bash</shell>\n</environment_context>"],
        )
        state = {"environments": {"environments": {"local": {"cwd": self.script.cwd, "shell": "bash"}}}, "model": MODEL}
        self.line("world_state", {"full": True, "state": state})

    def add_all(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            self.clock.tick(turn.seconds)
            self.add(turn)

    def add(self, turn: Turn) -> None:
        match turn:
            case Human():
                self.human(turn.text)
            case Assistant():
                self.assistant(turn)
            case Tool():
                self.tool(turn)
            case HostText():
                self.host_text(turn)
            case Compaction():
                kept = {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": self.script.opening}],
                }
                self.line("compacted", {"message": turn.summary, "replacement_history": [kept]})
                self.event("context_compacted")
            case Rewound():
                self.add_all(turn.turns)
                self.event("thread_rolled_back", num_turns=sum(isinstance(inner, Human) for inner in turn.turns))
            case SubAgent():
                self.sub_agent(turn)

    def message(self, role: str, texts: list[str], **fields: object) -> None:
        kind = "output_text" if role == "assistant" else "input_text"
        content = [{"type": kind, "text": text} for text in texts]
        message = {"type": "message", "id": f"msg_{self.ids.hex(24)}", "role": role, "content": content}
        self.line("response_item", message | fields)

    def completed(self, item: Mapping[str, object]) -> None:
        moment = milliseconds(self.clock.now)
        self.event(
            "item_completed",
            thread_id=self.thread_id,
            turn_id=self.turn_id,
            item=item,
            started_at_ms=moment,
            completed_at_ms=moment,
        )

    def human(self, text: str) -> None:
        self.turn_id = self.ids.uuid7(self.clock.now)
        self.event("task_started", turn_id=self.turn_id, model_context_window=258400)
        context = {
            "turn_id": self.turn_id,
            "cwd": self.script.cwd,
            "approval_policy": "on-request",
            "sandbox_policy": {"type": "workspace-write"},
            "model": MODEL,
            "summary": "none",
        }
        self.line("turn_context", context)
        source = {"turn_id": self.turn_id, "content_item_kinds": ["user.text"]}
        self.message("user", [text], internal_chat_message_metadata_passthrough=source)
        self.event("user_message", message=text, images=[])
        self.completed({"type": "UserMessage", "id": self.ids.uuid4(), "content": [{"type": "text", "text": text}]})

    def assistant(self, turn: Assistant) -> None:
        phase = "final_answer" if turn.final else "commentary"
        self.event("agent_message", message=turn.text, phase=phase)
        self.message("assistant", [turn.text], status="completed", phase=phase)
        self.completed(
            {"type": "AgentMessage", "id": self.ids.hex(24), "content": [{"type": "Text", "text": turn.text}]}
        )
        self.line("token_usage_record", {"thread_id": self.thread_id, "turn_id": self.turn_id, "usage": _USAGE})
        self.event("token_count", info={"total_token_usage": _USAGE, "model_context_window": 258400})
        if turn.final:
            self.event("task_complete", turn_id=self.turn_id, last_agent_message=turn.text)

    def tool(self, turn: Tool) -> None:
        call_id = f"call_{self.ids.hex(24)}"
        if turn.tool in {"write", "edit"}:
            call = {"type": "custom_tool_call", "status": "completed", "call_id": call_id, "name": "apply_patch"}
            self.line("response_item", call | {"input": _patch(turn)})
            head = f"Exit code: {int(turn.failed)}\nWall time: 0 seconds\nOutput:\n"
            result = {"type": "custom_tool_call_output", "call_id": call_id, "output": head + turn.output}
        else:
            name, arguments = _function(turn)
            call = {"type": "function_call", "status": "completed", "call_id": call_id} | name
            self.line("response_item", call | {"arguments": dumps(arguments)})
            result = {"type": "function_call_output", "call_id": call_id, "output": _output(turn)}
        self.clock.tick(1)
        self.completed(
            {"type": "CommandExecution", "id": call_id, "status": "completed", "aggregated_output": turn.output}
        )
        self.line("response_item", result)

    def host_text(self, turn: HostText) -> None:
        if turn.kind is HostKind.AGENTS_MD:
            head = f"# AGENTS.md instructions for {self.script.cwd}\n\n<INSTRUCTIONS>\n"
            self.message("user", [f"{head}{turn.text}\n</INSTRUCTIONS>"])
        elif turn.kind is HostKind.ENVIRONMENT:
            self.message("user", [f"<environment_context>\n{turn.text}\n</environment_context>"])
        else:
            kinds = {"content_item_kinds": ["hooks.additional_context"]}
            self.message("developer", [turn.text], internal_chat_message_metadata_passthrough=kinds)

    def sub_agent(self, turn: SubAgent) -> None:
        child = _Log(
            self.script, self.ids.uuid7(self.clock.now), self.ids, Clock(self.clock.now), parent_id=self.thread_id
        )
        child.opening()
        child.add_all((Human(text=turn.prompt), *turn.turns, Assistant(text=turn.result)))
        self.children.append(child)
        self.tool(
            Tool(tool="spawn_agent", input={"message": turn.prompt}, output=f'{{"agent_id":"{child.thread_id}"}}')
        )
        done = dumps({"agent_id": child.thread_id, "status": {"completed": turn.result}})
        notice = f"<subagent_notification>\n{done}\n</subagent_notification>"
        self.message("user", [notice])


def _function(turn: Tool) -> tuple[dict[str, str], dict[str, str]]:
    """The name (and namespace) of a function call, and its arguments."""
    if turn.tool == "shell":
        return {"name": "exec_command"}, {"cmd": turn.input["command"]}
    if turn.tool == "read":
        return {"name": "exec_command"}, {"cmd": f"cat {turn.input['path']}"}
    server, _, name = turn.tool.rpartition("/")
    namespace = {"namespace": f"mcp__{server}"} if server else {}
    return {"name": name} | namespace, dict(turn.input)


def _output(turn: Tool) -> str:
    if turn.tool not in {"shell", "read"}:
        return turn.output
    return (
        "Chunk ID: 019a5e\nWall time: 0.0400 seconds\n"
        f"Process exited with code {int(turn.failed)}\nOriginal token count: 115\nOutput:\n{turn.output}"
    )


def _patch(turn: Tool) -> str:
    path = turn.input["path"]
    if turn.tool == "write":
        body = "".join(f"+{line}\n" for line in turn.input["content"].splitlines())
        return f"*** Begin Patch\n*** Add File: {path}\n{body}*** End Patch\n"
    return f"*** Begin Patch\n*** Update File: {path}\n@@\n-{turn.input['old']}\n+{turn.input['new']}\n*** End Patch\n"
