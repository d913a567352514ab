"""The four wire formats that agent programs speak with a model, as far as a scripted model needs them.

Each wire reads a request into its conversation and writes one step of the model as server-sent events. Source: the
public API references of OpenAI (chat completions, responses), Anthropic (messages) and Google (generate content).
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Conversation", "Step", "Turn", "Wire", "wire_for"]

MODEL = "fake-model"


@dataclass(frozen=True)
class Step:
    """What the model does in one answer: say something, call a tool, or both."""

    text: str = ""
    #: The client's own name of the tool; empty: no call, the turn ends here.
    tool: str = ""
    #: Of the tool, where the wire has such (responses).
    namespace: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    #: What a tool without named arguments gets in their place, where the wire has such (responses).
    free_form: str = ""


@dataclass(frozen=True)
class Turn:
    """One entry of the history that a client sends along."""

    #: What the client sends as the user's: prompts, and much that the client adds to them. Empty for all else.
    user_text: str = ""
    #: Whether the model called a tool here.
    calls: bool = False


@dataclass(frozen=True)
class Conversation:
    """A request, whatever its wire."""

    turns: tuple[Turn, ...]
    #: False for the helper requests of clients, such as the one for a title.
    offers_tools: bool


@dataclass(frozen=True)
class Wire:
    """How one API is read and written. The number makes the ids of one conversation differ."""

    read: Callable[[dict[str, Any]], Conversation]
    write: Callable[[Step, int], bytes]


def text_of(content: object) -> str:
    """The text in a message's content; tool results and images are none."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(block["text"] for block in blocks if block.get("type") in {"text", "input_text"})


def events(payloads: Iterable[dict[str, Any]], *, named: bool) -> bytes:
    """Server-sent events; named ones repeat their type before the data."""
    lines = (
        (f"event: {payload['type']}\n" if named else "") + f"data: {json.dumps(payload, ensure_ascii=False)}\n\n"
        for payload in payloads
    )
    return "".join(lines).encode()


def read_chat(body: dict[str, Any]) -> Conversation:
    turns = (
        Turn(
            user_text=text_of(message.get("content")) if message["role"] == "user" else "",
            calls=bool(message.get("tool_calls")),
        )
        for message in body["messages"]
    )
    return Conversation(tuple(turns), offers_tools=bool(body.get("tools")))


def write_chat(step: Step, number: int) -> bytes:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**common, "choices": [choice]}

    def chunks() -> Iterator[dict[str, Any]]:
        yield chunk({"role": "assistant", "content": step.text})
        if step.tool:
            function = {"name": step.tool, "arguments": json.dumps(step.arguments)}
            call = {"index": 0, "id": f"call_fake_{number}", "type": "function", "function": function}
            yield chunk({"tool_calls": [call]})
        yield chunk({}, "tool_calls" if step.tool else "stop")
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        yield {**common, "choices": [], "usage": usage}

    common = {"id": f"chatcmpl-fake-{number}", "object": "chat.completion.chunk", "created": 0, "model": MODEL}
    return events(chunks(), named=False) + b"data: [DONE]\n\n"


def read_responses(body: dict[str, Any]) -> Conversation:
    turns = (
        Turn(
            user_text=text_of(item.get("content")) if item.get("role") == "user" else "",
            calls=item.get("type") in {"function_call", "custom_tool_call"},
        )
        for item in body["input"]
    )
    # Models that compose their tools in code are told of them in the history.
    offered = bool(body.get("tools")) or any(item.get("type") == "additional_tools" for item in body["input"])
    return Conversation(tuple(turns), offers_tools=offered)


def write_responses(step: Step, number: int) -> bytes:
    items: list[dict[str, Any]] = []
    if step.text:
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        items.append({"type": "message", "id": f"msg_fake_{number}", "role": "assistant", "content": content})
    if step.tool and not step.free_form:
        call = {"name": step.tool, "arguments": json.dumps(step.arguments), "call_id": f"call_fake_{number}"}
        place = {"namespace": step.namespace} if step.namespace else {}
        items.append({"type": "function_call", "id": f"fc_fake_{number}", **call, **place})
    if step.free_form:
        call = {"name": step.tool, "input": step.free_form, "call_id": f"call_fake_{number}"}
        items.append({"type": "custom_tool_call", "id": f"ctc_fake_{number}", **call})
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    begun = {"id": f"resp_fake_{number}", "object": "response", "model": MODEL, "status": "in_progress", "output": []}
    done = {**begun, "status": "completed", "output": items, "usage": usage}
    return events(
        [
            {"type": "response.created", "response": begun},
            *(
                {"type": f"response.output_item.{moment}", "output_index": place, "item": item}
                for place, item in enumerate(items)
                for moment in ("added", "done")
            ),
            {"type": "response.completed", "response": done},
        ],
        named=True,
    )


def read_messages(body: dict[str, Any]) -> Conversation:
    turns = (
        Turn(
            user_text=text_of(message["content"]) if message["role"] == "user" else "",
            calls=any(isinstance(block, dict) and block.get("type") == "tool_use" for block in message["content"]),
        )
        for message in body["messages"]
    )
    return Conversation(tuple(turns), offers_tools=bool(body.get("tools")))


def write_messages(step: Step, number: int) -> bytes:
    blocks: list[tuple[dict[str, Any], dict[str, Any]]] = []
    if step.text:
        blocks.append(({"type": "text", "text": ""}, {"type": "text_delta", "text": step.text}))
    if step.tool:
        use = {"type": "tool_use", "id": f"toolu_fake_{number}", "name": step.tool, "input": {}}
        blocks.append((use, {"type": "input_json_delta", "partial_json": json.dumps(step.arguments)}))

    def stream() -> Iterator[dict[str, Any]]:
        message = {"id": f"msg_fake_{number}", "type": "message", "role": "assistant", "model": MODEL, "content": []}
        usage = {"input_tokens": 100, "output_tokens": 1}
        yield {
            "type": "message_start",
            "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage},
        }
        for place, (start, delta) in enumerate(blocks):
            yield {"type": "content_block_start", "index": place, "content_block": start}
            yield {"type": "content_block_delta", "index": place, "delta": delta}
            yield {"type": "content_block_stop", "index": place}
        end = {"stop_reason": "tool_use" if step.tool else "end_turn", "stop_sequence": None}
        yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 10}}
        yield {"type": "message_stop"}

    return events(stream(), named=True)


def read_contents(body: dict[str, Any]) -> Conversation:
    turns = (
        Turn(
            user_text=text_of([{"type": "text", **part} for part in entry["parts"] if "text" in part])
            if entry.get("role") == "user"
            else "",
            calls=any("functionCall" in part for part in entry["parts"]),
        )
        for entry in body["contents"]
    )
    return Conversation(tuple(turns), offers_tools=bool(body.get("tools")))


def write_contents(step: Step, number: int) -> bytes:
    parts: list[dict[str, Any]] = [{"text": step.text}] if step.text else []
    if step.tool:
        parts.append({"functionCall": {"id": f"call_fake_{number}", "name": step.tool, "args": step.arguments}})
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return events([{"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL}], named=False)


#: By the end of the request's path.
_WIRES = {
    "/v1/chat/completions": Wire(read_chat, write_chat),
    "/v1/responses": Wire(read_responses, write_responses),
    "/v1/messages": Wire(read_messages, write_messages),
    ":streamGenerateContent": Wire(read_contents, write_contents),
}


def wire_for(path: str) -> Wire | None:
    """The wire that requests to this path speak."""
    return next((wire for end, wire in _WIRES.items() if path.endswith(end)), None)
