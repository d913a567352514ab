"""Which directory a Gemini session was held in: its records name it by a hash only.

The hash tells a right guess from a wrong one. Guesses, in order: the `.project_root` beside the `chats` folder, the
directories that the session itself speaks of, the paths in `projects.json` of the host.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from vademecum.sessions.jsonl import first_bytes

__all__ = ["directories_told", "working_directory"]

_MOST_BYTES = 1 << 20
#: How the host tells the model where it is, at the beginning of a session.
_TOLD = re.compile(r"(?:working in the directory: |^ {2,4}- )(/[^\n]{0,1000}|[A-Za-z]:\\[^\n]{0,1000})", re.MULTILINE)


class _Projects(msgspec.Struct):
    #: Path -> name of its folder.
    projects: dict[str, str] = {}


def directories_told(text: str) -> tuple[str, ...]:
    """The directories that the host's opening words name."""
    return tuple(match[1].strip() for match in _TOLD.finditer(text))


def working_directory(file: Path, project_hash: str, told: Iterable[str]) -> str:
    """The directory whose hash the session bears, else what stands in its folder as its root, else empty."""
    folder = _project_folder(file)
    root = _content(folder / ".project_root").strip() if folder else ""
    guesses = [root, *told, *(_known(folder) if folder else ())]
    matching = (guess for guess in guesses if guess and _hash(guess) == project_hash)
    return next(matching, root)


def _project_folder(file: Path) -> Path | None:
    """`<host>/tmp/<name of the project>`, where the file lies below the `chats` of one."""
    return next((parent.parent for parent in file.parents if parent.name == "chats"), None)


def _known(folder: Path) -> Iterator[str]:
    try:
        found = msgspec.json.decode(_content(folder.parent.parent / "projects.json"), type=_Projects)
    except msgspec.MsgspecError:
        return  # missing, or of another shape: then it tells nothing
    yield from found.projects


def _content(path: Path) -> str:
    try:
        data = first_bytes(path, _MOST_BYTES, Counter())
    except OSError:
        return ""
    return (data or b"").decode("utf-8", "replace")


def _hash(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()
