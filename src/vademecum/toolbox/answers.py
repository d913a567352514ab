"""How answers are written for a model: bounded, and with nothing in them that is more than text."""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

import msgspec

from vademecum.toolbox.tool import Answer

if TYPE_CHECKING:
    from vademecum.engine import Edit
    from vademecum.errors import VademecumError

__all__ = ["MAX_ANSWER_BYTES", "edit_answer", "error_answer", "finished", "how_many_fit", "one_line"]

#: About six thousand tokens: an answer stays small beside the conversation that it comes into.
MAX_ANSWER_BYTES = 24 * 1024
#: Room for what an answer says about itself.
_ASIDE_BYTES = 1024
_MAX_PATHS, _MAX_PATH = 100, 300
#: What a model sent may be as long as it likes, and errors repeat it.
_MAX_MESSAGE = 10_000
_FENCE = re.compile(r"<(?=\s*/?\s*vademecum-memory)", re.IGNORECASE)
#: What a person is told to run -> the tool that does the same for a model.
_TOOLS = {"ls": "memory_list", "read": "memory_read", "search": "memory_search", "sessions": "session_search"}
_COMMAND = re.compile(rf"`vade ({'|'.join(_TOOLS)})\b")


def edit_answer(edit: "Edit", *told: str) -> Answer:
    """The answer to a write. `told`: what else the model should know."""
    message = "\n".join([edit.message, *told])
    data = msgspec.to_builtins(msgspec.structs.replace(edit, message=message, paths=edit.paths[:_MAX_PATHS]))
    return Answer(text=message, data=data)


def error_answer(error: "VademecumError") -> Answer:
    """What happened, what is intact, what to do next; no secret that was sent is repeated."""
    from vademecum.secrets import mask, mask_within

    # Masked before it is cut: half a secret is not known as one.
    message = mask(f"{error}\n\n{error.details}" if error.details else str(error))[:_MAX_MESSAGE]
    shape = mask_within({**error.shape(), "paths": error.paths[:_MAX_PATHS]})
    intact, next_step = shape["intact"], _COMMAND.sub(lambda match: f"`{_TOOLS[match[1]]}", shape["next"])
    shape |= {"message": message, "next": next_step, "paths": [path[:_MAX_PATH] for path in shape["paths"]]}
    text = f"error[{error.code}]: {message}\n{intact}\nnext: {next_step}"
    return Answer(text=text, data={"error": shape}, is_error=True)


def how_many_fit(blocks: Iterable[str]) -> int:
    """How many of these, from the first, one answer has room for; at least one."""
    sums = accumulate(len(block.encode()) + 1 for block in blocks)
    return max(1, sum(size <= MAX_ANSWER_BYTES - _ASIDE_BYTES for size in sums))


def finished(answer: Answer) -> Answer:
    """The answer as it leaves: no control and bidi characters, no fence of ours, no more bytes than may be."""
    return Answer(text=_bounded(_harmless(answer.text)), data=_harmless(answer.data), is_error=answer.is_error)


def one_line(text: str, limit: int) -> str:
    """The text as one line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 4].rstrip()} ..."


def _bounded(text: str) -> str:
    data = text.encode()
    if len(data) <= MAX_ANSWER_BYTES:
        return text
    kept = data[: MAX_ANSWER_BYTES - _ASIDE_BYTES].decode(errors="ignore")
    whole_lines = kept.rpartition("\n")[0] or kept
    left = len(data) - len(whole_lines.encode())
    return f"{whole_lines}\n({left:,} bytes more; ask for less at once to see them)"


def _harmless(value: Any) -> Any:  # noqa: ANN401 (plain values of any depth)
    from vademecum.artifacts import neutralise

    if isinstance(value, str):
        return _FENCE.sub("< ", neutralise(value))
    if isinstance(value, dict):
        return {key: _harmless(one) for key, one in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_harmless(one) for one in cast("Sequence[Any]", value)]
    return value
