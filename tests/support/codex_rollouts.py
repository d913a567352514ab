"""Composes rollout files as Codex 0.171 writes them, line by line."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
OWN_ID = "019a0000-0000-7000-8000-0000000000aa"
PARENT_ID = "01990000-0000-7000-8000-0000000000bb"


def own_turn(number: int) -> str:
    """A turn id that is younger than the session."""
    return f"019a0001-0000-7000-8000-{number:012d}"


def text_piece(text: str, kind: str = "input_text") -> dict:
    return {"type": kind, "text": text}


class RolloutFile:
    """Lines in order, one second apart."""

    def __init__(self, session_id: str = OWN_ID) -> None:
        self.session_id = session_id
        self.lines: list[str] = []
        self.calls = 0

    def line(self, kind: str, payload: object, **outer: object) -> "RolloutFile":
        at = START + timedelta(seconds=len(self.lines))
        record = {"timestamp": at.isoformat().replace("+00:00", "Z"), "ordinal": len(self.lines), "type": kind}
        whole = {**record, "payload": payload, **outer}
        self.lines.append(json.dumps(whole, separators=(",", ":"), ensure_ascii=False))
        return self

    def raw(self, text: str) -> "RolloutFile":
        self.lines.append(text)
        return self

    def meta(self, **fields: object) -> "RolloutFile":
        payload = {
            "session_id": self.session_id,
            "id": self.session_id,
            "timestamp": START.isoformat().replace("+00:00", "Z"),
            "cwd": "/srv/demo",
            "originator": "codex_exec",
            "cli_version": "0.171.0",
            "source": "exec",
            "thread_source": "user",
            "base_instructions": {"text": "composed"},
            "git": {"commit_hash": "abc123", "branch": "main"},
        }
        return self.line("session_meta", {**payload, **fields})

    def turn(self, turn_id: str = own_turn(1), cwd: str = "/srv/demo") -> "RolloutFile":
        return self.line("turn_context", {"turn_id": turn_id, "cwd": cwd, "approval_policy": "never", "model": "m"})

    def item(self, **payload: object) -> "RolloutFile":
        return self.line("response_item", payload)

    def event(self, **payload: object) -> "RolloutFile":
        return self.line("event_msg", payload)

    def message(self, role: str, *pieces: dict, **fields: object) -> "RolloutFile":
        return self.item(type="message", id=f"msg_{len(self.lines)}", role=role, content=list(pieces), **fields)

    def user(self, text: str, **fields: object) -> "RolloutFile":
        return self.message("user", text_piece(text), **fields)

    def sourced_user(self, *pieces: tuple[str, str, str]) -> "RolloutFile":
        """A user message whose pieces say what they are: (text, content item kind, provenance type)."""
        passthrough = {
            "turn_id": own_turn(1),
            "create_time": 1796035522.03,
            "content_item_kinds": [kind for _, kind, _ in pieces],
            "content_item_metadata": [{"provenance": {"type": source}} for _, _, source in pieces],
        }
        texts = [text_piece(text) for text, _, _ in pieces]
        return self.message("user", *texts, internal_chat_message_metadata_passthrough=passthrough)

    def assistant(self, text: str, **fields: object) -> "RolloutFile":
        return self.message("assistant", text_piece(text, "output_text"), **fields)

    def call(self, name: str = "exec_command", arguments: str = '{"cmd":"pytest -q"}', **fields: object) -> str:
        self.calls += 1
        call_id = f"call_{self.calls}"
        self.item(type="function_call", name=name, arguments=arguments, call_id=call_id, **fields)
        return call_id

    def output(self, call_id: str, output: object, kind: str = "function_call_output") -> "RolloutFile":
        return self.item(type=kind, call_id=call_id, output=output)

    def shell(self, command: str, output: str, exit_code: int = 0) -> "RolloutFile":
        call_id = self.call(arguments=json.dumps({"cmd": command}))
        header = f"Chunk ID: 019a5e\nWall time: 0.1 seconds\nProcess exited with code {exit_code}\nOutput:\n"
        return self.output(call_id, header + output)

    def bytes(self) -> bytes:
        return ("\n".join(self.lines) + "\n").encode()

    def write(self, folder: Path, name: str | None = None) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / (name or f"rollout-2026-11-02T09-00-00-{self.session_id}.jsonl")
        path.write_bytes(self.bytes())
        return path


def ordinary_mix(path: Path, size_bytes: int, *, line_bytes: int = 12_000) -> None:
    """A long session, heavy with tool output, with the lines that Codex writes beside the talk."""
    words = "the build failed in src/widget/render.py:41 with code 2; retry after make clean \u2713 "
    written = 0
    with path.open("wb") as stream:
        rollout = RolloutFile().meta().turn()
        step = 0
        while written < size_bytes:
            step += 1
            output = (words * (1 + line_bytes * (1 + step % 5) // (3 * len(words))))[: line_bytes * (1 + step % 5) // 3]
            if step % 10 == 1:
                rollout.user(f"please look at module {step}: {words}" * 5)
            prose = f"Now module {step}: {words}" * 4
            rollout.assistant(prose).event(type="agent_message", message=prose)
            rollout.item(type="reasoning", summary=[], encrypted_content="A" * 1500)
            rollout.shell(f"cat module{step}.py", output.replace(" ", "\n", step % 40))
            rollout.event(type="token_count", info={"total_token_usage": {"input_tokens": step}}, rate_limits=None)
            rollout.event(type="exec_command_end", call_id="x", aggregated_output=output[: len(output) // 2])
            block = rollout.bytes()
            stream.write(block)
            written += len(block)
            rollout.lines.clear()
