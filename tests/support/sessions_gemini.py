"""Composes Gemini CLI logs line by line, with the fields that the real client writes."""

import hashlib
import json
from pathlib import Path
from typing import Any

from support.sessions_claude import moment

SESSION = "38c59eb2-8c64-4a59-b6bf-180d20f591a2"
CWD = "/srv/demo"


class GeminiFile:
    """Collects lines; `path` is where the real client would put them below its folder."""

    def __init__(self, *, cwd: str = CWD, kind: str | None = "main", context: bool = True) -> None:
        self.lines: list[bytes] = []
        self._count = 0
        self.head = {
            "sessionId": SESSION,
            "projectHash": hashlib.sha256(cwd.encode()).hexdigest(),
            "startTime": moment(0),
            "lastUpdated": moment(0),
            **({"kind": kind} if kind else {}),
        }
        self.record(self.head)
        if context:
            told = f"<session_context>\n- **Workspace Directories:**\n  - {cwd}\n</session_context>"
            self.set(messages=[{"id": "context", "type": "user", "content": [{"text": told}]}])

    def record(self, fields: dict[str, Any]) -> None:
        self.lines.append(json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode())

    def set(self, **fields: Any) -> None:
        self.record({"$set": fields})

    def message(self, kind: str, content: Any, *, message_id: str = "", **fields: Any) -> str:
        self._count += 1
        message_id = message_id or f"m{self._count}"
        self.record({"id": message_id, "timestamp": moment(self._count), "type": kind, "content": content, **fields})
        return message_id

    def user(self, words: str, **fields: Any) -> str:
        return self.message("user", [{"text": words}], **fields)

    def says(self, words: str, **fields: Any) -> str:
        return self.message("gemini", words, thoughts=[], model="some-model", **fields)

    def calls(self, name: str, arguments: Any, output: str = "", *, status: str = "success", words: str = "") -> str:
        """The message is written when the model has spoken, and again when the call is answered."""
        message_id = self.says(words)
        response = {"id": f"c-{message_id}", "name": name, "response": {"output": output}}
        answered = [{"functionResponse": response}]
        call = {"id": f"c-{message_id}", "name": name, "args": arguments, "result": answered, "status": status}
        self.says(words, message_id=message_id, toolCalls=[call])
        self.message("user", answered)
        return message_id

    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def write(self, home: Path, *, name: str = "session-2026-11-02T10-00-38c59eb2.jsonl") -> Path:
        path = home / "tmp" / "demo" / "chats" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        return path
