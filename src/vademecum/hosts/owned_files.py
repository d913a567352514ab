"""Files of a host's extension that are wholly ours: written as they are, deleted when memory is taken out."""

import json
from pathlib import Path

from vademecum.hosts.protocol import FileEdit

__all__ = ["as_json", "owned", "owned_gone"]


def owned(path: Path, what: str, content: str) -> FileEdit:
    """The edit that writes a file, whatever stood there."""
    return FileEdit(path=path, what=what, change=lambda _text: content)


def owned_gone(path: Path, what: str) -> FileEdit:
    """The edit that deletes it."""
    return FileEdit(path=path, what=what, change=lambda _text: None, takes_out=True)


def as_json(value: object) -> str:
    """A value as a host's own tools would write it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
