"""The border of the room: what comes out of a session is masked, without private parts and without our own memory.

Order matters: private parts and our own blocks go first, then secrets are masked, and only then is text cut to size,
so that no cut divides a secret or the end of a `<private>` part from its beginning. For speed a very long text is
narrowed before masking, with margins much longer than any secret.
"""

import re

import msgspec

from vademecum.artifacts import (
    Citations,
    CitedLines,
    is_our_command,
    is_our_tool,
    parse_citations,
    strip_citations,
    strip_memory_blocks,
)
from vademecum.secrets import mask
from vademecum.sessions.kept import kept_id
from vademecum.sessions.model import Message, Role, Session, ToolCall

__all__ = ["clean", "strip_hidden", "strip_private"]

#: Kept characters: (head, tail) of a message, a tool's input, a tool's output.
TEXT_CHARS = (48 * 1024, 16 * 1024)
INPUT_CHARS = (6 * 1024, 2 * 1024)
OUTPUT_CHARS = (6 * 1024, 2 * 1024)
#: Longest name of a directory or branch that is believed.
PLACE_CHARS = 1_024
#: What is masked beyond the kept characters, at each end.
MARGIN_CHARS = 32 * 1024

#: What shows nothing on a screen may stand in it, and its signs may be wide or escaped: a person meant the same.
_UNSEEN = "[\u200b-\u200d\u2060\ufeff]*"
_PRIVATE_TAG = re.compile(
    rf"(?:<|\uff1c|&lt;)\s?{_UNSEEN}(/?)\s?{_UNSEEN.join(('', *'private', ''))}"
    r"(?:\s[^>\uff1e&]{0,2000})?\s?(?:>|\uff1e|&gt;)",
    re.IGNORECASE,
)
#: Where another command begins in a shell line, and what may stand before its program.
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_BEFORE_PROGRAM = re.compile(r"\s*(?:(?:\w+=\S*|env|exec|uvx|uv run)\s+)*")


def clean(session: Session) -> Session:
    """The session as the rest of the product may see it. Ids stay as they are, but for those that hold a secret."""
    return msgspec.structs.replace(
        session,
        id=kept_id(session.id),
        parent_id=session.parent_id and kept_id(session.parent_id),
        cwd=session.cwd and _folder(session.cwd),
        branch=session.branch and _branch(session.branch),
        messages=tuple(_clean_message(message) for message in session.messages),
        title=_text(session.title, TEXT_CHARS),
    )


def _folder(name: str) -> str:
    """A directory as a line of memory can name it, and by no word that means more than a directory there.

    What cannot be told in such a line is a directory all the same: what was said there holds in no other one.
    """
    shown = "".join(character if character.isprintable() else "\ufffd" for character in name[:PLACE_CHARS]).strip()
    return mask(shown if "/" in shown or "\\" in shown else f"?/{shown}")


def _branch(name: str) -> str:
    """A branch; what could not be the name of one counts as unknown."""
    return mask(name) if len(name) <= PLACE_CHARS and name.isprintable() else ""


def _clean_message(message: Message) -> Message:
    return msgspec.structs.replace(
        message,
        text=_text(message.text, TEXT_CHARS),
        tool_calls=tuple(_clean_call(call) for call in message.tool_calls),
        cited=_cited(message),
    )


def _cited(message: Message) -> Citations:
    """What an answer cites. A block that a person or a program wrote cites nothing, whoever's name stands above it."""
    if message.role is not Role.FINAL:
        return Citations()
    found = parse_citations(strip_hidden(message.text.replace("\r\n", "\n")))
    files = (CitedLines(path=mask(one.path), line_start=one.line_start, line_end=one.line_end) for one in found.files)
    return Citations(files=tuple(files), sessions=tuple(map(mask, found.sessions)))


def _clean_call(call: ToolCall) -> ToolCall:
    if is_our_tool(call.name) or _runs_our_program(call.command):
        return msgspec.structs.replace(call, input="", output="", command="", edited=())
    return msgspec.structs.replace(
        call,
        input=_text(call.input, INPUT_CHARS),
        output=_text(call.output, OUTPUT_CHARS),
        command=_text(call.command, INPUT_CHARS),
        edited=tuple([_text(path, INPUT_CHARS) for path in call.edited]) if call.edited else (),
    )


def _runs_our_program(command: str) -> bool:
    return any(is_our_command(_BEFORE_PROGRAM.sub("", part, count=1) + " ") for part in _SEPARATOR.split(command))


def _text(text: str, kept: tuple[int, int]) -> str:
    if not text:
        return text
    # NUL and lone carriage returns are no text of anybody, and no memory file may hold them.
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    shown = strip_citations(strip_hidden(text))
    head, tail = kept
    near = _cut(shown, head + MARGIN_CHARS, tail + MARGIN_CHARS)
    return _cut(mask(near), head, tail)


def _cut(text: str, head: int, tail: int) -> str:
    left_out = len(text) - head - tail
    if left_out <= 0:
        return text
    return f"{text[:head]}\n[... {left_out} characters left out ...]\n{text[-tail:]}"


def strip_hidden(text: str) -> str:
    """The text without our own injected blocks (which may speak of the tag) and without `<private>` parts."""
    return strip_private(strip_memory_blocks(text))


def strip_private(text: str) -> str:
    """The text without its `<private>` parts: nested ones go as one, one without end reaches to the end of the text."""
    if not any(sign in text for sign in ("<", "\uff1c", "&lt;")) or _PRIVATE_TAG.search(text) is None:
        return text
    kept: list[str] = []
    position = depth = 0
    for tag in _PRIVATE_TAG.finditer(text):
        if not tag[1]:
            if depth == 0:
                kept.append(text[position : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
            position = tag.end()
    if depth == 0:
        kept.append(text[position:])
    return "".join(kept)
