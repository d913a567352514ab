"""What a model's server answers in one piece, per wire, and how each wire words an error.

Source: the public API references of OpenAI (chat completions, responses), Anthropic (messages) and Google
(generateContent).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from support.fake_model_wires import Step

__all__ = ["BODIES", "USAGE", "Bodies"]

#: Tokens in and out that every answer claims.
USAGE = (100, 10)


@dataclass(frozen=True)
class Bodies:
    """How one API words its answers."""

    #: Of the request, with the name of the model where it stands in it.
    path: str
    #: What the setting of a base URL holds behind the server's own address.
    base: str
    #: What the model does, how it ends, its name.
    answer: Callable[[Step, str, str], dict[str, Any]]
    #: Message, status -> the body of an error.
    error: Callable[[str, int], dict[str, Any]]


def chat(step: Step, finish: str, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    if finish == "refusal":
        message |= {"content": None, "refusal": step.text}
    if step.tool:
        function = {"name": step.tool, "arguments": json.dumps(step.arguments)}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    reason = {"length": "length", "refusal": "stop"}.get(finish, "tool_calls" if step.tool else "stop")
    usage = {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": sum(USAGE)}
    choices = [{"index": 0, "message": message, "finish_reason": reason}]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": choices,
        "usage": usage,
    }


def responses(step: Step, finish: str, model: str) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    if step.text:
        said: dict[str, Any] = {"type": "output_text", "text": step.text, "annotations": []}
        if finish == "refusal":
            said = {"type": "refusal", "refusal": step.text}
        message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [said]}
        items.append(message)
    if step.tool:
        call = {"name": step.tool, "arguments": json.dumps(step.arguments), "call_id": "call_1", "status": "completed"}
        items.append({"type": "function_call", "id": "fc_1", **call})
    incomplete = {"reason": "max_output_tokens"} if finish == "length" else None
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": model,
        "status": "incomplete" if incomplete else "completed",
        "incomplete_details": incomplete,
        "output": items,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {"input_tokens": USAGE[0], "output_tokens": USAGE[1], "total_tokens": sum(USAGE)},
    }


def messages(step: Step, finish: str, model: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": step.text}] if step.text else []
    if step.tool:
        content.append({"type": "tool_use", "id": "toolu_1", "name": step.tool, "input": step.arguments})
    reasons = {"length": "max_tokens", "refusal": "refusal"}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": reasons.get(finish, "tool_use" if step.tool else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": USAGE[0], "output_tokens": USAGE[1]},
    }


def generate_content(step: Step, finish: str, model: str) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": step.text}] if step.text else []
    if step.tool:
        parts.append({"functionCall": {"name": step.tool, "args": step.arguments}})
    reason = {"length": "MAX_TOKENS", "refusal": "SAFETY"}.get(finish, "STOP")
    counts = {"promptTokenCount": USAGE[0], "candidatesTokenCount": USAGE[1], "totalTokenCount": sum(USAGE)}
    content = {"role": "model", "parts": parts}
    return {
        "candidates": [{"content": content, "finishReason": reason, "index": 0}],
        "usageMetadata": counts,
        "modelVersion": model,
        "responseId": "r1",
    }


def _openai_error(message: str, status: int) -> dict[str, Any]:
    kinds = {429: "rate_limit_exceeded", 401: "invalid_api_key", 404: "model_not_found"}
    return {"error": {"message": message, "type": "error", "code": kinds.get(status), "param": None}}


def _anthropic_error(message: str, status: int) -> dict[str, Any]:
    kinds = {429: "rate_limit_error", 401: "authentication_error", 404: "not_found_error", 500: "api_error"}
    return {"type": "error", "error": {"type": kinds.get(status, "invalid_request_error"), "message": message}}


def _google_error(message: str, status: int) -> dict[str, Any]:
    kinds = {
        429: "RESOURCE_EXHAUSTED",
        401: "UNAUTHENTICATED",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        500: "INTERNAL",
    }
    return {"error": {"code": status, "message": message, "status": kinds.get(status, "INVALID_ARGUMENT")}}


#: By the provider's word in the settings.
BODIES = {
    "openai": Bodies("/v1/chat/completions", "/v1", chat, _openai_error),
    "openai-compatible": Bodies("/v1/chat/completions", "/v1", chat, _openai_error),
    "openai-responses": Bodies("/v1/responses", "/v1", responses, _openai_error),
    "anthropic": Bodies("/v1/messages", "", messages, _anthropic_error),
    "google": Bodies("/v1beta/models/{model}:generateContent", "", generate_content, _google_error),
}
