"""How Claude Code's files are read: it takes strict JSON only.

A comment costs it the whole of its settings, and in the file that it writes itself keeps it from starting at all.
"""

import json
from pathlib import Path
from typing import Any

from vademecum.errors import CannotEdit
from vademecum.hosts import jsonc
from vademecum.private import read_plain_file

__all__ = ["read", "refuse_unread", "tells_of_us"]

_MOST_BYTES = 16 * 1024 * 1024


def read(text: str | None) -> Any:  # noqa: ANN401  any JSON
    """What stands there, comments or not. Raises CannotEdit."""
    try:
        return json.loads(text or "{}")  # a hundred times faster, and one of these files may be large
    except (ValueError, RecursionError):
        return jsonc.read(text or "")


def refuse_unread(text: str | None) -> None:
    """Refuse to write into what Claude Code would not read. Raises CannotEdit."""
    try:
        json.loads(text or "{}")
    except (ValueError, RecursionError):
        jsonc.read(text or "")  # where it is worse than that, this says so
        raise CannotEdit(
            "which holds a comment or a comma too many: Claude Code reads nothing of such a file",
            next_step="Take the comments and the comma before a closing bracket out of it, then run the same command "
            "again.",
        ) from None


def tells_of_us(file: Path) -> bool:
    """Whether something of our name may stand in a file. One that says no is no business of ours, however broken."""
    try:
        return b"vademecum" in read_plain_file(file, most_bytes=_MOST_BYTES)
    except OSError:
        return False
