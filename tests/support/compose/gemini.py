"""Gemini CLI session logs: each message is written again whenever more of it is known."""

import hashlib
from collections.abc import Iterable
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
)

__all__ = ["write_gemini"]

_TOKENS = {"input": 900, "output": 40, "cached": 0, "thoughts": 0, "tool": 0, "total": 940}
_CONTEXT = "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n"


def write_gemini(folder: Path, script: Script) -> Path:
    """Writes `<folder>/tmp/<name>/chats/session-<time>-<id>.jsonl`, and the project's root beside `chats`."""
    ids = Ids("gemini", script)
    log = _Log(script, ids)
    log.add_all(script.turns)
    project = hashlib.sha256(script.cwd.encode()).hexdigest()
    start = iso(script.started_at)
    told = f"{_CONTEXT}- **Workspace Directories:**\n  - {script.cwd}\n</session_context>"
    opening = {"id": ids.hex(32), "timestamp": start, "type": "user", "content": [{"text": told}]}
    session = ids.uuid7(script.started_at)
    head = {"sessionId": session, "projectHash": project, "startTime": start, "lastUpdated": start, "kind": "main"}
    lines = [head, {"$set": {"messages": [opening], "lastUpdated": start}}, *log.lines]
    place = folder / "tmp" / script.cwd.strip("/").replace("/", "-")
    path = write_jsonl(place / "chats" / f"session-{start[:16].replace(':', '-')}-{session[:8]}.jsonl", lines)
    (place / ".project_root").write_text(script.cwd, encoding="utf-8")
    return path


class _Log:
    def __init__(self, script: Script, ids: Ids) -> None:
        self.ids = ids
        self.clock = Clock(script.started_at)
        self.lines: list[dict[str, object]] = []

    def message(self, kind: str, content: object, **fields: object) -> dict[str, object]:
        now = iso(self.clock.now)
        record = {"id": self.ids.hex(32), "timestamp": now, "type": kind, "content": content, **fields}
        self.lines += [record, {"$set": {"lastUpdated": now}}]
        return record

    def add_all(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            self.clock.tick(turn.seconds)
            self.add(turn)

    def add(self, turn: Turn) -> None:
        match turn:
            case Human():
                self.message("user", [{"text": turn.text}])
            case Assistant():
                self.gemini(turn.text)
            case Tool():
                self.tool(turn)
            case HostText():
                self.message("user", [{"text": f"<hook_context>{turn.text}</hook_context>"}])
            case Compaction():
                shown = {"id": self.ids.hex(32), "type": "user", "content": [{"text": turn.summary}]}
                self.lines.append({"$set": {"messages": [shown]}})
            case Rewound():
                start = len(self.lines)
                self.add_all(turn.turns)
                first = next((line["id"] for line in self.lines[start:] if "id" in line), None)
                self.lines += [{"$rewindTo": first}] if first else []
            case SubAgent():
                self.tool(Tool(tool="invoke_agent", input={"prompt": turn.prompt}, output=turn.result))

    def gemini(self, text: str) -> dict[str, object]:
        return self.message("gemini", text, thoughts=[], tokens=_TOKENS, model="gemini-3.1-pro")

    def tool(self, turn: Tool) -> None:
        asked = self.gemini("")
        self.clock.tick(1)
        name, arguments = _call(turn)
        call_id = f"{name}__{self.ids.hex(12)}"
        ended = f"\nExit Code: {int(turn.failed)}\nProcess Group PGID: 4711" if turn.tool == "shell" else ""
        response = {"id": call_id, "name": name, "response": {"output": f"{turn.output}{ended}"}}
        failed = turn.failed and turn.tool != "shell"
        call = {
            "id": call_id,
            "name": name,
            "args": arguments,
            "result": [{"functionResponse": response}],
            "status": "error" if failed else "success",
            "timestamp": iso(self.clock.now),
        }
        self.lines.append(asked | {"toolCalls": [call]})
        self.message("user", [{"functionResponse": response}])


def _call(turn: Tool) -> tuple[str, dict[str, str]]:
    match turn.tool:
        case "shell":
            return "run_shell_command", {"command": turn.input["command"]}
        case "read":
            return "read_file", {"file_path": turn.input["path"]}
        case "write":
            return "write_file", {"file_path": turn.input["path"], "content": turn.input["content"]}
        case "edit":
            old, new = turn.input["old"], turn.input["new"]
            return "replace", {"file_path": turn.input["path"], "old_string": old, "new_string": new}
        case _:
            name = f"mcp_{turn.tool.replace('/', '_')}" if "/" in turn.tool else turn.tool
            return name, dict(turn.input)
