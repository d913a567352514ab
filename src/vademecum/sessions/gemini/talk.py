"""Whose words are whose in a Gemini session, and what its tools did."""

import re
from collections.abc import Iterator

import msgspec

from vademecum.sessions.assembly import (
    TEXT_END_CHARS,
    TOOL_END_CHARS,
    Assembly,
    PendingCall,
    narrow,
    raw_text,
)
from vademecum.sessions.calls import Tools, pending_call
from vademecum.sessions.clock import stored_time
from vademecum.sessions.gemini.records import Call, Message, Part, Parts
from vademecum.sessions.model import Role
from vademecum.sessions.talk import Fragment

__all__ = ["SPEAKERS", "fragment_of", "say", "texts_of"]

#: Types of messages that carry talk; the others (`info`, `error`, `warning`) are lines on the person's screen.
SPEAKERS = frozenset({"user", "gemini"})

_TOOLS = Tools(
    shells=frozenset({"run_shell_command"}),
    editors=frozenset({"replace", "write_file"}),
    path_keys=("file_path",),
    outside=frozenset({"google_web_search", "web_fetch"}),
    # Tools of servers are `mcp_<server>_<tool>`, and `<server>__<tool>` before.
    underscored=frozenset(
        {
            "activate_skill", "ask_user", "enter_plan_mode", "exit_plan_mode", "get_internal_docs", "grep_search",
            "invoke_agent", "list_background_processes", "list_directory", "read_background_output", "read_file",
            "read_many_files", "run_shell_command", "save_memory", "search_file_content", "update_topic", "write_file",
            "write_todos",
        }
    ),
)  # fmt: skip
#: What the host sends in the person's name.
_HOST_WORDS = re.compile(
    r"\s*(?:<session_context>|<state_snapshot>|This is the Gemini CLI\. We are setting up the context"
    r"|System: |\[SYSTEM\b|Please continue\.\s*$)"
)
#: What it puts before or behind the person's words, also into one text with them: files that they named, and what hooks
#: say, in which no angle bracket is left.
_BESIDE = re.compile(
    r"\s*(?:--- Content from referenced files ---.*|<hook_context>.*?(?:</hook_context>|\Z))", re.DOTALL
)
#: How the host says how a command ended.
_EXIT_CODE = re.compile(r"^Exit Code: (\d+)", re.MULTILINE)
#: It stands behind the output of a command; so many characters of the end are searched.
_END_CHARS = 1_000
_FAILED = {"success": False, "error": True, "cancelled": True}


def fragment_of(message: Message) -> Fragment | None:
    """The message as it stands now, its calls answered; None where it has nothing to say."""
    if message.type == "user":
        role, text = _of_person(message)
        calls = ()
    else:
        role, text = None, "\n\n".join(texts_of(message.content))
        calls = tuple(_answered(call) for call in message.tool_calls or ())
    if not text.strip() and not calls:
        return None
    return Fragment(
        id=message.id,
        role=role,
        text=narrow(text, TEXT_END_CHARS),
        at=stored_time(message.timestamp),
        calls=calls,
        unfinished=bool(calls),
    )


def say(assembly: Assembly, fragment: Fragment) -> None:
    """Append the fragment with its calls."""
    role = Role.COMMENTARY if fragment.role is None and fragment.unfinished else fragment.role
    message = assembly.add(role, fragment.text, message_id=fragment.id, at=fragment.at)
    for call in fragment.calls:
        message = assembly.attach(message, call)


def texts_of(content: Parts) -> Iterator[str]:
    """The words in it, thoughts left out; a mark stands for what is no text."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, Part):
            if part.text is not None and not part.thought:
                yield part.text
            elif part.inline_data or part.file_data:
                yield "[file]"
        elif part:
            yield part


def _of_person(message: Message) -> tuple[Role, str]:
    typed = message.content if message.display_content is None else message.display_content
    text = "\n\n".join(texts_of(typed))
    words = _BESIDE.sub("", text).strip()
    if words and not _HOST_WORDS.match(words):
        return Role.HUMAN, words
    # With its brackets back, a block of ours is known as one, and is not read again.
    return Role.HOST, text.replace("&lt;", "<").replace("&gt;", ">")


def _answered(call: Call) -> PendingCall:
    pending = pending_call(_TOOLS, call.id, call.name or "unnamed", raw_text(call.args))
    output = "\n".join(_outputs(call.result))
    pending.output = narrow(output, TOOL_END_CHARS)
    exit_codes: list[str] = _EXIT_CODE.findall(output[-_END_CHARS:]) if pending.command else []
    pending.failed = exit_codes[-1] != "0" if exit_codes else _FAILED.get(call.status)
    return pending


def _outputs(result: Parts) -> Iterator[str]:
    for part in result if isinstance(result, list) else [result]:
        if not isinstance(part, Part):
            yield part or ""
        elif part.function_response is not None:
            yield _words(part.function_response.response or {})
        elif part.text:
            yield part.text


def _words(response: dict[str, object]) -> str:
    """What a tool says in words where it has some, else all of it as JSON."""
    told = [value for key in ("error", "output") if isinstance(value := response.get(key), str)]
    return "\n".join(told) if told else msgspec.json.encode(response).decode() if response else ""
