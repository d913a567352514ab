"""Builds sessions in memory, as a reader would hand them over."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from vademecum.sessions.model import Message, Role, Session, ToolCall

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def bash(command: str, output: str = "", *, failed: bool | None = False) -> ToolCall:
    return tool("Bash", {"command": command}, output, failed=failed, command=command)


def edit(path: str) -> ToolCall:
    return tool("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, "done", edited=(path,))


def tool(
    name: str,
    arguments: dict[str, Any] | str,
    output: str = "",
    *,
    failed: bool | None = False,
    command: str = "",
    edited: tuple[str, ...] = (),
) -> ToolCall:
    """`command` and `edited` are what a reader would have made of the arguments."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(id="call", name=name, input=text, output=output, failed=failed, command=command, edited=edited)


class Talk:
    """A session that is written down turn by turn."""

    def __init__(self, cwd: str = "/srv/demo", **fields: Any) -> None:
        self.cwd = cwd
        self.fields = fields
        self.messages: list[Message] = []

    def _say(self, role: Role, text: str, calls: tuple[ToolCall, ...] = ()) -> "Talk":
        index = len(self.messages) + 1
        at = START + timedelta(minutes=index)
        self.messages.append(
            Message(id=f"m{index}", index=index, role=role, text=text, tool_calls=calls, at=at),
        )
        return self

    def human(self, text: str) -> "Talk":
        return self._say(Role.HUMAN, text)

    def works(self, *calls: ToolCall, text: str = "") -> "Talk":
        return self._say(Role.COMMENTARY, text, calls)

    def answers(self, text: str = "Done.") -> "Talk":
        return self._say(Role.FINAL, text)

    def other(self, role: Role, text: str) -> "Talk":
        return self._say(role, text)

    def session(self) -> Session:
        fields: dict[str, Any] = {"branch": None, "parent_id": None} | self.fields
        return Session(
            id="s1",
            host="any",
            cwd=self.cwd,
            started_at=START,
            updated_at=START,
            messages=tuple(self.messages),
            **fields,
        )
