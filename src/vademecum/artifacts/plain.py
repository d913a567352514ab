"""Text that becomes part of a line of a memory file: one line, bounded, nothing in it that means something there."""

import re

from vademecum.memfs import shown_unseen

__all__ = ["harmless", "neutralise", "plain_line", "plain_text"]

#: Control characters (but tab and newline), and what ends a line for some programs only: they move a terminal.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_CONFLICT = re.compile(r"^([<>|=])\1{6}")


def neutralise(text: str) -> str:
    """The text with control, bidi and invisible characters replaced by U+FFFD."""
    return shown_unseen(_CONTROLS.sub("\ufffd", text))


def harmless(line: str) -> str:
    """A line of a person's own as it may stand in any memory file: their words, but no control or conflict mark."""
    return _CONFLICT.sub(r"\1 \1\1\1\1\1\1", neutralise(line))


def plain_line(text: str, limit: int = 1_000) -> str:
    """The text as one line of at most `limit` characters.

    What would be a link, a comment mark or a conflict marker in a memory file is broken up by a space: words that
    somebody said are data there, and may not make a file that no check lets pass.
    """
    line = _without_marks(" ".join(neutralise(text).replace("\ufffd", " ").split()))
    line = _CONFLICT.sub(r"\1 \1\1\1\1\1\1", line)
    return line if len(line) <= limit else f"{line[: limit - 4].rstrip()} ..."


def plain_text(text: str) -> str:
    """Text of many lines, each as harmless as a `plain_line`; white space and length stay what they are."""
    return "\n".join(harmless(_without_marks(line.rstrip("\r"))) for line in text.split("\n"))


def _without_marks(line: str) -> str:
    return line.replace("[[", "[ [").replace("<!--", "<! --")
