"""What a Codex tool output says of itself: its text without wrapping, and whether the call failed."""

import re

import msgspec

from vademecum.sessions.codex.lines import Content, OldOutput

__all__ = ["outcome"]

#: Headers of the shell and patch tools; they stand before the program's own output.
_EXIT_CODE = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})\s*$", re.MULTILINE)
_HEADER_CHARS = 512
#: The host's own words for a call that did not run or did not work.
_FAILURES = (
    "apply_patch verification failed",
    "exec_command failed",
    "execution error",
    "failed to parse",
    "unsupported call",
    "unsupported custom tool call",
)


class _Metadata(msgspec.Struct):
    exit_code: int | None = None


class _Wrapped(msgspec.Struct):
    """The shell tool of 2025 puts its output into JSON."""

    output: str
    metadata: _Metadata


_WRAPPED = msgspec.json.Decoder(_Wrapped)


def outcome(output: str | list[Content] | OldOutput | None) -> tuple[str, bool | None]:
    """The text that came back, and whether the call failed (None: it does not say)."""
    if isinstance(output, OldOutput):
        return output.content or "", None if output.success is None else not output.success
    text = output if isinstance(output, str) else _joined(output or [])
    wrapped = _unwrap(text) if text.startswith("{") else None
    if wrapped is not None:
        code = wrapped.metadata.exit_code
        return wrapped.output, None if code is None else code != 0
    match = _EXIT_CODE.search(text, 0, _HEADER_CHARS)
    if match:
        return text, int(match[1]) != 0
    return text, True if text.startswith(_FAILURES) else None


def _joined(pieces: list[Content]) -> str:
    return "\n".join(f"[{piece.type}]" if piece.text is None else piece.text for piece in pieces)


def _unwrap(text: str) -> _Wrapped | None:
    try:
        return _WRAPPED.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
