"""pi session files (version 3): a tree of entries; the last entry is the leaf of the live branch."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from support.compose.ids import Ids
from support.compose.jsonl import write_jsonl
from support.compose.script import (
    Assistant,
    Clock,
    Compaction,
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

__all__ = ["write_pi"]

_USAGE = {"input": 900, "output": 40, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 940}


def write_pi(folder: Path, script: Script) -> Path:
    """Writes `<folder>/sessions/--<cwd>--/<time>_<id>.jsonl`."""
    ids = Ids("pi", script)
    session_id = ids.uuid7(script.started_at)
    tree = _Tree(script, ids)
    tree.entry("model_change", {"provider": "anthropic", "modelId": "claude-opus-5-5"})
    tree.entry("thinking_level_change", {"thinkingLevel": "off"})
    tree.add_all(script.turns)
    start = iso(script.started_at)
    header = {"type": "session", "version": 3, "id": session_id, "timestamp": start, "cwd": script.cwd}
    name = f"{re.sub('[:.]', '-', start)}_{session_id}.jsonl"
    key = "--" + script.cwd.strip("/").replace("/", "-") + "--"
    return write_jsonl(folder / "sessions" / key / name, [header, *tree.lines])


class _Tree:
    """The entries of one session; `parent` is the id that the next entry hangs on."""

    def __init__(self, script: Script, ids: Ids) -> None:
        self.ids = ids
        self.clock = Clock(script.started_at)
        self.lines: list[dict[str, object]] = []
        self.parent: str | None = None

    def entry(self, kind: str, fields: Mapping[str, object]) -> str:
        entry_id = self.ids.hex(8)
        head = {"type": kind, "id": entry_id, "parentId": self.parent, "timestamp": iso(self.clock.now)}
        self.lines.append(head | dict(fields))
        self.parent = entry_id
        return entry_id

    def message(self, role: str, content: list[dict[str, object]], **fields: object) -> str:
        stamped = {"role": role} | fields | {"content": content, "timestamp": milliseconds(self.clock.now)}
        return self.entry("message", {"message": stamped})

    def add_all(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            self.clock.tick(turn.seconds)
            self.add(turn)

    def add(self, turn: Turn) -> None:
        match turn:
            case Human():
                self.message("user", [{"type": "text", "text": turn.text}])
            case Assistant():
                self.assistant({"type": "text", "text": turn.text}, "stop" if turn.final else "toolUse")
            case Tool():
                self.tool(turn)
            case HostText():
                custom = {"customType": f"host-{turn.kind}", "content": turn.text, "display": False}
                self.entry("custom_message", custom)
            case Compaction():
                kept = self.lines[-1]["id"]
                self.entry("compaction", {"summary": turn.summary, "firstKeptEntryId": kept, "tokensBefore": 150000})
            case Rewound():
                branch_point = self.parent
                self.add_all(turn.turns)
                left, self.parent = self.parent, branch_point
                self.entry("branch_summary", {"fromId": left, "summary": "An earlier try was left."})
            case SubAgent():
                self.tool(Tool(tool="subagent", input={"task": turn.prompt}, output=turn.result))

    def assistant(self, block: dict[str, object], stop: str) -> None:
        self.message(
            "assistant",
            [block],
            api="anthropic-messages",
            provider="anthropic",
            model="claude-opus-5-5",
            usage=_USAGE,
            stopReason=stop,
        )

    def tool(self, turn: Tool) -> None:
        call_id = f"call_{self.ids.hex(24)}"
        name, arguments = _call(turn)
        self.assistant({"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}, "toolUse")
        self.clock.tick(1)
        tail = "\n\nCommand exited with code 1" if turn.failed and turn.tool == "shell" else ""
        content = [{"type": "text", "text": turn.output + tail}]
        self.message("toolResult", content, toolCallId=call_id, toolName=name, isError=turn.failed)


def _call(turn: Tool) -> tuple[str, dict[str, str]]:
    match turn.tool:
        case "shell":
            return "bash", {"command": turn.input["command"]}
        case "edit":
            return "edit", {"path": turn.input["path"], "oldText": turn.input["old"], "newText": turn.input["new"]}
        case _:
            return turn.tool.replace("/", "_"), dict(turn.input)
