"""Composes Claude Code session files: lines with the fields that the real client writes."""

import json
from pathlib import Path
from typing import Any

SESSION = "1f0e7a52-9d0b-4d8e-9c5f-0a1b2c3d4e5f"
START_SECOND = 10 * 3600


def moment(second: int) -> str:
    """A time on the day of all composed sessions."""
    hours, rest = divmod(START_SECOND + second, 3600)
    return f"2026-11-{2 + hours // 24:02d}T{hours % 24:02d}:{rest // 60:02d}:{rest % 60:02d}.000Z"


class ClaudeFile:
    """Collects lines; each hangs below the one before unless `parent` says otherwise."""

    def __init__(self, session_id: str = SESSION, cwd: str = "/srv/demo") -> None:
        self.session_id = session_id
        self.cwd = cwd
        self.lines: list[bytes] = []
        self.last: str | None = None
        self._count = 0

    def raw(self, data: bytes) -> None:
        self.lines.append(data)

    def plain(self, kind: str, **fields: Any) -> None:
        """A line without a place in the tree."""
        self._write({"type": kind, "sessionId": self.session_id, **fields})

    def line(self, kind: str, *, parent: str | None = "", uuid: str = "", **fields: Any) -> str:
        self._count += 1
        uuid = uuid or f"line-{self._count}"
        record = {
            "parentUuid": self.last if parent == "" else parent,
            "isSidechain": False,
            "type": kind,
            "uuid": uuid,
            "timestamp": moment(self._count),
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session_id,
            "version": "2.1.332",
            "gitBranch": "main",
        }
        self._write(record | fields)
        self.last = uuid
        return uuid

    def user(self, content: str | list[dict[str, Any]], **fields: Any) -> str:
        return self.line("user", message={"role": "user", "content": content}, **fields)

    def assistant(
        self, *blocks: dict[str, Any], message_id: str = "", stop: str | None = "end_turn", **fields: Any
    ) -> str:
        message = {
            "id": message_id or f"msg-{self._count + 1}",
            "type": "message",
            "role": "assistant",
            "model": "some-model",
            "content": list(blocks),
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": 12777,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "output_tokens": 20,
                "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
                "service_tier": "standard",
                "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
            },
        }
        return self.line("assistant", message=message, requestId="req-1", **fields)

    def says(self, words: str, **fields: Any) -> str:
        return self.assistant(text(words), **fields)

    def calls(self, call_id: str, name: str = "Bash", arguments: dict[str, Any] | None = None, **fields: Any) -> str:
        block = {"type": "tool_use", "id": call_id, "name": name, "input": arguments or {"command": "make test"}}
        return self.assistant(block, stop="tool_use", **fields)

    def result(self, call_id: str, content: Any, *, is_error: bool | None = None, **fields: Any) -> str:
        block = {"tool_use_id": call_id, "type": "tool_result", "content": content}
        if is_error is not None:
            block["is_error"] = is_error
        twin = {"stdout": content, "stderr": "", "interrupted": False}
        return self.user([block], toolUseResult=twin, **fields)

    def attachment(self, kind: str, parent: str | None = "", **fields: Any) -> str:
        return self.line("attachment", parent=parent, attachment={"type": kind, **fields})

    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        return path

    def _write(self, record: dict[str, Any]) -> None:
        self.lines.append(json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode())


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}
