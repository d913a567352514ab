"""A block of ours in a text that a person writes, between two marks of their own lines."""

from vademecum.errors import CannotEdit

__all__ = ["put_block", "take_block"]

_OPEN = "<!-- vademecum: written by `vade install`, taken out by `vade uninstall` -->"
_CLOSE = "<!-- /vademecum -->"


def put_block(text: str | None, body: str) -> str:
    """Put the block at the end, or bring it up to date where it stands. Raises CannotEdit for half a block."""
    text = text or ""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = f"{_OPEN}\n{body.strip()}\n{_CLOSE}".replace("\n", newline)
    if span := _span(text):
        return text[: span[0]] + block + text[span[1] :]
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    return f"{text}{gap}{block}{newline}"


def take_block(text: str | None) -> str | None:
    """Take the block out, with the blank line above it. Raises CannotEdit for half a block."""
    span = _span(text or "")
    if not text or not span:
        return text
    before, after = text[: span[0]], text[span[1] :].removeprefix("\r").removeprefix("\n")
    for gap in ("\r\n\r\n", "\n\n"):
        if before.endswith(gap):
            before = before[: -len(gap) // 2]
            break
    return before + after


def _span(text: str) -> tuple[int, int] | None:
    start, end = text.find(_OPEN), text.find(_CLOSE)
    if start < 0 and end < 0:
        return None
    if start < 0 or end < start or text.count(_OPEN) > 1 or text.count(_CLOSE) > 1:
        line = text.count("\n", 0, max(start, end)) + 1
        raise CannotEdit(
            f"line {line}: the marks around the block of vademecum do not belong together",
            next_step="Take both marks and what is between them out by hand, then run the same command again.",
        )
    return start, end + len(_CLOSE)
