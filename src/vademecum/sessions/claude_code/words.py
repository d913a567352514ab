"""The words on one line of a Claude Code session file, told apart by who said them."""

import re
from collections import Counter

import msgspec

from vademecum.sessions.assembly import TEXT_END_CHARS, PendingCall, narrow, question_and_answer, raw_text
from vademecum.sessions.calls import Tools, pending_call
from vademecum.sessions.claude_code.lines import Block, Entry, MessageBody, Sender
from vademecum.sessions.jsonl import Line, decode_line
from vademecum.sessions.model import Role
from vademecum.sessions.talk import Fragment, Result

__all__ = ["QUESTION_TOOL", "answers", "results", "words"]

#: The tool by which the host lets the agent ask the user; its output is what the user chose or typed.
QUESTION_TOOL = "AskUserQuestion"
_TOOLS = Tools(
    shells=frozenset({"Bash"}),
    editors=frozenset({"Edit", "MultiEdit", "NotebookEdit", "Write"}),
    path_keys=("file_path", "notebook_path"),
    outside=frozenset({"ReadMcpResourceTool", "WebFetch", "WebSearch"}),
)

_PROMPT = msgspec.json.Decoder(str | list[Block] | None)


def words(entry: Entry, skipped: Counter[str]) -> Fragment | None:
    """What was said on the line, without its time; None for tool output and for lines without talk."""
    message = entry.message
    if message is not None and entry.type == "assistant":
        return _answered(entry, message)
    if message is not None and entry.type == "user":
        return _said(entry, _texts(message.content), entry.origin, "line")
    if entry.attachment is not None and entry.is_queued_prompt:
        texts = _prompt(entry.attachment.prompt, skipped)
        typed = entry.attachment.command_mode in {None, "prompt"}
        return _said(entry, texts, entry.attachment.origin, "attachment", typed=typed)
    if entry.type == "queue-operation" and entry.reason == "absorbed_mid_turn":
        return _said(entry, _prompt(entry.content, skipped), entry.origin, "queue")
    return None


def _prompt(raw: msgspec.Raw, skipped: Counter[str]) -> list[str]:
    return _texts(decode_line(_PROMPT, Line(number=0, data=bytes(raw)), skipped))


def results(entry: Entry) -> list[Result]:
    """The tool output on the line."""
    if entry.message is None or entry.type != "user" or not isinstance(entry.message.content, list):
        return []
    return [_result(block) for block in entry.message.content if block.type == "tool_result"]


def _result(block: Block) -> Result:
    text = "\n".join(_texts(block.content))
    return Result(call_id=block.tool_use_id or "", text=text, failed=_failed(block.is_error, text))


_QUESTION_ANSWER = re.compile(r'"([^"]{1,2000})"="([^"]{1,4000})"')


def answers(entry: Entry, result: Result) -> list[Fragment]:
    """The user's answers in an output of `QUESTION_TOOL`, each with the question."""
    return [
        Fragment(id=entry.uuid or "", role=Role.HUMAN, text=question_and_answer(question, answer), is_prompt=False)
        for question, answer in _QUESTION_ANSWER.findall(result.text)
    ]


_EXIT_CODE = re.compile(r"Exit code:? (\d{1,3})\b")


def _failed(is_error: bool | None, text: str) -> bool | None:
    match = _EXIT_CODE.match(text)
    return match[1] != "0" if match else is_error


def _texts(content: str | list[Block] | None) -> list[str]:
    if not isinstance(content, list):
        return [content] if content else []
    texts: list[str] = []
    for block in content:
        if block.type == "text" and block.text:
            texts.append(block.text)
        elif block.type in {"image", "document"}:
            texts.append(f"[{block.type}]")
    return texts


def _said(
    entry: Entry, texts: list[str], sender: Sender | None, carrier: str, *, typed: bool = True
) -> Fragment | None:
    whole = "\n\n".join(texts)
    if not whole.strip():
        return None
    role = _role_of_line(entry, sender) if typed else Role.HOST
    if role is None:
        said = [(_role_of_text(text), text) for text in texts]
        human = [_without_host_blocks(text) for own, text in said if own is Role.HUMAN]
        role = Role.HUMAN if any(text.strip() for text in human) else _first_other(said)
        whole = "\n\n".join(human) if role is Role.HUMAN else whole
    return Fragment(id=entry.uuid or "", role=role, text=narrow(whole, TEXT_END_CHARS), carrier=carrier)


