"""Files of hosts that take strict JSON only: a comment costs them the whole of it."""

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
        return json.loads(_whole(text))  # a hundred times faster, and one of these files may be large
    except (ValueError, RecursionError):
        return jsonc.read(text or "")


def refuse_unread(text: str | None, title: str) -> None:
    """Refuse to write into what the host of this title would not read. Raises CannotEdit."""
    try:
        json.loads(_whole(text))
    except (ValueError, RecursionError):
        jsonc.read(text or "")  # where it is worse than that, this says so
        raise CannotEdit(
            f"which holds a comment or a comma too many: {title} reads nothing of such a file",
            next_step="Take the comments and the comma before a closing bracket out of it, then run the same command "
            "again.",
        ) from None


def _whole(text: str | None) -> str:
    return text if text and text.strip() else "{}"


def tells_of_us(file: Path) -> bool:
    """Whether something of our name may stand in a file. One that says no is no business of ours, however broken."""
    try:
        return b"vademecum" in read_plain_file(file, most_bytes=_MOST_BYTES)
    except OSError:
        return False
