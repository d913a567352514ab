"""Composes pi session files: entries with the fields that the real client writes."""

import json
from pathlib import Path
from typing import Any

from support.sessions_claude import moment

SESSION = "01a22c15-dffd-746f-bfe8-8d392b53dada"


class PiFile:
    """Collects entries; each hangs below the one before unless `parent` says otherwise."""

    def __init__(self, *, version: int | None = 3, cwd: str = "/srv/demo", **header: Any) -> None:
        self.version = version
        self.lines: list[bytes] = []
        self.last: str | None = None
        self._count = 0
        fields = {"type": "session", "version": version, "id": SESSION, "timestamp": moment(0), "cwd": cwd, **header}
        self._write({key: value for key, value in fields.items() if value is not None})

    def raw(self, data: bytes) -> None:
        self.lines.append(data)

    def entry(self, kind: str, *, parent: str | None = "", entry_id: str = "", **fields: Any) -> str:
        self._count += 1
        entry_id = entry_id or f"{self._count:08x}"
        place = {"id": entry_id, "parentId": self.last if parent == "" else parent} if self.version else {}
        self._write({"type": kind, **place, "timestamp": moment(self._count), **fields})
        self.last = entry_id
        return entry_id

    def message(self, role: str, content: Any, *, parent: str | None = "", entry_id: str = "", **fields: Any) -> str:
        message = {"role": role, "content": content, "timestamp": 1796035960893, **fields}
        return self.entry("message", parent=parent, entry_id=entry_id, message=message)

    def user(self, words: str, **fields: Any) -> str:
        return self.message("user", [{"type": "text", "text": words}], **fields)

    def says(self, words: str, **fields: Any) -> str:
        return self._answer([{"type": "text", "text": words}], **{"stopReason": "stop", **fields})

    def calls(self, call_id: str, name: str = "bash", arguments: dict[str, Any] | None = None) -> str:
        block = {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments or {"command": "make test"}}
        return self._answer([block], stopReason="toolUse")

    def _answer(self, content: Any, **fields: Any) -> str:
        cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
        usage = {"input": 1468, "output": 20, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 1488, "cost": cost}
        source = {"api": "some-api", "provider": "some-provider", "model": "some-model", "responseId": "response-1"}
        return self.message("assistant", content, usage=usage, **{**source, **fields})

    def result(self, call_id: str, output: str, *, is_error: bool = False) -> str:
        content = [{"type": "text", "text": output}]
        return self.message("toolResult", content, toolCallId=call_id, toolName="bash", isError=is_error)

    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        return path

    def _write(self, record: dict[str, Any]) -> None:
        self.lines.append(json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode())