def _first_other(said: list[tuple[Role, str]]) -> Role:
    return next((own for own, _ in said if own is not Role.HUMAN), Role.HOST)


def _role_of_line(entry: Entry, sender: Sender | None) -> Role | None:
    """The role that the line's own fields settle, or None where the words decide."""
    kind = sender.kind if sender is not None else None
    if kind == "peer":
        return Role.OTHER_AGENT
    host_made = (
        entry.is_meta
        or entry.is_compact_summary
        or entry.is_visible_in_transcript_only
        or entry.row_source == "harness"
        or kind not in {None, "human"}
    )
    return Role.HOST if host_made else None


#: How text begins that the host puts into the user's mouth (Claude Code session files, 1 and 2).
_HOST_TEXT = re.compile(
    r"""\s*(?:
        <(?:command-(?:name|message|args)|local-command-\w+)[ >]
      | <(?:system-reminder|task-notification|user-prompt-submit-hook)[ >]
      | \[Request\ interrupted
      | This\ session\ is\ being\ continued\ from
      | Caveat:\ The\ messages\ below\ were\ generated
      | [A-Z]\w+(?::\w+)?\ hook\ (?:feedback|additional\ context|(?:non-)?blocking\ error|stopped)[^\n:]{0,60}:
      | Operation\ stopped\ by\ hook:
      | (?:Unknown\ (?:slash\ command|skill)|Base\ directory\ for\ this\ skill):
    )""",
    re.VERBOSE,
)
_SHELL_TEXT = re.compile(r"\s*<bash-(?:input|stdout|stderr)>")
_AGENT_TEXT = re.compile(r"\s*(?:<(?:teammate|agent)-message\b|Another Claude session sent a message:)")
#: Blocks that the host adds to what the user typed; one without end reaches to the end.
_HOST_BLOCK = re.compile(r"<(system-reminder|ide_\w{1,40}|new-diagnostics)\b[^>]{0,200}>.*?(?:</\1>|\Z)", re.DOTALL)
#: What the user typed behind `#` for the host's own memory: as plain a wish as there is.
_REMEMBER = re.compile(
    r"""\s*(?:
        <user-memory-input>(?P<noted>.*?)(?:</user-memory-input>|\Z)
        # ... and behind the command of our own plugin that does the same for us.
      | (?:<command-message>(?:vademecum:)?remember</command-message>\s*)?
        <command-name>/vademecum:remember</command-name>\s*
        (?:<command-message>(?:vademecum:)?remember</command-message>\s*)?
        <command-args>(?P<told>.*?)(?:</command-args>|\Z)
    )""",
    re.DOTALL | re.VERBOSE,
)


def _role_of_text(text: str) -> Role:
    if _HOST_TEXT.match(text) and not _REMEMBER.match(text):
        return Role.HOST
    if _SHELL_TEXT.match(text):
        return Role.TOOL
    return Role.OTHER_AGENT if _AGENT_TEXT.match(text) else Role.HUMAN


def _without_host_blocks(text: str) -> str:
    match = _REMEMBER.match(text)
    words = (match["noted"] or match["told"] or "") if match else text
    return _HOST_BLOCK.sub("", words) if "<" in words else words


def _answered(entry: Entry, message: MessageBody) -> Fragment | None:
    blocks = message.content if isinstance(message.content, list) else []
    text = "\n\n".join(_texts(message.content))
    calls = tuple([_call(block) for block in blocks if block.type == "tool_use" and block.id])
    if not calls and not text.strip():
        return None
    synthetic = entry.is_api_error_message or message.model == "<synthetic>"
    return Fragment(
        id=entry.uuid or "",
        role=Role.HOST if synthetic else None,
        text=narrow(text, TEXT_END_CHARS),
        calls=calls,
        family="" if synthetic else message.id or "",
        unfinished=message.stop_reason == "tool_use",
    )


def _call(block: Block) -> PendingCall:
    return pending_call(_TOOLS, block.id or "", block.name or "", raw_text(block.input))
